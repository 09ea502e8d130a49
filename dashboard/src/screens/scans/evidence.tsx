import { Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import {
  IconBox,
  IconCopy,
  IconMapPinQuestion,
  IconPlaneDeparture,
  IconUsersGroup,
  type Icon,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useEvidenceWords } from './evidence-words.ts';
import { isCounted, type Signal } from './signals.ts';

const ICONS: Record<Signal['type'], Icon> = {
  impossible_travel: IconPlaneDeparture,
  clone: IconCopy,
  excessive_scanning: IconUsersGroup,
  diversion: IconMapPinQuestion,
};

/** Points that weights may lack by being whole numbers. */
const ROUNDING = 1;

/**
 * What speaks against a unit, one reason after the other, the weightiest first.
 * @param score of the scan, of which signs too small to be told may have their part; left out for what several scans told
 */
export function Evidence({ signals, score = 0 }: { signals: readonly Signal[]; score?: number }) {
  const { t } = useTranslation('scans');
  // A diversion is told beside the score of a copy and is no part of it; where it is the greater, the score is its own.
  const weightOf = (isDiversion: boolean) =>
    signals
      .filter(({ type }) => (type === 'diversion') === isDiversion)
      .reduce((sum, { weight }) => sum + weight, 0);
  const rest = score > weightOf(true) ? score - weightOf(false) : 0;
  if (signals.length === 0)
    return (
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <IconBox size={20} stroke={1.6} aria-hidden color="var(--mantine-color-dimmed)" />
        <Text size="sm">{t('evidence.nothing')}</Text>
      </Group>
    );
  return (
    <Stack gap="md">
      {signals
        .toSorted((a, b) => b.weight - a.weight)
        .map((signal, index) => (
          <Reason key={`${signal.type}-${index}`} signal={signal} />
        ))}
      {rest > ROUNDING && (
        <Text size="sm" c="dimmed">
          {t('evidence.rest', { points: rest })}
        </Text>
      )}
    </Stack>
  );
}

function Reason({ signal }: { signal: Signal }) {
  const { t } = useTranslation('scans');
  const { headline, text, places } = useEvidenceWords()(signal);
  const Picture = ICONS[signal.type];
  const counts = isCounted(signal);
  return (
    <Paper p="md" className="evidence" data-weighty={counts || undefined}>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Picture size={22} stroke={1.6} aria-hidden />
        <div style={{ minWidth: 0, flex: 1 }}>
          <Group justify="space-between" gap="xs" align="flex-start">
            <Text size="xs" c="dimmed" fw={600}>
              {t(`signals.${signal.type}`)}
            </Text>
            {counts ? (
              <Text size="xs" c="dimmed" className="num">
                {signal.weight === 0 ? t('evidence.little') : t('evidence.points', { count: signal.weight })}
              </Text>
            ) : (
              <StatusBadge tone="neutral" label={t('evidence.notCounted')} />
            )}
          </Group>
          <Title order={3} mt={2}>
            {headline}
          </Title>
          <Text size="sm" mt={4}>
            {text}
          </Text>
          {places.length > 0 && (
            <List size="sm" mt={6} spacing={2}>
              {places.map((place) => (
                <List.Item key={place.id}>{place.text}</List.Item>
              ))}
            </List>
          )}
        </div>
      </Group>
    </Paper>
  );
}
