import { Alert, Anchor, Button, Paper, Stack } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Facts } from '../../components/facts.tsx';
import { orNotify } from '../../components/notify.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { ErrorAlert, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useNameOf } from '../../components/found-source.ts';
import { AsConsumersSee } from './as-consumers-see.tsx';
import { Counting, Preview, reachOf, usePreview, usePreviewFailure } from './preview.tsx';
import { RecallBadge, stateOf, targetBody, TargetName, type Recall } from './target.tsx';

export function Screen() {
  const { id = '' } = useParams({ strict: false });
  const recall = useApi('/api/v1/recalls/{id}', { path: { id } });
  return (
    <Loaded query={recall} isScreen>
      {(current) => <Sheet recall={current} />}
    </Loaded>
  );
}

/** The verification page of one of the units, to look at; not known for a product. */
function usePageOf({ scope, targetId }: Recall) {
  const own = useApi('/api/v1/product-units/{id}', { path: { id: targetId } }, { enabled: scope === 'unit' });
  const ofBatch = useApi(
    '/api/v1/product-units',
    { query: { batchId: targetId, limit: 1 } },
    { enabled: scope === 'batch' },
  );
  const ofConsignment = useApi(
    '/api/v1/consignments/{id}/units',
    { path: { id: targetId }, query: { limit: 1 } },
    { enabled: scope === 'consignment' },
  );
  const unitId = ofConsignment.data?.data[0]?.id;
  const shipped = useApi(
    '/api/v1/product-units/{id}',
    { path: { id: unitId ?? '' } },
    { enabled: scope === 'consignment' && unitId !== undefined },
  );
  const unit = {
    unit: own.data,
    batch: ofBatch.data?.data[0],
    consignment: shipped.data,
    product: undefined,
  };
  const failed = [own, ofBatch, ofConsignment, shipped].find(({ isError }) => isError);
  return { pageUrl: unit[scope]?.verifyUrl, failed };
}

const LEADS = { planned: 'plannedLead', inForce: 'forceLead', lifted: 'liftedLead' } as const;

function Sheet({ recall }: { recall: Recall }) {
  const { t } = useTranslation('recalls');
  const mayWrite = useMay('product_units.write');
  const { id, scope, targetId, liftedAt } = recall;
  const state = stateOf(recall);
  const [isAsking, setAsking] = useState(false);
  const [jobId, setJobId] = useState<string | null>(null);
  const { pageUrl, failed } = usePageOf(recall);
  const hit = useNameOf(targetId);
  const counted = usePreview(jobId);
  const jobFailure = usePreviewFailure()(counted.data);
  const units = reachOf(counted.data)?.units;
  const count = useChange(async () => {
    const job = await api.post('/api/v1/recall-previews', { body: targetBody(scope, targetId) });
    setJobId(job.id);
  });
  const failure = count.error ?? counted.error;
  // Calling off what is planned changes no unit.
  const isCounted = state !== 'planned';
  const isCounting = isCounted && units === undefined && failure === null && jobFailure === null;
  const lift = useChange(
    () => api.post('/api/v1/recalls/{id}/lift', { path: { id } }),
    ['/api/v1/recalls', '/api/v1/consignments', '/api/v1/batches', '/api/v1/product-units'],
  );
  const ask = () => {
    setAsking(true);
    if (isCounted && jobId === null) count.mutate(undefined);
  };
  return (
    <>
      <PageHeader
        title={t('recallOf', { name: hit === null ? targetId : (hit?.title ?? '…') })}
        badge={<RecallBadge recall={recall} />}
        description={t(LEADS[state])}
        parents={[{ label: t('title'), to: '/recalls' }]}
        actions={
          mayWrite && (
            <>
              <Button
                variant="default"
                loading={count.isPending}
                onClick={() => orNotify(count.mutateAsync(undefined))}
              >
                {t('count')}
              </Button>
              {liftedAt === null && (
                <Button
                  component={Link}
                  to={`/recalls/${id}/edit`}
                  variant="default"
                  leftSection={<IconPencil size={16} aria-hidden />}
                >
                  {t('edit', { ns: 'common' })}
                </Button>
              )}
              {liftedAt === null && <Button onClick={ask}>{t('lift')}</Button>}
            </>
          )
        }
      />
      <Stack maw={860}>
        <Paper p="lg">
          <Facts
            facts={[
              { label: t('target'), value: <TargetName scope={scope} id={targetId} isLink /> },
              { label: t('reason'), value: recall.reason && <bdi>{recall.reason}</bdi> },
              { label: t(state === 'planned' ? 'begins' : 'starts'), value: <Time at={recall.startsAt} /> },
              { label: t('lifted'), value: liftedAt && <Time at={liftedAt} /> },
              { label: t('contact'), value: recall.contact },
              { label: t('id'), value: <ShortId id={id} /> },
            ]}
          />
        </Paper>
        {jobId !== null && <Preview jobId={jobId} />}
        {failed?.error && <ErrorAlert error={failed.error} retry={() => void failed.refetch()} />}
        <AsConsumersSee
          messages={recall.messages}
          contact={recall.contact}
          pageUrl={pageUrl}
          isOver={state === 'lifted'}
        />
      </Stack>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('liftTitle')}
        action={t('lift')}
        onConfirm={() => lift.mutateAsync(undefined)}
        done={t('liftDone')}
        isReady={!isCounting}
      >
        {!isCounted && t('liftTextPlanned')}
        {/* One and the same, so that what was counted is told as the way there is. */}
        <div role="status">
          {isCounted && units !== undefined && t('liftText', { count: units })}
          {isCounting && <Counting done={counted.data?.progress.done} />}
        </div>
        {isCounted && units === undefined && !isCounting && (
          <Stack>
            {failure === null ? (
              <Alert color="red">
                {jobFailure}{' '}
                <Anchor component="button" type="button" inherit onClick={() => count.mutate(undefined)}>
                  {t('tryAgain', { ns: 'common' })}
                </Anchor>
              </Alert>
            ) : (
              <ErrorAlert error={failure} retry={() => count.mutate(undefined)} />
            )}
            {t('liftTextUncounted')}
          </Stack>
        )}
      </Confirm>
    </>
  );
}
