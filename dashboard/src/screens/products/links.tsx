import {
  ActionIcon,
  Autocomplete,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
  type OptionsFilter,
} from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { RowsField } from '../../components/rows-field.tsx';
import { CONSUMERS_LANGUAGES } from '../../components/texts-by-language.tsx';

type ProductLink = Schemas['Product']['links'][number];

/** A link while it is edited. */
export type LinkRow = Record<keyof ProductLink, string>;

/** Of the GS1 Web Vocabulary, those that a consumer is looking for first; any other may be typed. */
const LINK_TYPES = [
  'pip',
  'instructions',
  'dpp',
  'sustainabilityInfo',
  'certificationInfo',
  'safetyInfo',
  'ingredientsInfo',
  'allergenInfo',
  'nutritionalInfo',
  'recipeInfo',
  'traceability',
  'registerProduct',
  'support',
  'faqs',
  'tutorial',
  'review',
  'promotion',
  'hasRetailers',
  'socialMedia',
].map((name) => `gs1:${name}`);

/** What is chosen is no search: the others can be chosen in its place. */
const allTypes: OptionsFilter = ({ options }) => options;

const FIRST_TYPE = 'gs1:instructions';

/** In no language there is one of each kind: a second one begins without. */
const newRow = (rows: readonly LinkRow[]): LinkRow => {
  const isTaken = rows.some(({ linkType, language }) => linkType === FIRST_TYPE && language === '');
  return { linkType: isTaken ? '' : FIRST_TYPE, title: '', url: '', language: '' };
};

export const linkRowsOf = (links: readonly ProductLink[]): LinkRow[] =>
  links.map(({ linkType, title, url, language }) => ({ linkType, title, url, language: language ?? '' }));

export const linksOf = (rows: readonly LinkRow[]): ProductLink[] =>
  rows.map(({ linkType, title, url, language }) => ({
    linkType: linkType.trim(),
    title: title.trim(),
    url: url.trim(),
    language: language === '' ? null : language,
  }));

/** Pages elsewhere about the product, as codes lead to them and the consumers' page shows them. */
export function LinksField({
  value: rows,
  error,
  errorAt,
  onChange,
  onAdd,
  onRemove,
}: {
  value: readonly LinkRow[];
  /** What is wrong with all of them. */
  error?: React.ReactNode;
  /** What is wrong with a field of a row. */
  errorAt: (index: number, field: keyof LinkRow) => React.ReactNode;
  onChange: (index: number, field: keyof LinkRow, value: string) => void;
  onAdd: (row: LinkRow) => void;
  onRemove: (index: number) => void;
}) {
  const { t, i18n } = useTranslation('products');
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' });
  const codes = new Set([...CONSUMERS_LANGUAGES, ...rows.map(({ language }) => language)]);
  codes.delete('');
  const languages = [
    { value: '', label: t('linkEveryLanguage') },
    ...[...codes].map((code) => ({ value: code, label: names.of(code) ?? code })),
  ];
  return (
    <RowsField
      label={t('links')}
      hint={t('linksHint')}
      rows={rows}
      error={error}
      addLabel={t('linkAdd')}
      onAdd={() => onAdd(newRow(rows))}
      onRemove={onRemove}
    >
      {(row, index, remove) => (
        // Rows have no other name than their place.
        <Paper
          key={index}
          withBorder
          p="sm"
          role="group"
          aria-label={row.title || t('link', { number: index + 1 })}
        >
          <Group gap="xs" align="flex-start" wrap="nowrap">
            <Stack gap="xs" style={{ flex: 1, minWidth: 0 }}>
              <TextInput
                label={t('linkTitle')}
                maxLength={100}
                value={row.title}
                error={errorAt(index, 'title')}
                onChange={(event) => onChange(index, 'title', event.currentTarget.value)}
              />
              <TextInput
                label={t('linkUrl')}
                type="url"
                dir="ltr"
                placeholder="https://"
                value={row.url}
                error={errorAt(index, 'url')}
                onChange={(event) => onChange(index, 'url', event.currentTarget.value)}
              />
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
                <Autocomplete
                  label={t('linkType')}
                  dir="ltr"
                  data={LINK_TYPES}
                  {...(LINK_TYPES.includes(row.linkType) && { filter: allTypes })}
                  value={row.linkType}
                  error={errorAt(index, 'linkType')}
                  onChange={(linkType) => onChange(index, 'linkType', linkType)}
                />
                <Select
                  label={t('linkLanguage')}
                  allowDeselect={false}
                  data={languages}
                  value={row.language}
                  error={errorAt(index, 'language')}
                  onChange={(language) => onChange(index, 'language', language ?? '')}
                />
              </SimpleGrid>
            </Stack>
            <ActionIcon
              variant="subtle"
              size={36}
              aria-label={t('attributeRemove', { name: row.title || t('link', { number: index + 1 }) })}
              onClick={remove}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        </Paper>
      )}
    </RowsField>
  );
}
