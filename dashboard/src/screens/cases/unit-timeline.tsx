import { Anchor, Paper, Text, Timeline, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi } from '../../api/use-api.ts';
import { usePlaceNames } from '../../components/place-names.ts';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../i18n/format.ts';

type Entry = Schemas['TimelineEntry'];

const ENTRIES = 15;

/** Where an entry leads, if anywhere. */
function addressOf(entry: Entry): string | null {
  switch (entry.type) {
    case 'scanned':
      return `/scans/${entry.scanId}`;
    case 'flagged':
    case 'decided':
      return `/cases/${entry.caseId}`;
    case 'reported':
      return `/reports/${entry.reportId}`;
    case 'shipped':
    case 'received':
      return `/consignments/${entry.consignmentId}`;
    default:
      return null;
  }
}

const isBad = (entry: Entry): boolean =>
  entry.type === 'flagged' ||
  entry.type === 'recalled' ||
  (entry.type === 'scanned' && entry.result === 'suspicious');

/** The life of the case's unit, newest first: minted, shipped, scanned, flagged. */
export function UnitTimeline({ unitId }: { unitId: string }) {
  const { t } = useTranslation('cases');
  const timeline = useApi('/api/v1/product-units/{id}/timeline', {
    path: { id: unitId },
    query: { limit: ENTRIES },
  });
  return (
    <Paper p="md">
      <Title order={2} mb="sm">
        {t('timeline.title')}
      </Title>
      <Loaded query={timeline}>
        {({ data }) => (
          <Timeline bulletSize={12} lineWidth={2} color="gold">
            {data.map((entry, index) => (
              <Timeline.Item
                key={`${entry.at} ${index}`}
                bullet={<span className="timeline-dot" data-bad={isBad(entry) || undefined} />}
              >
                <Line entry={entry} />
                <Text size="xs" c="dimmed">
                  <Time at={entry.at} />
                </Text>
              </Timeline.Item>
            ))}
          </Timeline>
        )}
      </Loaded>
    </Paper>
  );
}

function Line({ entry }: { entry: Entry }) {
  const { t } = useTranslation('cases');
  const formats = useFormats();
  const names = usePlaceNames();
  const words = (): string => {
    switch (entry.type) {
      case 'scanned': {
        const { lat, lon, country } = entry;
        const place =
          lat !== null && lon !== null
            ? names.long({ lat, lon, country })
            : country !== null
              ? formats.country(country)
              : t('timeline.somewhere');
        return t('timeline.scanned', { place, result: t(`results.${entry.result}`, { ns: 'scans' }) });
      }
      case 'decided':
        return t('timeline.decided', { decision: t(`statuses.${entry.decision}`) });
      case 'shipped':
      case 'received':
        return t(`timeline.${entry.type}`, { place: entry.destination ?? entry.reference ?? '–' });
      case 'reported':
        return t('timeline.reported', { excerpt: entry.excerpt });
      default:
        return t(`timeline.${entry.type}`);
    }
  };
  const to = addressOf(entry);
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {to === null ? (
        words()
      ) : (
        <Anchor component={Link} to={to} inherit c="inherit">
          {words()}
        </Anchor>
      )}
    </Text>
  );
}
