import { Anchor, Button, Paper, Stack } from '@mantine/core';
import { IconPencil, IconQrcode } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi } from '../../api/use-api.ts';
import { useMay } from '../../auth/me.ts';
import { Facts } from '../../components/facts.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RecallLink } from '../../components/recall-link.tsx';
import { RelatedList } from '../../components/related-list.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { useFormats } from '../../i18n/format.ts';
import { useJobColumns } from '../minting/columns.tsx';
import { Markets } from '../products/markets.tsx';
import { RecentScans } from '../units/recent-scans.tsx';
import { BatchState } from './batch-state.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import { batchName } from './columns.tsx';
import { UnitCounts } from './unit-counts.tsx';

const POLL_MS = 3_000;
/** Units in their states are counted one by one. */
const COUNT_MS = 10_000;

const totalOf = (counts: Schemas['UnitCounts']): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

export function Screen() {
  const { id = '' } = useParams({ strict: false });
  const batch = useApi(
    '/api/v1/batches/{id}',
    { path: { id } },
    // Only while it may be in the making.
    {
      refetchInterval: ({ state }) =>
        state.data && state.data.mintedCount < state.data.quantity ? POLL_MS : false,
    },
  );
  return (
    <Loaded query={batch} isScreen>
      {(current) => <Batch batch={current} />}
    </Loaded>
  );
}

function Batch({ batch }: { batch: Schemas['Batch'] }) {
  const { t } = useTranslation('batches');
  const { t: mintingText } = useTranslation('minting');
  const formats = useFormats();
  const mayMint = useMay('barcodes.generate');
  const maySeeScans = useMay('scans.read');
  const mayMove = useMay('product_units.write');
  const mayCorrect = useMay('batches.write');
  const [{ bulk }, setFilters] = useFilters();
  const countMs = batch.mintedCount < batch.quantity ? COUNT_MS : POLL_MS;
  const counts = useApi(
    '/api/v1/batches/{id}/unit-counts',
    { path: { id: batch.id } },
    // Units were minted since.
    {
      refetchInterval: ({ state: { data } }) =>
        data !== undefined && totalOf(data) < batch.mintedCount ? countMs : false,
    },
  );
  const columns = useJobColumns('batch');
  return (
    <>
      <PageHeader
        title={batchName(batch)}
        badge={<BatchState batch={batch} />}
        parents={[
          { label: t('title'), to: '/batches' },
          { label: batch.productName, to: `/products/${batch.productId}` },
        ]}
        actions={
          <>
            {mayMove && batch.mintedCount > 0 && (
              <BulkActions
                batchId={batch.id}
                counts={counts.data}
                onStarted={(jobId) => setFilters({ bulk: jobId })}
              />
            )}
            {batch.mintedCount > 0 && batch.recall === null && <RecallLink target={batch.id} />}
            {mayCorrect && (
              <Button
                component={Link}
                to={`/batches/${batch.id}/edit`}
                variant="default"
                leftSection={<IconPencil size={16} aria-hidden />}
              >
                {t('edit', { ns: 'common' })}
              </Button>
            )}
            {mayMint && (
              <Button
                component={Link}
                to="/minting/new"
                search={{ batchId: batch.id } as never}
                leftSection={<IconQrcode size={16} aria-hidden />}
              >
                {batch.mintedCount === 0 ? t('mint') : t('renderAgain')}
              </Button>
            )}
          </>
        }
      />
      {bulk !== undefined && (
        <BulkProgress key={bulk} id={bulk} onClose={() => setFilters({ bulk: undefined })} />
      )}
      <Stack>
        <Paper p="lg">
          <Facts
            facts={[
              {
                label: t('product'),
                value: (
                  <Anchor component={Link} to={`/products/${batch.productId}`}>
                    {batch.productName}
                  </Anchor>
                ),
              },
              { label: t('lot'), value: batch.lot && <span className="mono">{batch.lot}</span> },
              ...(batch.formerLots.length === 0
                ? []
                : [{ label: t('formerLots'), value: formats.list(batch.formerLots) }]),
              {
                label: t('units'),
                value: t('mintedOf', {
                  minted: formats.number(batch.mintedCount),
                  quantity: formats.number(batch.quantity),
                }),
              },
              {
                label: t('markets'),
                value: batch.markets === null ? t('asProduct') : <Markets codes={batch.markets} />,
              },
              ...(batch.hiddenCodes ? [{ label: t('hiddenCodes'), value: t('hiddenCodesYes') }] : []),
              ...(batch.nfcTags ? [{ label: t('nfcTags'), value: t('nfcTagsYes') }] : []),
              {
                label: t('manufacturedOn'),
                value: batch.manufacturedOn && formats.calendarDay(batch.manufacturedOn),
              },
              { label: t('expiresOn'), value: batch.expiresOn && formats.calendarDay(batch.expiresOn) },
              { label: t('created'), value: <Time at={batch.createdAt} /> },
              { label: t('id'), value: <ShortId id={batch.id} /> },
              ...(batch.recall === null
                ? []
                : [
                    { label: t('recalledAt'), value: <Time at={batch.recall.recalledAt} /> },
                    { label: t('recallReason'), value: batch.recall.reason },
                  ]),
            ]}
          />
        </Paper>
        {batch.mintedCount > 0 && <UnitCounts batchId={batch.id} query={counts} />}
        <RelatedList
          title={mintingText('title')}
          path="/api/v1/barcode-jobs"
          query={{ batchId: batch.id }}
          columns={columns}
          linkTo={(job) => `/minting/${job.id}`}
          empty={t('noJobs')}
          more={{ label: t('allJobs'), to: '/minting', search: { batchId: batch.id } }}
          refreshMs={POLL_MS}
        />
        {maySeeScans && batch.mintedCount > 0 && <RecentScans of={{ batchId: batch.id }} />}
      </Stack>
    </>
  );
}
