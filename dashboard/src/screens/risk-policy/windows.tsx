import { ActionIcon, Button, Group, NumberInput, Stack } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Policy } from './policy.ts';
import { useRangeError, WINDOW_HOURS, WINDOW_VISITORS, type Range } from './ranges.ts';

type Window = Policy['excessiveScanning']['windows'][number];

const MOST = 5;
/** What a further window begins with: a week, which none of the defaults looks at. */
const FURTHER: Window = { hours: 24 * 7, visitors: WINDOW_VISITORS.max };

/** How many visitors in how many hours are too many: any one of the windows is enough. */
export function Windows({
  windows,
  onChange,
  isReadOnly,
}: {
  windows: readonly Window[];
  onChange: (windows: Window[]) => void;
  isReadOnly: boolean;
}) {
  const { t } = useTranslation('risk-policy');
  const set = (at: number, change: Partial<Window>) =>
    onChange(windows.map((window, index) => (index === at ? { ...window, ...change } : window)));
  return (
    <Stack gap="xs" role="group" aria-label={t('windows.title')}>
      {windows.map((window, index) => (
        <Group key={index} gap="xs" align="flex-start" wrap="nowrap">
          <Limit
            label={t('windows.visitors')}
            range={WINDOW_VISITORS}
            decimals={0}
            isReadOnly={isReadOnly}
            value={window.visitors}
            onChange={(visitors) => set(index, { visitors })}
          />
          <Limit
            label={t('windows.hours')}
            range={WINDOW_HOURS}
            decimals={2}
            isReadOnly={isReadOnly}
            value={window.hours}
            onChange={(hours) => set(index, { hours })}
          />
          {!isReadOnly && windows.length > 1 && (
            <ActionIcon
              mt={25}
              size="lg"
              variant="subtle"
              color="gray"
              aria-label={t('windows.remove', { hours: window.hours })}
              onClick={() => onChange(windows.filter((_, other) => other !== index))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          )}
        </Group>
      ))}
      {!isReadOnly && windows.length < MOST && (
        <Button
          variant="subtle"
          size="compact-sm"
          w="fit-content"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...windows, FURTHER])}
        >
          {t('windows.add')}
        </Button>
      )}
    </Stack>
  );
}

/** A number that a window cannot do without: what is no number is gone when the field is left. */
function Limit({
  label,
  range,
  decimals,
  value,
  onChange,
  isReadOnly,
}: {
  label: string;
  range: Range;
  decimals: number;
  value: number;
  onChange: (value: number) => void;
  isReadOnly: boolean;
}) {
  const rangeError = useRangeError();
  const [typed, setTyped] = useState<string | number | null>(null);
  return (
    <NumberInput
      label={label}
      w={130}
      {...range}
      decimalScale={decimals}
      allowDecimal={decimals > 0}
      error={rangeError(value, range)}
      disabled={isReadOnly}
      value={typed ?? value}
      onChange={(next) => {
        setTyped(next);
        if (typeof next === 'number') onChange(next);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
