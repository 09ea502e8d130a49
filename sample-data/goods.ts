/** Products, batches, and their units, minted by the worker's own code. */
import { startBarcodeJob, getBarcodeJob, cancelBarcodeJob } from '../shared/barcode-jobs/service.ts';
import { createBatch } from '../shared/batches/service.ts';
import { withTransaction } from '../shared/db.ts';
import { encodeId } from '../shared/ids.ts';
import { archiveProduct, createProduct } from '../shared/products/service.ts';
import { listUnits, moveUnit } from '../shared/units/service.ts';
import { tokenOf } from '../shared/units/token.ts';
import type { WorkerDeps } from '../workers/deps.ts';
import { mintBarcodes } from '../workers/mint-barcodes/processor.ts';
import { ARCHIVED_SKU, BRAND, CATALOGUE, type SampleBatch, type SampleProduct } from './catalogue.ts';
import type { Sample, Staff } from './deps.ts';
import { DAY, HOUR, MINUTE } from './time.ts';

export interface SampleUnit {
  id: string;
  serial: string;
  token: string;
  goods: Goods;
}

/** A batch with its units. */
export interface Goods {
  product: SampleProduct;
  batch: SampleBatch;
  productId: string;
  batchId: string;
  markets: string[];
  mintedAt: number;
  units: SampleUnit[];
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const LINKS = [
  {
    linkType: 'gs1:instructions',
    url: 'https://demo.example/care',
    title: 'How to use and keep it',
    language: 'en',
  },
  {
    linkType: 'gs1:instructions',
    url: 'https://demo.example/fr/conseils',
    title: 'Conseils d’utilisation',
    language: 'fr',
  },
];

export async function makeGoods(sample: Sample, staff: Staff): Promise<Goods[]> {
  const { deps, time, end, orgId } = sample;
  const goods: Goods[] = [];
  for (const [index, product] of CATALOGUE.entries()) {
    const { batches, ...fields } = product;
    const productId = await time.at(end - 37 * DAY + index * HOUR, () =>
      withTransaction(deps.db, async ({ db }) => {
        const row = await createProduct(deps, db, orgId, {
          ...fields,
          brand: BRAND,
          imageUrl: null,
          links: LINKS,
        });
        await sample.audit(db, staff.administrator, 'createProduct', encodeId('prod', row.id), {
          name: product.name,
          sku: product.sku,
        });
        return row.id;
      }),
    );
    for (const batch of batches) goods.push(await makeBatch(sample, staff, productId, product, batch));
    if (product.sku === ARCHIVED_SKU)
      await time.at(end - 20 * DAY, async () => {
        await archiveProduct(deps, deps.db, orgId, productId);
        await sample.audit(deps.db, staff.administrator, 'archiveProduct', encodeId('prod', productId), {
          status: 'archived',
        });
      });
  }
  return goods;
}

async function makeBatch(
  sample: Sample,
  staff: Staff,
  productId: string,
  product: SampleProduct,
  batch: SampleBatch,
): Promise<Goods> {
  const { deps, time, end, orgId } = sample;
  const mintedAt = end - batch.mintedDaysAgo * DAY + 9 * HOUR;
  const batchId = await time.at(mintedAt, () =>
    withTransaction(deps.db, async ({ db }) => {
      const row = await createBatch(deps, db, orgId, {
        productId,
        quantity: Math.max(20, Math.round(batch.quantity * sample.scale)),
        lot: batch.lot,
        manufacturedOn: dayOf(mintedAt),
        expiresOn: dayOf(mintedAt + 900 * DAY),
        markets: batch.markets,
        hiddenCodes: batch.hiddenCodes ?? false,
        nfcTags: batch.nfcTags ?? false,
      });
      await sample.audit(db, staff.administrator, 'createBatch', encodeId('batch', row.id), {
        lot: batch.lot,
        quantity: row.quantity,
      });
      return row.id;
    }),
  );
  const goods = { product, batch, productId, batchId, markets: batch.markets ?? product.markets, mintedAt };
  await runJob(sample, await startJob(sample, staff, goods, mintedAt + HOUR), mintedAt + HOUR + MINUTE);
  return { ...goods, units: await listAllUnits(sample, goods as Goods) };
}

async function startJob(
  { deps, time, orgId, audit }: Sample,
  staff: Staff,
  { batch, batchId }: Pick<Goods, 'batch' | 'batchId'>,
  at: number,
): Promise<string> {
  const jobDeps = { ...deps, chunkUnits: deps.config.MINT_CHUNK_UNITS, baseUrl: deps.config.PRINTED_URL };
  return time.at(at, () =>
    withTransaction(deps.db, async (uow) => {
      const job = await startBarcodeJob(jobDeps, uow, orgId, batchId, {
        symbology: batch.symbology,
        formats: ['png', 'pdf'],
        look: { scale: 4 },
        sheet: null,
        serials: { source: 'sequential', prefix: batch.lot, first: 1, digits: 5 },
        activate: true,
      });
      await audit(uow.db, staff.administrator, 'startBarcodeJob', encodeId('job', job.id), {
        symbology: batch.symbology,
        total: job.total,
      });
      return job.id;
    }),
  );
}

/** @throws Error where it did not end as it should */
async function runJob({ deps, time, orgId }: Sample, jobId: string, at: number): Promise<void> {
  const mint = mintBarcodes(deps);
  await time.at(at, async () => {
    for (let did = 'chunk'; did !== 'nothing';) ({ did } = await mint({ jobId, slot: 1 }));
    const { status } = await getBarcodeJob(deps.db, orgId, jobId);
    if (status !== 'completed') throw new Error(`a barcode job of the sample is ${status}`);
  });
}

async function listAllUnits({ deps, orgId }: Sample, goods: Goods): Promise<SampleUnit[]> {
  const units: SampleUnit[] = [];
  for (let beforeId: string | null = null; ;) {
    const page = await listUnits(deps.db, orgId, { batchId: goods.batchId }, { limit: 200, beforeId });
    for (const row of page.rows) {
      const token = tokenOf(deps.config.TOKEN_KEYS, row.code, row.token_key);
      units.push({ id: row.id, serial: row.serial, token, goods });
    }
    beforeId = page.nextBeforeId;
    if (beforeId === null) return units.sort((a, b) => a.serial.localeCompare(b.serial));
  }
}

/** A storage without room: what a job's failure looks like. */
const fullStorage = (storage: WorkerDeps['storage']): WorkerDeps['storage'] => ({
  ...storage,
  put: () => Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })),
});

