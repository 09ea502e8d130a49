import { Accordion, Group, SimpleGrid, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../api/use-api.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { LoadingRows, Loaded } from '../../components/states.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { SnippetBlock } from './snippet-block.tsx';

export function Screen() {
  const { t } = useTranslation('developers');
  const types = useApi('/api/v1/event-types', {}, { staleTime: Number.POSITIVE_INFINITY });
  const [{ type: open }, setFilters] = useFilters();
  return (
    <>
      <PageHeader title={t('events.title')} description={t('events.lead')} />
      <Loaded query={types} skeleton={<LoadingRows rows={8} height={40} />}>
        {({ data }) => (
          <Accordion
            variant="contained"
            chevronPosition="left"
            order={2}
            value={open ?? null}
            onChange={(value) => setFilters({ type: value ?? undefined })}
          >
            {data.map(({ type, version, description, isSubscribable, dataSchema, example }) => (
              <Accordion.Item key={type} value={type}>
                <Accordion.Control>
                  <Group gap="sm">
                    <Text className="mono" size="sm" fw={600} dir="ltr">
                      {type}
                    </Text>
                    {!isSubscribable && <StatusBadge tone="info" label={t('events.onRequest')} />}
                  </Group>
                  <Text size="sm" c="dimmed">
                    {t(`eventTypes.${type.replaceAll('.', '_')}`, { defaultValue: description })}
                  </Text>
                </Accordion.Control>
                <Accordion.Panel>
                  {open === type && (
                    <>
                      <Text size="xs" c="dimmed" mb="xs">
                        {t('events.version', { version })}
                      </Text>
                      <SimpleGrid cols={{ base: 1, md: 2 }}>
                        <div>
                          <Text size="sm" fw={600} mb={4}>
                            {t('events.example')}
                          </Text>
                          <SnippetBlock
                            label={t('events.exampleOf', { type })}
                            code={JSON.stringify(example, null, 2)}
                            maxHeight={420}
                          />
                        </div>
                        <div>
                          <Text size="sm" fw={600} mb={4}>
                            {t('events.schema')}
                          </Text>
                          <SnippetBlock
                            label={t('events.schemaOf', { type })}
                            code={JSON.stringify(dataSchema, null, 2)}
                            maxHeight={420}
                          />
                        </div>
                      </SimpleGrid>
                    </>
                  )}
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        )}
      </Loaded>
    </>
  );
}
