/** An organization's life, told so that every documented operation is called and succeeds. */
import { expect } from 'chai';
import { decodeId, newUuid } from '../../shared/ids.ts';
import { sendDueMails } from '../../shared/mail/sending.ts';
import type { RenderedMail } from '../../shared/mail/message.ts';
import { totpCode, totpStep } from '../../shared/accounts/totp.ts';
import { nonceKey, positionNonce } from '../../shared/scans/position.ts';
import { rollUp } from '../../shared/analytics/service.ts';
import { ALL_SCOPES } from '../../shared/api-keys/scopes.ts';
import { cleanPhotos } from '../../workers/clean-photos/processor.ts';
import { exportScans } from '../../workers/export-scans/processor.ts';
import { recoverWebhooks } from '../../workers/recover-webhooks/processor.ts';
import { runBulkJobs } from '../../workers/run-bulk-jobs/processor.ts';
import { simulateRiskPolicies } from '../../workers/simulate-risk-policies/processor.ts';
import type { TestApi } from './api.ts';
import type { Answer, Call, DocumentClient } from './document-client.ts';
import { jpegWithPosition } from './photos.ts';
import { ADDRESSES } from './places.ts';

const GTIN = '09506000134352';
const PASSWORD = 'a stone that shows gold';
const tokenIn = (mail: RenderedMail | undefined): string =>
  /#token=([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')![1]!;
const cookieOf = ({ headers }: Answer, name: string): string =>
  headers
    .getSetCookie()
    .find((line) => line.startsWith(name))!
    .split(';')[0]!;
const from = (address: string) => ({ 'X-Forwarded-For': address });

export interface Storyteller {
  api: TestApi;
  client: DocumentClient;
  /** Mails since the last call. */
  mails(): Promise<RenderedMail[]>;
  key: string;
  token: string;
  email: string;
  /** With the key. */
  run(operationId: string, id?: string, body?: unknown, more?: Call): Promise<any>;
  /** As the signed-in owner. */
  sign(operationId: string, id?: string, body?: unknown, more?: Call): Promise<any>;
}

/** What the story leaves behind, for further requests. */
export interface StoryEnd {
  key: string;
  token: string;
  /** Of a distributor's link. */
  linkToken: string;
  /** Of a printed code, and the serial beside it. */
  code: string;
  serial: string;
  /** One of each kind, by prefix. */
  ids: Record<string, string>;
}

/** Signs an organization up, signs its owner in and makes a key. */
export async function beginStory(api: TestApi, client: DocumentClient): Promise<Storyteller> {
  const mails = async () => {
    const caught: RenderedMail[] = [];
    const mailTransport = {
      send: async (_id: string, mail: RenderedMail) => void caught.push(mail),
      close: () => undefined,
    };
    while ((await sendDueMails({ ...api.deps, mailTransport, leaseSeconds: 60 })).sent > 0);
    return caught;
  };
  const email = 'ana@oliveira.example';
  await client.call('health');
  await client.call('readiness');
  await client.call('signUp', {
    body: { organizationName: 'Oliveira e Filhos', name: 'Ana Oliveira', email, password: PASSWORD },
  });
  await client.call('verifySignUp', { body: { token: tokenIn((await mails())[0]) } });
  const signedIn = await client.call('signIn', { body: { email, password: PASSWORD } });
  const refreshed = await client.call('refreshSession', {
    headers: { cookie: cookieOf(signedIn, '__Host-touchstone-refresh') },
  });
  const token = refreshed.body.accessToken as string;
  const made = await client.call('createApiKey', {
    as: token,
    body: { name: 'Factory', scopes: ALL_SCOPES, expiresAt: null, allowedCidrs: [] },
  });
  const with_ =
    (as: string) =>
    async (operationId: string, id?: string, body?: unknown, more: Call = {}) =>
      (
        await client.call(operationId, {
          as,
          ...(id === undefined ? {} : { ids: { id } }),
          ...(body === undefined ? {} : { body }),
          ...more,
        })
      ).body;
  const key = made.body.secret as string;
  return { api, client, mails, key, token, email, run: with_(key), sign: with_(token) };
}

async function tellOfProducts({ api, run }: Storyteller) {
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
  await run('updateProduct', product.id, { brand: 'Oliveira e Filhos' });
  const other = await run('createProduct', undefined, { name: 'Azeite velho', sku: 'OLD' });
  await run('archiveProduct', other.id);
  const batch = await run('createBatch', undefined, {
    productId: product.id,
    quantity: 5,
    lot: 'L2025-11',
    manufacturedOn: '2025-11-20',
    expiresOn: '2027-11-20',
  });
  await run('listBatches', undefined, undefined, { query: { productId: product.id } });
  await run('getBatch', batch.id);
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
    query: { batchId: batch.id, status: 'active' },
  });
  return { product, batch, uploaded, job, units: (units.data as any[]).toReversed() };
}