/** Second jobs of batches: one that was called off, and one that failed for want of room, yesterday. */
export async function troubleJobs(sample: Sample, staff: Staff, goods: readonly Goods[]): Promise<void> {
  const { deps, time, orgId, end } = sample;
  const [first, second] = goods.toSorted((a, b) => b.mintedAt - a.mintedAt);
  const cancelled = await startJob(sample, staff, first!, end - 3 * DAY);
  await time.at(end - 3 * DAY + 5 * MINUTE, async () => {
    await cancelBarcodeJob(deps, deps.db, orgId, cancelled);
    await sample.audit(deps.db, staff.administrator, 'cancelBarcodeJob', encodeId('job', cancelled), {
      status: 'cancelled',
    });
  });
  const failing = await startJob(sample, staff, second!, end - 26 * HOUR);
  // Its failures are no news.
  const log = deps.log.child({}, { level: 'silent' });
  const mint = mintBarcodes({ ...deps, log, storage: fullStorage(deps.storage) });
  for (let minutes = 1; minutes <= 60; minutes += 2) {
    await time.at(end - 26 * HOUR + minutes * MINUTE, () => mint({ jobId: failing, slot: 1 }));
    if ((await getBarcodeJob(deps.db, orgId, failing)).status === 'failed') return;
  }
  throw new Error('the job that was to fail did not');
}

/** A few units that the retailer took from the shelf. */
export async function suspendUnits(
  sample: Sample,
  staff: Staff,
  goods: readonly Goods[],
): Promise<SampleUnit[]> {
  const { deps, time, orgId, end } = sample;
  const units = goods.find(({ batch }) => batch.lot === 'HB2607')!.units.slice(0, 4);
  for (const [index, unit] of units.entries()) {
    await time.at(end - 9 * DAY + index * MINUTE, () =>
      withTransaction(deps.db, async ({ db }) => {
        await moveUnit(deps, db, orgId, unit.id, 'suspended');
        await sample.audit(db, staff.analyst, 'suspendUnit', encodeId('unit', unit.id), {
          status: 'suspended',
        });
      }),
    );
  }
  return units;
}
