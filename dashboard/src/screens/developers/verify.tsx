import { List, Paper, Stack, Tabs, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../../components/page-header.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { SnippetBlock } from './snippet-block.tsx';
import { SNIPPETS } from './snippets.ts';

const LANGUAGES = Object.keys(SNIPPETS) as (keyof typeof SNIPPETS)[];
const STEPS = ['raw', 'signature', 'time', 'repeat', 'answer'] as const;

export function Screen() {
  const { t } = useTranslation('developers');
  const [{ language: asked }, setFilters] = useFilters();
  const language = LANGUAGES.find((name) => name === asked) ?? 'Node';
  return (
    <>
      <PageHeader
        title={t('verify.title')}
        description={t('verify.lead')}
        parents={[{ label: t('webhooks.title'), to: '/developers/webhooks' }]}
      />
      <Stack maw={860}>
        <Paper p="lg">
          <List type="ordered" spacing="xs" size="sm">
            {STEPS.map((step) => (
              <List.Item key={step}>{t(`verify.steps.${step}`)}</List.Item>
            ))}
          </List>
        </Paper>
        <Paper p="lg">
          <Tabs value={language} onChange={(value) => setFilters({ language: value ?? undefined })}>
            <Tabs.List mb="md" aria-label={t('verify.language')}>
              {LANGUAGES.map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {name}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {LANGUAGES.map((name) => (
              <Tabs.Panel key={name} value={name}>
                <SnippetBlock label={t('verify.snippet', { language: name })} code={SNIPPETS[name]} />
              </Tabs.Panel>
            ))}
          </Tabs>
          <Text size="sm" c="dimmed" mt="md">
            {t('verify.standard')}
          </Text>
        </Paper>
      </Stack>
    </>
  );
}
