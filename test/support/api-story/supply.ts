/** The story of supply: units, consignments, recalls. */
import { expect } from 'chai';
import { decodeId } from '../../../shared/ids.ts';
import { runBulkJobs } from '../../../workers/run-bulk-jobs/processor.ts';
import type { TestApi } from '../api.ts';
import type { Goods } from './products.ts';
import type { Storyteller } from './storyteller.ts';

async function runBulk(api: TestApi, id: string) {
  const turn = runBulkJobs(api.workerDeps);
  for (let did = 'turn'; did === 'turn';) ({ did } = await turn({ jobId: decodeId('bulk', id)! }));
}

export async function tellOfUnits({ api, run }: Storyteller, { units, batch }: Goods) {
  await run('suspendUnit', units[4].id);
  await run('consumeUnit', units[4].id, {});
  await run('unconsumeUnit', units[4].id);
  await run('activateUnit', units[4].id);
  await run('recallUnit', units[4].id, { reason: 'Leaking', messages: { en: 'Do not use it.' } });
  await run('liftUnitRecall', units[4].id);
  await run('recallBatch', batch.id, { reason: 'Wrong label', messages: { en: 'Please return it.' } });
  await run('liftBatchRecall', batch.id);
  const bulk = await run('bulkUnits', undefined, { action: 'activate', batchId: batch.id });
  await runBulk(api, bulk.id);
  await run('getBulkJob', bulk.id);
  await run('listBulkJobs', undefined, undefined, { query: { status: 'completed' } });
  const unwanted = await run('bulkUnits', undefined, { action: 'suspend', unitIds: [units[4].id] });
  await run('cancelBulkJob', unwanted.id);
  const { serial, token } = units[4];
  const { productId } = batch;
  await run('bulkUnits', undefined, { action: 'lift-recall', productId, serials: [serial] });
  await run('bulkUnits', undefined, { action: 'lift-recall', codes: [token] });
  await run('bulkUnits', undefined, `code\n${token}\n`, {
    type: 'text/csv',
    query: { action: 'lift-recall', by: 'code' },
  });
  const spare = await run('createBatch', undefined, { productId: batch.productId, quantity: 1 });
  const minting = await run('startBarcodeJob', spare.id);
  await api.runJob(minting.id);
  const minted = await run('listUnits', undefined, undefined, { query: { batchId: spare.id } });
  await run('voidUnit', minted.data[0].id);
  await run('getUnitTimeline', units[4].id);
  await run('listEpcisEvents', undefined, undefined, { query: { perPage: '2' } });
  await run('getAttention');
  await run('search', undefined, undefined, { query: { q: 'azeite' } });
  return { bulkId: bulk.id as string };
}

export async function tellOfConsignments({ api, run, client }: Storyteller, { units }: Goods) {
  const party = { name: 'Feinkost Schmidt', address: 'Hauptstraße 1, Berlin', country: 'DE' };
  const make = async (unitIds: string[]) => {
    const made = await run('createConsignment', undefined, {
      reference: 'PO-4711',
      destination: party,
      expectedMarkets: ['DE'],
      references: [{ type: 'purchase order', value: '4711' }],
      units: { unitIds },
    });
    const jobs = await run('listBulkJobs', undefined, undefined, { query: { consignmentId: made.id } });
    await runBulk(api, jobs.data[0].id);
    return made.id as string;
  };
  const id = await make([units[0].id]);
  const more = await run('addConsignmentUnits', id, { unitIds: [units[1].id] });
  await runBulk(api, more.id);
  await run('correctConsignment', id, {
    expectedMarkets: ['DE', 'AT'],
    expected: { expectedMarkets: ['DE'] },
  });
  await run('listConsignments', undefined, undefined, { query: { status: 'draft' } });
  await run('listConsignmentUnits', id);
  const dispatched = await run('dispatchConsignment', id, { activateUnits: true, linkDays: 30 });
  await run('getConsignment', id);
  const renewed = await run('renewConsignmentLink', id, { linkDays: 14 });
  expect(renewed.receiveUrl).to.not.equal(dispatched.receiveUrl);
  const link = { token: new URL(renewed.receiveUrl as string).pathname.split('/')[2]! };
  await client.call('viewConsignment', { ids: link });
  await client.call('viewConsignment', {
    ids: link,
    query: { lang: 'de' },
    headers: { accept: 'text/html' },
  });
  await client.call('receiveByLink', {
    ids: link,
    body: { name: 'Jonas Schmidt', damaged: [units[1].serial], note: 'One box was wet' },
  });
  await run('recallConsignment', id, { reason: 'Wet boxes' });
  await run('liftConsignmentRecall', id);
  const second = await make([units[2].id]);
  await run('dispatchConsignment', second);
  await run('revokeConsignmentLink', second);
  await run('receiveConsignment', second, { receivedCount: 1, name: 'Warehouse' });
  const third = await make([units[3].id]);
  await run('cancelConsignment', third);
  return { consignmentId: id, linkToken: link.token };
}

export async function tellOfRecalls({ api, run }: Storyteller, { batch }: Goods) {
  const preview = await run('previewRecall', undefined, { batchId: batch.id });
  await runBulk(api, preview.id);
  await run('getBulkJob', preview.id);
  const recall = await run('createRecall', undefined, {
    batchId: batch.id,
    reason: 'Wrong label',
    messages: { en: 'Please return it to the shop.', de: 'Bitte bringen Sie es zurück.' },
    contact: 'help@oliveira.example',
  });
  await run('listRecalls', undefined, undefined, { query: { inForce: 'true' } });
  await run('getRecall', recall.id);
  await run('correctRecall', recall.id, {
    messages: {
      en: 'Please return it to the shop, unopened.',
      de: 'Bitte bringen Sie es ungeöffnet zurück.',
    },
  });
  await run('liftRecall', recall.id);
  return { recallId: recall.id as string };
}
