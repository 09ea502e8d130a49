/** The story of verification: scans of printed codes, their list, exports and figures. */
import { expect } from 'chai';
import { hiddenCodeOf } from '../../../shared/hidden-codes/hidden-code.ts';
import { decodeId } from '../../../shared/ids.ts';
import { tagKeysOf } from '../../../shared/nfc/tag-keys.ts';
import { nonceKey, positionNonce } from '../../../shared/scans/position.ts';
import { rollUp } from '../../../shared/analytics/service.ts';
import { parseToken } from '../../../shared/units/token.ts';
import { exportScans } from '../../../workers/export-scans/processor.ts';
import { exportUnits } from '../../../workers/export-units/processor.ts';
import type { Answer } from '../document-client.ts';
import { createTag } from '../nfc-tag.ts';
import { ADDRESSES } from '../places.ts';
import type { Goods } from './products.ts';
import { GTIN, from, type Storyteller } from './storyteller.ts';

export async function tellOfVerification({ api, run, client, key }: Storyteller, { units, product }: Goods) {
  const [unit] = units;
  const anywhere = { token: unit.token as string };
  await run('getUnit', unit.id);
  await run('getUnitBarcodePng', unit.id, undefined, { query: { scale: '3', text: 'true' } });
  const svg = await client.call('getUnitBarcodeSvg', { as: key, ids: { id: unit.id } });
  const etag = svg.headers.get('etag')!;
  await run('getUnitBarcodeSvg', unit.id, undefined, {
    headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=60' },
    status: 304,
  });
  const keys = api.deps.config.TOKEN_KEYS;
  const code = parseToken(keys, unit.token as string)!;
  const tag = createTag(tagKeysOf(keys, code, keys[0].id).read);
  const tap = Object.fromEntries(new URLSearchParams(tag.tap()));
  const scan = await client.call('verify', { ids: anywhere, query: tap, headers: from(ADDRESSES.DE) });
  expect(scan.body).to.deep.include({
    result: 'genuine',
    nfcTap: { outcome: 'fresh', counter: 1, staleSince: null },
  });
  const page = { accept: 'text/html', 'accept-language': 'de' };
  await client.call('verify', { ids: anywhere, query: { lang: 'pt' }, headers: page });
  await client.call('verify', { ids: { token: 'NOSUCHCODE' }, status: 404 });
  const positionOf = (answer: Answer) => ({
    nonce: positionNonce(nonceKey(api.deps.config.API_KEY_PEPPER), decodeId('scan', answer.body.scanId)!),
    lat: 52.518,
    lon: 13.405,
    accuracyM: 40,
  });
  await client.call('addPosition', { ids: anywhere, body: positionOf(scan) });
  const link = { gtin: GTIN, serial: unit.serial as string };
  const lot = unit.lot as string;
  const byLink = await client.call('verifyBySerial', { ids: link, headers: from(ADDRESSES.DE) });
  await client.call('verifyBySerial', { ids: link, query: { linkType: 'linkset' } });
  await client.call('verifyBySerial', { ids: link, query: { linkType: 'gs1:pip' }, status: 307 });
  await client.call('verifyBySerial', { ids: link, headers: page });
  const byLot = await client.call('verifyByLotAndSerial', { ids: { ...link, lot } });
  await client.call('addPositionBySerial', { ids: link, body: positionOf(byLink) });
  await client.call('addPositionByLotAndSerial', { ids: { ...link, lot }, body: positionOf(byLot) });
  const description = 'The cap was open';
  await client.call('reportBySerial', { ids: link, body: { description } });
  await client.call('reportByLotAndSerial', { ids: { ...link, lot }, body: { description: 'No seal' } });
  const hiddenCode = hiddenCodeOf(keys, code, keys[0].id);
  await client.call('checkHiddenCode', { ids: anywhere, body: { hiddenCode }, headers: from(ADDRESSES.DE) });
  await client.call('checkHiddenCodeBySerial', { ids: link, body: { hiddenCode: '0000-0000' } });
  await client.call('checkHiddenCodeByLotAndSerial', { ids: { ...link, lot }, body: { hiddenCode } });
  await client.call('verifyByVariantAndSerial', { ids: { ...link, variant: 'A' } });
  await client.call('verifyByVariantLotAndSerial', { ids: { ...link, lot, variant: 'A' } });
  await client.call('resolveGtin', { ids: { gtin: GTIN } });
  await client.call('resolveGtin', { ids: { gtin: GTIN }, query: { linkType: 'linkset' } });
  await client.call('resolveGtin', {
    ids: { gtin: GTIN },
    query: { linkType: 'gs1:instructions' },
    status: 307,
  });
  await client.call('resolveGtin', { ids: { gtin: '04012345123456' }, status: 404 });
  await client.call('resolveLot', { ids: { gtin: GTIN, lot } });
  await client.call('resolveLot', { ids: { gtin: GTIN, lot }, headers: page });
  await client.call('resolveVariant', { ids: { gtin: GTIN, variant: 'A' } });
  await client.call('resolveVariantAndLot', { ids: { gtin: GTIN, variant: 'A', lot } });
  await client.call('resolveThirdPartySerial', { ids: { gtin: GTIN, thirdPartySerial: 'T-1' } });
  await client.call('gs1Resolver');
  // A copied code: Berlin and Tokyo within minutes, by many hands.
  for (const address of [ADDRESSES.JP, ADDRESSES.US, ADDRESSES.BR]) {
    api.clock.advance(60_000);
    await client.call('verify', { ids: { token: units[1].token }, headers: from(address) });
  }
  await api.score();
  api.clock.advance(1_000);
  const scans = await run('listScans', undefined, undefined, { query: { unitId: unit.id, limit: '5' } });
  await run('getScan', scans.data[0].id);
  const made = await run('startScanExport', undefined, { format: 'ndjson', unitId: unit.id });
  await exportScans(api.workerDeps)({ exportId: decodeId('exp', made.id)! });
  await run('getScanExport', made.id);
  await run('listScanExports');
  const off = await run('startScanExport', undefined, { format: 'csv' });
  await run('cancelScanExport', off.id);
  const listed = await run('startUnitExport', undefined, { status: 'active', batchId: unit.batchId });
  await exportUnits(api.workerDeps)({ exportId: decodeId('uexp', listed.id)! });
  await run('getUnitExport', listed.id);
  await run('listUnitExports');
  const unwanted = await run('startUnitExport', undefined, { format: 'ndjson' });
  await run('cancelUnitExport', unwanted.id);
  await rollUp(api.deps.db);
  const range = { from: '2026-05-01T00:00:00Z', to: '2026-07-01T00:00:00Z' };
  await run('analyticsSummary', undefined, undefined, { query: range });
  for (const by of ['product', 'country', 'result'])
    await run('analyticsTimeseries', undefined, undefined, {
      query: { ...range, by, interval: 'week', timeZone: 'Europe/Lisbon' },
    });
  for (const by of ['country', 'cell'])
    await run('analyticsMap', undefined, undefined, { query: { ...range, by } });
  await run('analyticsFunnel', undefined, undefined, { query: { ...range, productId: product.id } });
  return { scanId: scan.body.scanId as string, exportId: made.id as string };
}
