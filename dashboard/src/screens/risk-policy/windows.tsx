import { ActionIcon, Button, Group, NumberInput, Stack } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Policy } from './policy.ts';

type Window = Policy['excessiveScanning']['windows'][number];

const MOST = 5;
const VISITORS = { min: 2, max: 44 };
const HOURS = { min: 0.25, max: 24 * 365 };
/** What a further window begins with: a week, which none of the defaults looks at. */
const FURTHER: Window = { hours: 24 * 7, visitors: VISITORS.max };

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
        <Group key={index} gap="xs" align="flex-end" wrap="nowrap">
          <Limit
            label={t('windows.visitors')}
            range={VISITORS}
            decimals={0}
            isReadOnly={isReadOnly}
            value={window.visitors}
            onChange={(visitors) => set(index, { visitors })}
          />
          <Limit
            label={t('windows.hours')}
            range={HOURS}
            decimals={2}
            isReadOnly={isReadOnly}
            value={window.hours}
            onChange={(hours) => set(index, { hours })}
          />
          {!isReadOnly && windows.length > 1 && (
            <ActionIcon
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

/** A number that a window cannot do without: what is no such number is gone when the field is left. */
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
  const [typed, setTyped] = useState<string | number | null>(null);
  return (
    <NumberInput
      label={label}
      w={130}
      {...range}
      decimalScale={decimals}
      allowDecimal={decimals > 0}
      allowNegative={false}
      clampBehavior="blur"
      disabled={isReadOnly}
      value={typed ?? value}
      onChange={(next) => {
        setTyped(next);
        if (isWithin(next, range)) onChange(next);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

interface Range {
  min: number;
  max: number;
}

const isWithin = (typed: string | number, { min, max }: Range): typed is number =>
  typeof typed === 'number' && typed >= min && typed <= max;
