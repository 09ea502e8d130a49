import { Alert, Box, List, Progress, Text } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconCircleCheck, IconLoader2 } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/errors.ts';
import { useFailureWords } from '../../api/failures.ts';
import { useRefusalWords } from '../../api/refusals.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi } from '../../api/use-api.ts';
import { CancelBulk } from '../../components/cancel-bulk.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { useFormats } from '../../i18n/format.ts';

/** What the service asks for in `Retry-After`. */
const POLL_MS = 1_000;
const SHOWN_PROBLEMS = 5;
/** As of a badge that warns: Mantine's own yellow is too pale to be read on its ground. */
const WARNING_INK = 'light-dark(#7a4b00, #ffd479)';

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
      predicate: ({ queryKey }) => /\/(?:batches|product-units|recalls)/.test(String(queryKey[0])),
    });
  }, [isFinished, client]);
  if (job.data === undefined && job.error !== null) {
    // Of an address that was mistyped, or is older than its job: asked again, what is not there is not there.
    const isNowhere = job.error instanceof ApiError && job.error.code === 'NOT_FOUND';
    return (
      <Box mb="md">
        <ErrorAlert
          error={job.error}
          onClose={onClose}
          {...(isNowhere ? {} : { retry: () => void job.refetch() })}
        />
      </Box>
    );
  }
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
  const isFinished = !isOpen(job);
  const { action, progress, changed, unchanged, refused, problems, error } = job;
  const words = (key: string, count: number) => t(key, { count });
  const isFailed = isFinished && error !== null;
  const isCancelled = job.status === 'cancelled';
  const isOdd = isFailed || (isFinished && refused > 0);
  const Icon = isOdd ? IconAlertTriangle : isCancelled ? IconBan : isFinished ? IconCircleCheck : IconLoader2;
  // Only what a consignment got is taken back before the job ends.
  const doing = job.cancelRequestedAt !== null && action === 'consign' ? 'cancelling' : 'running';
  const counts = t('bulk.progress', formats.progress(progress.done, progress.total));
  const did = isCancelled
    ? 'cancelled'
    : refused > 0 && changed + unchanged === 0
      ? 'nothingChanged'
      : `${action}.done`;
  return (
    <Alert
      mb="md"
      variant="light"
      color={isFailed ? 'red' : isOdd ? 'yellow' : isCancelled ? 'gray' : isFinished ? 'green' : 'blue'}
      icon={<Icon aria-hidden />}
      title={t(`bulk.${isFailed ? 'failed' : isFinished ? did : `${action}.${doing}`}`)}
      role="status"
      {...(isOdd && !isFailed ? { styles: { title: { color: WARNING_INK } } } : {})}
      {...(isFinished
        ? { withCloseButton: true, onClose, closeButtonLabel: t('close', { ns: 'common' }) }
        : {})}
    >
      {!isFinished && (
        <Progress
          value={progress.total ? (progress.done / progress.total) * 100 : 0}
          aria-label={t(`bulk.${action}.${doing}`)}
          mb={6}
        />
      )}
      <Text size="sm">
        {isFinished && action !== 'preview-recall'
          ? [
              words('bulk.changed', changed),
              ...(unchanged > 0 ? [words('bulk.unchanged', unchanged)] : []),
              ...(refused > 0 ? [words('bulk.refused', refused)] : []),
              ...(isCancelled && progress.total !== null ? [counts] : []),
            ].join(' · ')
          : counts}
      </Text>
      {error !== null && <Text size="sm">{failureInWords(error)}</Text>}
      {problems.length > 0 && <Problems problems={problems} refused={refused} />}
      <CancelBulk job={job}>
        {t(action === 'consign' ? 'bulk.consign.cancelText' : 'bulk.cancelText')}
      </CancelBulk>
    </Alert>
  );
}

/** Why units were refused: of the first few at once, of all that the service names where somebody opens them. */
function Problems({ problems, refused }: Pick<Schemas['BulkJob'], 'problems' | 'refused'>) {
  const { t } = useTranslation('batches');
  const inWords = useRefusalWords();
  const listed = (some: typeof problems) => (
    <List size="xs" mt={4}>
      {some.map(({ ref, ...refusal }) => (
        <List.Item key={`${refusal.line} ${ref}`}>
          <bdi className="mono">{ref}</bdi>: {inWords(refusal)}
        </List.Item>
      ))}
    </List>
  );
  const further = problems.slice(SHOWN_PROBLEMS);
  const unnamed = refused - problems.length;
  return (
    <>
      {listed(problems.slice(0, SHOWN_PROBLEMS))}
      {further.length > 0 && (
        <Text component="details" size="xs" mt={4}>
          <summary>{t('bulk.more', { count: further.length + unnamed })}</summary>
          {listed(further)}
          {unnamed > 0 && t('bulk.more', { count: unnamed })}
        </Text>
      )}
    </>
  );
}
