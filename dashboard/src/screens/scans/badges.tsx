import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { StatusBadge, type Tone } from '../../components/status-badge.tsx';

export type ScanResult = Schemas['Scan']['result'];
export type RiskLevel = Schemas['Scan']['risk']['level'];

export const RESULTS: Record<ScanResult, Tone> = {
  genuine: 'good',
  suspicious: 'bad',
  diverted: 'warning',
  recalled: 'warning',
  suspended: 'warning',
  expired: 'warning',
  inactive: 'neutral',
};

export const LEVELS: Record<RiskLevel, Tone> = {
  high: 'bad',
  medium: 'warning',
  low: 'info',
  none: 'good',
};

export const TAPS: Record<NonNullable<Schemas['Scan']['nfcTap']>, Tone> = {
  fresh: 'good',
  replayed: 'warning',
  invalid: 'warning',
};

export function ResultBadge({ result }: { result: ScanResult }) {
  const { t } = useTranslation('scans');
  return <StatusBadge tone={RESULTS[result]} label={t(`results.${result}`)} />;
}

/** What a scan came to, and whether it was one of the organization's own. */
export function ScanResultBadges({
  scan,
}: {
  scan: Pick<Schemas['Scan'], 'result' | 'isInternal' | 'hiddenCode' | 'nfcTap'>;
}) {
  const { t } = useTranslation('scans');
  return (
    <Group gap={6}>
      <ResultBadge result={scan.result} />
      {scan.isInternal && <StatusBadge tone="info" label={t('internal')} />}
      {scan.hiddenCode !== null && (
        <StatusBadge
          tone={scan.hiddenCode === 'correct' ? 'neutral' : 'warning'}
          label={t(`hiddenCodeBadge.${scan.hiddenCode}`)}
        />
      )}
      {scan.nfcTap !== null && (
        <StatusBadge tone={TAPS[scan.nfcTap]} label={t(`nfcTapBadge.${scan.nfcTap}`)} />
      )}
    </Group>
  );
}

/** How far the evidence speaks for a copied code, as a word and of a hundred. */
export function RiskScore({ level, score }: { level: RiskLevel; score: number }) {
  const { t } = useTranslation('scans');
  const color = { high: 'red', medium: 'orange', low: 'blue', none: 'gray' }[level];
  return (
    <Group gap={8} wrap="nowrap">
      <div className="risk-bar" aria-hidden>
        <div style={{ inlineSize: `${score}%`, background: `var(--mantine-color-${color}-filled)` }} />
      </div>
      <Text span inherit className="num" style={{ whiteSpace: 'nowrap' }}>
        {score}{' '}
        <Text span inherit c="dimmed">
          {t(`levels.${level}`)}
        </Text>
      </Text>
    </Group>
  );
}
