/** The story of products: batches, minting, codes, units. */
import { decodeId } from '../../../shared/ids.ts';
import { GTIN, type Storyteller } from './storyteller.ts';

export async function tellOfProducts({ api, run }: Storyteller) {
  const product = await run(
    'createProduct',
    undefined,
    {
      name: 'Azeite Virgem Extra 0,5 l',
      sku: 'AVE-500',
      gtin: GTIN,
      brand: 'Oliveira',
      description: 'From the northern slopes',
      imageUrl: 'https://oliveira.example/ave-500.jpg',
      markets: ['PT', 'DE'],
      attributes: { harvest: 2025 },
    },
    { headers: { 'Idempotency-Key': 'ave-500' } },
  );
  await run('listProducts', undefined, undefined, {
    query: { sku: 'AVE-500', archived: 'all', limit: '10' },
  });
  await run('getProduct', product.id);
  await run('updateProduct', product.id, {
    brand: 'Oliveira e Filhos',
    links: [
      {
        linkType: 'gs1:instructions',
        url: 'https://oliveira.example/usar',
        title: 'Como conservar',
        language: 'pt',
      },
      {
        linkType: 'gs1:dpp',
        url: 'https://passport.oliveira.example/AVE-500',
        title: 'Product passport',
        language: null,
      },
    ],
  });
  const other = await run('createProduct', undefined, { name: 'Azeite velho', sku: 'OLD' });
  await run('importProducts', undefined, 'sku,name,brand,markets\nAVE-750,Azeite 0.75 l,Oliveira,PT ES\n', {
    type: 'text/csv',
    query: { dryRun: 'true' },
  });
  await run('exportProducts', undefined, undefined, { query: { q: 'azeite', archived: 'all' } });
  await run('archiveProduct', other.id);
  await run('unarchiveProduct', other.id);
  const batch = await run('createBatch', undefined, {
    productId: product.id,
    quantity: 5,
    lot: 'L2025-11',
    manufacturedOn: '2025-11-20',
    expiresOn: '2027-11-20',
    hiddenCodes: true,
    nfcTags: true,
  });
  await run('listBatches', undefined, undefined, { query: { productId: product.id } });
  await run('getBatch', batch.id);
  await run('correctBatch', batch.id, { expiresOn: '2027-11-30', markets: null });
  await run('getBatchUnitCounts', batch.id);
  const uploaded = await run('createBatch', undefined, { productId: product.id, quantity: 2 });
  await run('uploadSerials', uploaded.id, 'serial\nA-1\nA-2\n', { type: 'text/csv' });
  const job = await run('startBarcodeJob', batch.id, {
    symbology: 'qr',
    formats: ['png', 'pdf'],
    sheet: { layout: 'a4-avery-l7160', fields: ['product', 'lot', 'expiry', 'serial'] },
    activate: true,
  });
  await api.runJob(job.id);
  await run('getBarcodeJob', job.id);
  await run('previewBarcode', undefined, { productId: product.id, symbology: 'qr' });
  await run('listBarcodeJobs', undefined, undefined, { query: { status: 'completed' } });
  await run('watchBarcodeJob', job.id);
  await run('watchBarcodeJob', job.id, undefined, { headers: { 'Last-Event-ID': 'end' }, status: 204 });
  const second = await run('startBarcodeJob', uploaded.id);
  await run('cancelBarcodeJob', second.id);
  const third = await run('startBarcodeJob', uploaded.id);
  await api.database.pool.query(`update barcode_jobs set status = 'failed', finished_at = $2 where id = $1`, [
    decodeId('job', third.id),
    api.clock.now(),
  ]);
  await run('retryBarcodeJob', third.id);
  await api.runJob(third.id);
  const units = await run('listUnits', undefined, undefined, {
    query: { batchId: batch.id, status: 'active', risk: 'clear' },
  });
  return { product, batch, uploaded, job, units: (units.data as any[]).toReversed() };
}

export type Goods = Awaited<ReturnType<typeof tellOfProducts>>;
