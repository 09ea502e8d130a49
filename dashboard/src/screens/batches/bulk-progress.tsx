import { Alert, List, Progress, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconLoader2 } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useFailureWords } from '../../api/failures.ts';
import { useRefusalWords } from '../../api/refusals.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';

/** What the service asks for in `Retry-After`. */
const POLL_MS = 1_000;
const SHOWN_PROBLEMS = 5;

const isOpen = (job: Schemas['BulkJob'] | undefined) => job?.finishedAt === null;

/** A bulk job while it works, and what it did. */
export function BulkProgress({ id, onClose }: { id: string; onClose: () => void }) {
  const client = useQueryClient();
  const job = useApi(
    '/api/v1/bulk-jobs/{id}',
    { path: { id } },
    { refetchInterval: ({ state }) => (isOpen(state.data) ? POLL_MS : false), staleTime: 0 },
  );
  const isFinished = job.data !== undefined && !isOpen(job.data);
  useEffect(() => {
    if (!isFinished) return;
    void client.invalidateQueries({
      predicate: ({ queryKey }) => /\/(?:batches|product-units)/.test(String(queryKey[0])),
    });
  }, [isFinished, client]);
  return (
    <Loaded query={job} isBrief>
      {(current) => <Bulk job={current} onClose={onClose} />}
    </Loaded>
  );
}

function Bulk({ job, onClose }: { job: Schemas['BulkJob']; onClose: () => void }) {
  const { t } = useTranslation('batches');
  const formats = useFormats();
  const failureInWords = useFailureWords();
  const refusalInWords = useRefusalWords();
  const isFinished = !isOpen(job);
  const { action, progress, changed, unchanged, refused, problems, error } = job;
  const words = (key: string, count: number) => t(key, { count });
  const isFailed = isFinished && error !== null;
  const Icon = isFailed ? IconAlertTriangle : isFinished ? IconCircleCheck : IconLoader2;
  return (
    <Alert
      mb="md"
      variant="light"
      color={isFailed ? 'red' : isFinished ? 'green' : 'blue'}
      icon={<Icon aria-hidden />}
      title={isFailed ? t('bulk.failed') : t(`bulk.${action}.${isFinished ? 'done' : 'running'}`)}
      role="status"
      {...(isFinished
        ? { withCloseButton: true, onClose, closeButtonLabel: t('close', { ns: 'common' }) }
        : {})}
    >
      {!isFinished && (
        <Progress
          value={progress.total ? (progress.done / progress.total) * 100 : 0}
          aria-label={t(`bulk.${action}.running`)}
          mb={6}
        />
      )}
      <Text size="sm">
        {isFinished
          ? [
              words('bulk.changed', changed),
              ...(unchanged > 0 ? [words('bulk.unchanged', unchanged)] : []),
              ...(refused > 0 ? [words('bulk.refused', refused)] : []),
            ].join(' · ')
          : t('bulk.progress', formats.progress(progress.done, progress.total))}
      </Text>
      {error !== null && <Text size="sm">{failureInWords(error)}</Text>}
      {problems.length > 0 && (
        <List size="xs" mt={4}>
          {problems.slice(0, SHOWN_PROBLEMS).map(({ ref, ...refusal }) => (
            <List.Item key={ref}>
              <span className="mono">{ref}</span>: {refusalInWords(refusal)}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
