import { Anchor, Button, Code, Paper, Stack } from '@mantine/core';
import { IconBan, IconRefresh } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFormats } from '../../i18n/format.ts';
import { batchName } from '../batches/columns.tsx';
import { Downloads } from './downloads.tsx';
import { JobProgress } from './job-progress.tsx';
import { isOpen, JobStatus } from './job-status.tsx';
import { NextStep } from './next-step.tsx';
import { sheetName, SYMBOLOGIES } from './symbologies.ts';

/** What the service asks for in `Retry-After`. */
const POLL_MS = 1_000;

export function Screen() {
  const { id = '' } = useParams({ strict: false });
  const job = useApi(
    '/api/v1/barcode-jobs/{id}',
    { path: { id } },
    { refetchInterval: ({ state }) => (isOpen(state.data) ? POLL_MS : false) },
  );
  return (
    <Loaded query={job} isScreen>
      {(current) => <Job job={current} readAt={job.dataUpdatedAt} />}
    </Loaded>
  );
}

function Job({ job, readAt }: { job: Schemas['BarcodeJob']; readAt: number }) {
  const { t } = useTranslation('minting');
  const formats = useFormats();
  const mayMint = useMay('barcodes.generate');
  const [isAsking, setAsking] = useState(false);
  const path = { id: job.id };
  const stale = ['/api/v1/barcode-jobs', '/api/v1/batches'];
  const cancel = useChange(() => api.post('/api/v1/barcode-jobs/{id}/cancel', { path }), stale);
  const retry = useChange(() => api.post('/api/v1/barcode-jobs/{id}/retry', { path }), stale);
  const left = job.progress.total - job.progress.done;
  return (
    <>
      <PageHeader
        title={batchName(job)}
        badge={<JobStatus status={job.status} />}
        parents={[
          { label: t('title'), to: '/minting' },
          { label: job.lot ?? t('batch'), to: `/batches/${job.batchId}` },
        ]}
        actions={
          mayMint && (
            <>
              {isOpen(job) && (
                <Button
                  variant="default"
                  leftSection={<IconBan size={16} aria-hidden />}
                  onClick={() => setAsking(true)}
                >
                  {t('cancelJob')}
                </Button>
              )}
              {job.status === 'failed' && (
                <Button
                  leftSection={<IconRefresh size={16} aria-hidden />}
                  loading={retry.isPending}
                  onClick={() => retry.mutate(undefined)}
                >
                  {t('retry')}
                </Button>
              )}
            </>
          )
        }
      />
      <Stack>
        <JobProgress job={job} readAt={readAt} failure={retry.error} />
        <Downloads job={job} />
        <NextStep job={job} />
        <Paper p="lg">
          <Facts
            facts={[
              {
                label: t('batch'),
                value: (
                  <Anchor component={Link} to={`/batches/${job.batchId}`}>
                    {batchName(job)}
                  </Anchor>
                ),
              },
              { label: t('symbology'), value: SYMBOLOGIES[job.symbology].name },
              { label: t('formats'), value: job.formats.map((name) => name.toUpperCase()).join(', ') },
              {
                label: t('look'),
                value: [
                  t('pixelsAModule', { count: job.scale }),
                  ...(job.dpi === null ? [] : [`${job.dpi} dpi`]),
                  ...(job.errorCorrection === null ? [] : [`${t('errorCorrection')} ${job.errorCorrection}`]),
                ].join(' · '),
              },
              { label: t('theSerials'), value: t(`serials.${job.serials.source}`) },
              ...(job.sheet === null
                ? []
                : [
                    {
                      label: t('theSheet'),
                      value:
                        typeof job.sheet.layout === 'string'
                          ? sheetName(job.sheet.layout, formats.number)
                          : t('ownSheet'),
                    },
                  ]),
              { label: t('activate'), value: job.activate ? t('yes') : t('no') },
              { label: t('created'), value: <Time at={job.createdAt} /> },
              { label: t('finished'), value: job.finishedAt && <Time at={job.finishedAt} /> },
              { label: t('id'), value: <ShortId id={job.id} /> },
            ]}
          />
        </Paper>
      </Stack>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('cancelTitle')}
        action={t('cancelJob')}
        isDangerous
        onConfirm={() => cancel.mutateAsync(undefined)}
        done={t('cancelDone')}
      >
        {t('cancelText', { count: left })}{' '}
        <Code>{t('doneOf', formats.progress(job.progress.done, job.progress.total))}</Code>
      </Confirm>
    </>
  );
}
