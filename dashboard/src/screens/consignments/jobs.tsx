import { Alert, Progress, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFailureWords } from '../../api/failures.ts';
import { useRefusalWords } from '../../api/refusals.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi } from '../../api/use-api.ts';
import { CancelBulk } from '../../components/cancel-bulk.tsx';
import { notify } from '../../components/notify.ts';
import { Loaded } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';

const POLL_MS = 700;
const OPEN = new Set(['queued', 'running']);

/** What the newest job on this consignment does, or why it refused; silent where all went well, or where nobody can mend it any more. */
export function NewestJob({ id, isDraft }: { id: string; isDraft: boolean }) {
  const { t } = useTranslation('consignments');
  const formats = useFormats();
  const client = useQueryClient();
  const told = useRef<string | null | undefined>(undefined);
  const jobs = useApi(
    '/api/v1/bulk-jobs',
    { query: { consignmentId: id, limit: 1 } },
    { refetchInterval: ({ state }) => (OPEN.has(state.data?.data[0]?.status ?? '') ? POLL_MS : false) },
  );
  const newest = jobs.data?.data[0];
  // What a job did is in the consignment once it has finished, which may be before it was ever seen open.
  const finished = newest === undefined || OPEN.has(newest.status) ? null : newest.id;
  useEffect(() => {
    if (finished === null) return;
    void client.invalidateQueries({
      predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/v1/consignments'),
    });
  }, [finished, client]);
  const isRead = jobs.data !== undefined;
  useEffect(() => {
    if (!isRead) return;
    // What had ended before anybody looked is no news.
    const isNews = told.current !== undefined && finished !== null && finished !== told.current;
    if (finished !== null || told.current === undefined) told.current = finished;
    if (!isNews || newest === undefined) return;
    if (newest.status === 'cancelled') notify(t('jobs.cancelled'));
    if (newest.status !== 'completed' || newest.problems.length > 0) return;
    const { action, changed, unchanged } = newest;
    const done = t(`jobs.${action}Done`, { count: changed, defaultValue: '' });
    const already = t(`jobs.${action}Already`, { number: formats.number(unchanged), defaultValue: '' });
    if (done !== '') notify(unchanged > 0 ? `${done} ${already}`.trim() : done);
  }, [isRead, finished, newest, t, formats]);
  return (
    <Loaded query={jobs} isBrief>
      {({ data: [job] }) =>
        job &&
        (isDraft || job.action !== 'consign') && (
          <div>
            <Job job={job} />
            <CancelBulk job={job}>{t('jobs.cancelText')}</CancelBulk>
          </div>
        )
      }
    </Loaded>
  );
}

function Job({ job }: { job: Schemas['BulkJob'] }) {
  const { t } = useTranslation('consignments');
  const formats = useFormats();
  const inWords = useRefusalWords();
  const whyFailed = useFailureWords();
  if (OPEN.has(job.status)) {
    const { done, total } = job.progress;
    return (
      <Stack gap={6} role="status">
        <Text size="sm">
          {job.cancelRequestedAt === null
            ? t(`jobs.${job.action}`, { done: formats.number(done), defaultValue: '' })
            : t('jobs.cancelling')}
        </Text>
        <Progress
          aria-label={t('progress')}
          value={total === null || total === 0 ? 5 : (100 * done) / total}
          animated
        />
      </Stack>
    );
  }
  // Of one that was cancelled nobody asks why it did nothing.
  if (job.status === 'cancelled' || (job.problems.length === 0 && job.error === null)) return null;
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title={t('refusedTitle')}>
      <Text size="sm" mb="xs">
        {job.problems.length > 0
          ? t('refusedText', { count: job.refused, shown: job.problems.length })
          : whyFailed(job.error!)}
      </Text>
      {job.problems.length > 0 && (
        <Table aria-label={t('refusedTitle')} fz="sm" className="compact">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('line')}</Table.Th>
              <Table.Th>{t('named')}</Table.Th>
              <Table.Th>{t('why')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {job.problems.map(({ line, ref, ...refusal }, index) => (
              <Table.Tr key={index}>
                <Table.Td className="num">{line ?? '–'}</Table.Td>
                <Table.Td className="mono" style={{ overflowWrap: 'break-word' }}>
                  {ref}
                </Table.Td>
                <Table.Td>{inWords(refusal)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Alert>
  );
}
