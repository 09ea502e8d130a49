import { ActionIcon, Button, Group, NumberInput, Stack } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
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
          <NumberInput
            label={t('windows.visitors')}
            w={130}
            {...VISITORS}
            allowDecimal={false}
            clampBehavior="blur"
            disabled={isReadOnly}
            value={window.visitors}
            onChange={(visitors) => isWithin(visitors, VISITORS) && set(index, { visitors })}
          />
          <NumberInput
            label={t('windows.hours')}
            w={130}
            {...HOURS}
            decimalScale={2}
            clampBehavior="blur"
            disabled={isReadOnly}
            value={window.hours}
            onChange={(hours) => isWithin(hours, HOURS) && set(index, { hours })}
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

const isWithin = (typed: string | number, { min, max }: { min: number; max: number }): typed is number =>
  typeof typed === 'number' && typed >= min && typed <= max;
