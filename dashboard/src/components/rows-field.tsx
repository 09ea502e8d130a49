import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef, type ReactNode } from 'react';

interface RowsFieldProps<Row> {
  label: string;
  hint: string;
  rows: readonly Row[];
  /** What is wrong with all of them. */
  error?: ReactNode;
  addLabel: string;
  onAdd: () => void;
  onRemove: (index: number) => void;
  /** @param remove takes the row away, and the focus with it to where it can go on */
  children: (row: Row, index: number, remove: () => void) => ReactNode;
}

/** A field of the form that is a list of rows, each with fields of its own. */
export function RowsField<Row>({
  label,
  hint,
  rows,
  error,
  addLabel,
  onAdd,
  onRemove,
  children,
}: RowsFieldProps<Row>) {
  const add = useRef<HTMLButtonElement>(null);
  const remove = (index: number) => {
    // The next row takes the place of this one; after the last there is none.
    if (index === rows.length - 1) add.current?.focus();
    onRemove(index);
  };
  return (
    <Stack component="fieldset" gap="xs" p={0} m={0} bd="none">
      <Text component="legend" size="sm" fw={550} p={0}>
        {label}
      </Text>
      <Text size="xs" c="dimmed">
        {hint}
      </Text>
      {rows.map((row, index) => children(row, index, () => remove(index)))}
      {error && (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
      <Group>
        <Button
          ref={add}
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={onAdd}
        >
          {addLabel}
        </Button>
      </Group>
    </Stack>
  );
}
