import { Alert, Group, Loader, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFailureWords } from '../../api/failures.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi } from '../../api/use-api.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { WorldMap } from '../../components/world-map.tsx';
import { useFormats } from '../../i18n/format.ts';

const POLL_MS = 500;
const OPEN = new Set(['queued', 'running']);
const UNKNOWN = '??';

/** The counting job of a preview, until it has finished. */
export const usePreview = (jobId: string | null) =>
  useApi(
    '/api/v1/bulk-jobs/{id}',
    { path: { id: jobId ?? '' } },
    {
      enabled: jobId !== null,
      refetchInterval: ({ state }) =>
        state.data === undefined || OPEN.has(state.data.status) ? POLL_MS : false,
    },
  );

/** What a preview found; null until it has counted all: before, and in one that was cancelled, are the parts that it came to. */
export const reachOf = (job: Schemas['BulkJob'] | undefined): Result | null =>
  job?.status === 'completed' ? job.result : null;

/** Why there is nothing to wait for; null while there is. */
export function usePreviewFailure(): (job: Schemas['BulkJob'] | undefined) => string | null {
  const { t } = useTranslation('recalls');
  const inWords = useFailureWords();
  return (job) =>
    job?.error ? inWords(job.error) : job?.status === 'cancelled' ? t('countingCancelled') : null;
}

/** To be put into a status, which stays when it is counted. */
export function Counting({ done = 0 }: { done?: number | undefined }) {
  const { t } = useTranslation('recalls');
  const { number } = useFormats();
  return (
    <Group gap="sm">
      <Loader size="sm" aria-hidden />
      <Text size="sm">{t('counting', { done: number(done) })}</Text>
    </Group>
  );
}

/** How many units a recall lies over, and where they were scanned. */
export function Preview({ jobId }: { jobId: string }) {
  const failureOf = usePreviewFailure();
  const { data: job, error, refetch } = usePreview(jobId);
  if (error !== null) return <ErrorAlert error={error} retry={() => void refetch()} />;
  const failure = failureOf(job);
  if (failure !== null) return <Alert color={job?.error ? 'red' : 'gray'}>{failure}</Alert>;
  const reach = reachOf(job);
  return (
    <Paper p="lg">
      {/* One and the same, so that what was counted is told as the way there is. */}
      <div role="status">
        {reach === null ? <Counting done={job?.progress.done} /> : <Reach result={reach} />}
      </div>
      {reach !== null && <Places countries={reach.countries} />}
    </Paper>
  );
}

type Result = NonNullable<Schemas['BulkJob']['result']>;

/** The countries that are known, with most scans first. */
const byScans = (countries: Result['countries']) =>
  Object.entries(countries)
    .filter(([country]) => country !== UNKNOWN)
    .toSorted(([, a], [, b]) => b - a);

function Reach({ result }: { result: Result }) {
  const { t } = useTranslation('recalls');
  const formats = useFormats();
  const { units, scannedUnits, scans, lastScannedAt, countries } = result;
  const nowhere = countries[UNKNOWN] ?? 0;
  const figures = [
    { label: t('units'), value: formats.number(units) },
    { label: t('scannedUnits'), value: formats.number(scannedUnits) },
    { label: t('scans'), value: formats.number(scans) },
    {
      label: t('lastScanned'),
      value: lastScannedAt === null ? '–' : <Time at={lastScannedAt} show="day" isFocusable />,
    },
  ];
  const ordered = byScans(countries);
  return (
    <>
      <Title order={2} size="h3" mb="sm">
        {t('reach')}
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 4 }} mb="md">
        {figures.map(({ label, value }) => (
          <div key={label}>
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <Text fw={650} size="xl" className="num" component="div">
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      <Text size="sm" mb="sm">
        {scannedUnits === 0
          ? t('nobodyScanned')
          : ordered.length === 0
            ? t('reachAlone', { count: scannedUnits })
            : t('reachText', {
                count: scannedUnits,
                countries: formats.list(ordered.slice(0, 5).map(([code]) => formats.country(code))),
              })}
        {nowhere > 0 && ` ${t('nowhere', { count: nowhere })}`}
      </Text>
    </>
  );
}

function Places({ countries }: Pick<Result, 'countries'>) {
  const { t } = useTranslation('recalls');
  const formats = useFormats();
  const ordered = byScans(countries);
  if (ordered.length === 0) return null;
  return (
    <WorldMap
      label={t('mapLabel')}
      countries={Object.fromEntries(ordered)}
      tables={() => [
        {
          headers: [t('country'), t('scans')],
          rows: ordered.map(([code, count]) => [formats.country(code), formats.number(count)]),
        },
      ]}
      countryLabel={(country, value) => t('mapCountry', { country: formats.country(country), count: value })}
    />
  );
}