type Goods = Awaited<ReturnType<typeof tellOfProducts>>;

async function tellOfVerification({ api, run, client, key }: Storyteller, { units, product }: Goods) {
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
  const scan = await client.call('verify', { ids: anywhere, headers: from(ADDRESSES.DE) });
  expect(scan.body.result).to.equal('genuine');
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
  await client.call('verifyBySerial', { ids: link, headers: page });
  const byLot = await client.call('verifyByLotAndSerial', { ids: { ...link, lot } });
  await client.call('addPositionBySerial', { ids: link, body: positionOf(byLink) });
  await client.call('addPositionByLotAndSerial', { ids: { ...link, lot }, body: positionOf(byLot) });
  const description = 'The cap was open';
  await client.call('reportBySerial', { ids: link, body: { description } });
  await client.call('reportByLotAndSerial', { ids: { ...link, lot }, body: { description: 'No seal' } });
  await client.call('verifyByVariantAndSerial', { ids: { ...link, variant: 'A' } });
  await client.call('verifyByVariantLotAndSerial', { ids: { ...link, lot, variant: 'A' } });
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

async function tellOfRisk({ api, run }: Storyteller, { product }: Goods) {
  const cases = await run('listRiskCases', undefined, undefined, { query: { status: 'open' } });
  const { id } = cases.data[0];
  await run('getRiskCase', id);
  await run('changeRiskCase', id, { status: 'investigating', note: 'Asked the shop for a photo' });
  await run('getRiskPolicy');
  const policy = { thresholds: { suspicious: 70 }, impossibleTravel: { maxSpeedKmh: 900 } };
  await run('putRiskPolicy', undefined, { policy, alertCooldownMinutes: 60 });
  const simulation = await run('simulateRiskPolicy', undefined, { policy, productId: product.id });
  await simulateRiskPolicies(api.workerDeps)({ simulationId: decodeId('sim', simulation.id)! });
  await run('getRiskSimulation', simulation.id);
  return { caseId: id as string, simulationId: simulation.id as string };
}

async function runBulk(api: TestApi, id: string) {
  const turn = runBulkJobs(api.workerDeps);
  for (let did = 'turn'; did === 'turn';) ({ did } = await turn({ jobId: decodeId('bulk', id)! }));
}

async function tellOfUnits({ api, run }: Storyteller, { units, batch }: Goods) {
  await run('suspendUnit', units[4].id);
  await run('activateUnit', units[4].id);
  await run('recallUnit', units[4].id, { reason: 'Leaking', messages: { en: 'Do not use it.' } });
  await run('liftUnitRecall', units[4].id);
  await run('recallBatch', batch.id, { reason: 'Wrong label', messages: { en: 'Please return it.' } });
  await run('liftBatchRecall', batch.id);
  const bulk = await run('bulkUnits', undefined, { action: 'activate', batchId: batch.id });
  await runBulk(api, bulk.id);
  await run('getBulkJob', bulk.id);
  await run('listBulkJobs', undefined, undefined, { query: { status: 'completed' } });
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

async function tellOfConsignments({ api, run, client }: Storyteller, { units }: Goods) {
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

async function tellOfRecalls({ api, run }: Storyteller, { batch }: Goods) {
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
  await run('liftRecall', recall.id);
  return { recallId: recall.id as string };
}

async function tellOfReports({ api, run, client }: Storyteller, { units }: Goods) {
  const token = { token: units[1].token as string };
  const filed = await client.call('reportCode', {
    ids: token,
    body: {
      description: 'The label peels off and the oil is pale',
      purchasedFrom: 'A market stall in Lisbon',
      price: '12 EUR',
      contactEmail: 'maria@example.com',
      contactConsent: true,
    },
  });
  const form = new FormData();
  form.set('description', 'Another one, with a picture');
  form.set('photos', new Blob([new Uint8Array(await jpegWithPosition())], { type: 'image/jpeg' }), 'oil.jpg');
  await client.call('reportCode', { ids: token, body: form, headers: from('192.0.2.7') });
  await client.call('reportWithoutCode', {
    body: { description: 'No code on it at all', brand: 'Oliveira' },
    type: 'application/x-www-form-urlencoded',
  });
  await client.call('reportWithoutCode', { body: { description: 'Sold without a code', brand: 'Oliveira' } });
  await cleanPhotos(api.workerDeps)();
  const reports = await run('listReports', undefined, undefined, { query: { status: 'open' } });
  const withPhoto = (reports.data as any[]).find(({ photoCount }) => photoCount > 0);
  const detail = await run('getReport', withPhoto.id);
  const url = new URL(detail.photos[0].url as string);
  await client.call('downloadReportPhoto', {
    ids: { id: detail.photos[0].id },
    query: Object.fromEntries(url.searchParams),
  });
  const { reportId } = filed.body as { reportId: string };
  await run('changeReport', reportId, { status: 'confirmed', resolution: 'counterfeit' });
  await run('addReportNote', reportId, { text: 'The shop is known to us' });
  await run('exportReports');
  return { reportId, photoId: detail.photos[0].id as string };
}

/** What the deliverer would have written of an attempt that arrived. */
async function recordDelivery(api: TestApi, endpointId: string): Promise<void> {
  await api.database.pool.query(
    `insert into webhook_deliveries (id, org_id, endpoint_id, event_id, event_type, attempt, started_at, settled_at, outcome,
            request_headers, response_status, response_headers, response_snippet, timings)
     select $1, org_id, $2, id, type, 1, $3, $3, 'delivered', '{"x-service-event": "scan.recorded"}', 200,
            '{"content-type": "text/plain"}', 'ok', '{"totalMs": 12}' from events limit 1`,
    [newUuid(), decodeId('whep', endpointId), api.clock.now()],
  );
}

/** Before anything happens, so that there is something to deliver. */
async function subscribe({ run }: Storyteller, { product }: Goods): Promise<string> {
  const made = await run('createWebhookEndpoint', undefined, {
    url: 'https://erp.oliveira.example/hooks',
    events: ['scan.recorded', 'product.diverted'],
    description: 'ERP',
    productIds: [product.id],
  });
  return made.id as string;
}

async function tellOfWebhooks({ api, run }: Storyteller, id: string) {
  await run('listWebhookEndpoints');
  await run('getWebhookEndpoint', id);
  await run('updateWebhookEndpoint', id, { events: ['*'], fifo: true });
  await run('rotateWebhookSecret', id, { overlapSeconds: 3600 });
  await run('testWebhookEndpoint', id);
  await recordDelivery(api, id);
  await run('listDeliveries', id);
  await run('disableWebhookEndpoint', id);
  await run('enableWebhookEndpoint', id);
  const recovery = await run('recoverWebhookEndpoint', id, {
    since: '2026-05-01T00:00:00Z',
    ratePerSecond: 100,
  });
  const ids = { id, recoveryId: recovery.id as string };
  await run('listWebhookRecoveries', id);
  await run('getWebhookRecovery', undefined, undefined, { ids });
  await run('cancelWebhookRecovery', undefined, undefined, { ids });
  await recoverWebhooks(api.workerDeps)({ recoveryId: decodeId('rcv', recovery.id)! });
  const events = await run('listEvents', undefined, undefined, { query: { type: 'scan.recorded' } });
  const eventId = events.data[0].id as string;
  await run('getEvent', eventId);
  await run('replayEvent', eventId, { endpointId: id });
  await run('listEventTypes');
  const gone = await run('createWebhookEndpoint', undefined, {
    url: 'https://old.oliveira.example/hooks',
    events: ['*'],
  });
  await run('deleteWebhookEndpoint', gone.id);
  return { recoveryId: ids.recoveryId, eventId };
}

async function tellOfPeople(story: Storyteller) {
  const { api, client, sign, mails, email } = story;
  await client.call('contact', { body: { name: 'Rui', email: 'rui@example.com', message: 'Hello' } });
  await sign('getMe');
  await sign('updateMe', undefined, { name: 'Ana M. Oliveira' });
  const keys = await sign('listApiKeys');
  await sign('getApiKey', keys.data[0].id);
  const spare = await sign('createApiKey', undefined, { name: 'Spare', scopes: ['products.read'] });
  await sign('rotateApiKey', spare.id, { graceSeconds: 60 });
  await sign('revokeApiKey', spare.id);
  const invitation = await sign('invite', undefined, {
    email: 'rui@oliveira.example',
    role: 'administrator',
  });
  const accepted = await client.call('acceptInvitation', {
    body: { token: tokenIn((await mails()).at(-1)), name: 'Rui', password: PASSWORD },
  });
  const { userId } = accepted.body as { userId: string };
  await sign('getInvitation', invitation.id);
  const second = await sign('invite', undefined, { email: 'eva@oliveira.example', role: 'viewer' });
  await sign('revokeInvitation', second.id);
  await sign('listInvitations');
  await sign('listUsers');
  await sign('listRoles');
  await sign('getUser', userId);
  await sign('updateUser', userId, { role: 'analyst' });
  await sign('getOrganization');
  const preview = await sign('previewBrand', undefined, { color: '#556b2f', message: 'Fresh from the mill' });
  await client.call('showBrandPreview', {
    ids: { token: (preview.url as string).split('/').at(-1)! },
    query: { result: 'recalled', lang: 'pt' },
  });
  await sign('updateOrganization', undefined, { brand: { color: '#556b2f' }, timeZone: 'Europe/Lisbon' });
  await sign('listAuditLog', undefined, undefined, { query: { action: 'invite' } });
  await sign('exportAuditLog');
  await sign('listRequestErrors');

  const { secret } = await sign('setUpTotp');
  const code = () => totpCode(secret as string, totpStep(api.clock.now()));
  await sign('confirmTotp', undefined, { code: code() });
  api.clock.advance(60_000);
  await sign('disableTotp', undefined, { password: PASSWORD, code: code() });
  await client.call('forgotPassword', { body: { email: 'rui@oliveira.example' } });
  const reset = (await mails()).findLast(({ text }) => text.includes('reset-password'));
  await client.call('resetPassword', {
    body: { token: tokenIn(reset), password: 'a better stone for gold' },
  });
  const rui = await client.call('signIn', {
    body: { email: 'rui@oliveira.example', password: 'a better stone for gold' },
  });
  const asRui = rui.body.accessToken as string;
  await client.call('changePassword', {
    as: asRui,
    body: { currentPassword: 'a better stone for gold', newPassword: 'an even better stone' },
  });
  await client.call('leaveOrganization', { as: asRui });
  const third = await sign('invite', undefined, { email: 'ivo@oliveira.example', role: 'viewer' });
  const ivo = await client.call('acceptInvitation', {
    body: { token: tokenIn((await mails()).at(-1)), password: PASSWORD },
  });
  expect(third.id).to.match(/^inv_/);
  await sign('removeUser', ivo.body.userId);

  const again = await client.call('signIn', { body: { email, password: PASSWORD } });
  const sessions = await sign('listSessions');
  const other = (sessions.data as any[]).find(({ isCurrent }) => !isCurrent);
  await sign('endSession', other.id);
  await client.call('signOut', { headers: { cookie: cookieOf(again, '__Host-touchstone-refresh') } });
  return { invitationId: invitation.id as string };
}

/** @returns what further requests can be made of; the session is a new one. */
export async function tellStory(api: TestApi, client: DocumentClient): Promise<StoryEnd> {
  const story = await beginStory(api, client);
  const goods = await tellOfProducts(story);
  const endpointId = await subscribe(story, goods);
  const { scanId, exportId } = await tellOfVerification(story, goods);
  const risk = await tellOfRisk(story, goods);
  const { bulkId } = await tellOfUnits(story, goods);
  const { consignmentId, linkToken } = await tellOfConsignments(story, goods);
  const { recallId } = await tellOfRecalls(story, goods);
  const { reportId, photoId } = await tellOfReports(story, goods);
  const hooks = await tellOfWebhooks(story, endpointId);
  const people = await tellOfPeople(story);
  await client.call('signOutEverywhere', { as: story.token });
  const signedIn = await client.call('signIn', { body: { email: story.email, password: PASSWORD } });
  const token = signedIn.body.accessToken as string;
  const { data: keys } = (await client.call('listApiKeys', { as: token })).body;
  const { data: users } = (await client.call('listUsers', { as: token })).body;
  const { data: sessions } = (await client.call('listSessions', { as: token })).body;
  return {
    key: story.key,
    token,
    linkToken,
    code: goods.units[0].token,
    serial: goods.units[0].serial,
    ids: {
      prod: goods.product.id,
      batch: goods.batch.id,
      job: goods.job.id,
      unit: goods.units[0].id,
      scan: scanId,
      exp: exportId,
      case: risk.caseId,
      sim: risk.simulationId,
      bulk: bulkId,
      cons: consignmentId,
      rcl: recallId,
      rep: reportId,
      photo: photoId,
      whep: endpointId,
      rcv: hooks.recoveryId,
      evt: hooks.eventId,
      inv: people.invitationId,
      key: keys[0].id,
      user: users[0].id,
      sess: sessions[0].id,
    },
  };
}
