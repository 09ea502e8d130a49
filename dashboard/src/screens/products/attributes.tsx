import { ActionIcon, Group, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { RowsField } from '../../components/rows-field.tsx';

type Attributes = Schemas['Product']['attributes'];

/** One attribute while it is edited: a value that is no text is shown, and may be typed, as JSON. */
export interface AttributeRow {
  name: string;
  text: string;
  /** As the service has it; a new one has none. */
  was?: unknown;
}

export const shownAttribute = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

export const rowsOf = (attributes: Attributes): AttributeRow[] =>
  Object.entries(attributes).map(([name, was]) => ({ name, text: shownAttribute(was), was }));

/** What was a number, a list or the like stays one as long as what is typed is JSON. */
function valueOf({ text, was }: AttributeRow): unknown {
  if (was === undefined || typeof was === 'string') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export const attributesOf = (rows: readonly AttributeRow[]): Attributes =>
  Object.fromEntries(
    rows.filter(({ name }) => name.trim() !== '').map((row) => [row.name.trim(), valueOf(row)]),
  );

/** Whether another row before it has the same name: only one of them could be kept. */
const isTwice = (rows: readonly AttributeRow[], index: number): boolean => {
  const name = rows[index]!.name.trim();
  return name !== '' && rows.slice(0, index).some((row) => row.name.trim() === name);
};

export const hasTwins = (rows: readonly AttributeRow[]): boolean =>
  rows.some((_row, index) => isTwice(rows, index));

interface AttributesFieldProps {
  value?: readonly AttributeRow[];
  onChange: (rows: AttributeRow[]) => void;
  error?: React.ReactNode;
}

/** Values of one's own, by name. */
export function AttributesField({ value: rows = [], onChange, error }: AttributesFieldProps) {
  const { t } = useTranslation('products');
  const change = (index: number, changed: Partial<AttributeRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...changed } : row)));
  return (
    <RowsField
      label={t('attributes')}
      hint={t('attributesHint')}
      rows={rows}
      error={error}
      addLabel={t('attributeAdd')}
      onAdd={() => onChange([...rows, { name: '', text: '' }])}
      onRemove={(index) => onChange(rows.filter((_row, at) => at !== index))}
    >
      {(row, index, remove) => (
        // Rows have no other name than their place.
        <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
          <TextInput
            aria-label={t('attributeName', { number: index + 1 })}
            placeholder={t('attributeNameHint')}
            value={row.name}
            maxLength={100}
            error={isTwice(rows, index) && t('attributeTwice')}
            onChange={(event) => change(index, { name: event.currentTarget.value })}
            style={{ flex: 2 }}
          />
          <TextInput
            aria-label={t('attributeValue', { number: index + 1 })}
            placeholder={t('attributeValueHint')}
            value={row.text}
            onChange={(event) => change(index, { text: event.currentTarget.value })}
            style={{ flex: 3 }}
          />
          <ActionIcon
            variant="subtle"
            size={36}
            aria-label={t('attributeRemove', { name: row.name || index + 1 })}
            onClick={remove}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      )}
    </RowsField>
  );
}
