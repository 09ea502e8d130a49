import { Button, Group, Paper, SegmentedControl, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { ApiError } from '../../api/errors.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { keyOf } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { Loaded } from '../../components/states.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { Entry } from './life-entry.tsx';
import { LIFE_REFRESH_MS } from './refresh.ts';
import './life.css';

type TimelineEntry = Schemas['TimelineEntry'];
interface Page {
  data: TimelineEntry[];
  nextCursor: string | null;
}

const PATH = '/api/v1/product-units/{id}/timeline';
const PAGE = 20;

/** A unit's whole life as one list, newest first; what happens while one looks appears by itself. */
export function Life({ unitId }: { unitId: string }) {
  const { t } = useTranslation('units');
  const maySeeScans = useMay('scans.read');
  const [{ show }, setFilters] = useFilters();
  const type = show === 'scans' ? ('scanned' as const) : undefined;
  const pages = useInfiniteQuery<Page, ApiError, { pages: Page[] }, readonly unknown[], string | undefined>({
    queryKey: keyOf(PATH, { path: { id: unitId }, query: { life: show } }),
    queryFn: async ({ pageParam, signal }) =>
      (await api.get(PATH, {
        path: { id: unitId },
        query: {
          limit: PAGE,
          ...(type && { type }),
          ...(pageParam === undefined ? {} : { cursor: pageParam }),
        },
        signal,
      })) as unknown as Page,
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: LIFE_REFRESH_MS,
  });
  return (
    <Paper p="md" component="section" aria-label={t('life')}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('life')}</Title>
        {maySeeScans && (
          <SegmentedControl
            size="xs"
            aria-label={t('show')}
            value={type === undefined ? 'all' : 'scans'}
            onChange={(value) => setFilters({ show: value === 'all' ? undefined : value })}
            data={[
              { value: 'all', label: t('showAll') },
              { value: 'scans', label: t('showScans') },
            ]}
          />
        )}
      </Group>
      <Loaded query={pages}>
        {({ pages: read }) => {
          const entries = read.flatMap(({ data }) => data);
          if (entries.length === 0)
            return (
              <Text size="sm" c="dimmed">
                {t('noScans')}
              </Text>
            );
          return (
            <>
              <ol className="life">
                {entries.map((entry) => (
                  <Entry key={keyOfEntry(entry)} entry={entry} />
                ))}
              </ol>
              {pages.hasNextPage && (
                <Button
                  variant="default"
                  size="compact-sm"
                  loading={pages.isFetchingNextPage}
                  onClick={() => void pages.fetchNextPage()}
                >
                  {t('older')}
                </Button>
              )}
            </>
          );
        }}
      </Loaded>
    </Paper>
  );
}

const keyOfEntry = (entry: TimelineEntry): string =>
  `${entry.type} ${entry.at} ${'scanId' in entry ? entry.scanId : 'caseId' in entry ? entry.caseId : 'consignmentId' in entry ? entry.consignmentId : 'reportId' in entry ? entry.reportId : ''}`;
