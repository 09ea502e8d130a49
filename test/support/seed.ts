/** Rows for tests that start with the service in the middle of its life. */
import { createBatch } from '../../shared/batches/service.ts';
import { copyUnits } from '../../shared/barcode-jobs/chunk-repository.ts';
import { startBarcodeJob } from '../../shared/barcode-jobs/service.ts';
import { withTransaction } from '../../shared/db.ts';
import { scanRecorded } from '../../shared/events/event-examples.ts';
import { recordEvents } from '../../shared/events/service.ts';
import { createOrganization } from '../../shared/organizations/service.ts';
import { createProduct } from '../../shared/products/service.ts';
import { tokenOf } from '../../shared/units/token.ts';
import { createResolver } from '../../shared/egress/resolve-host.ts';
import { createEndpoint, vetNewUrl } from '../../shared/webhooks/service.ts';
import { createUrlVetting } from '../../shared/webhooks/url-vetting.ts';
import { mintMissingUnits, randomSerials } from '../../workers/mint-barcodes/mint-units.ts';
import type { Installation } from './processes.ts';

let lastNumber = 0;

export async function seedBatch(
  { core, orgId }: Installation,
  quantity: number,
  markets: string[] = [],
): Promise<{ batchId: string; productId: string }> {
  lastNumber += 1;
  const product = await createProduct(core, core.db, orgId, {
    name: 'Oil',
    sku: `OIL-${lastNumber}`,
    gtin: null,
    brand: null,
    description: null,
    imageUrl: null,
    markets,
    attributes: {},
    links: [],
  });
  const batch = await createBatch(core, core.db, orgId, {
    productId: product.id,
    quantity,
    lot: 'L1',
    manufacturedOn: null,
    expiresOn: null,
    markets: null,
    hiddenCodes: false,
    nfcTags: false,
  });
  return { batchId: batch.id, productId: product.id };
}

/** @returns the UUID of an organization with an owner. */
export async function seedOrganization({ core }: Pick<Installation, 'core'>): Promise<string> {
  lastNumber += 1;
  const email = `owner-${lastNumber}@chaos.example`;
  const fields = { name: 'Chaos Ltd', email, password: 'correct horse battery' };
  const { orgId } = await withTransaction(core.db, ({ db }) => createOrganization(core, db, fields));
  return orgId;
}

/** A job of the batch, in chunks of `chunkUnits`. @returns its UUID. */
export async function seedJob(
  { core, orgId }: Installation,
  batchId: string,
  chunkUnits: number,
): Promise<string> {
  const deps = { ...core, chunkUnits, baseUrl: core.config.PRINTED_URL };
  const job = await withTransaction(core.db, (uow) =>
    startBarcodeJob(deps, uow, orgId, batchId, {
      symbology: 'qr',
      formats: ['png'],
      look: { scale: 2 },
      sheet: null,
      serials: null,
      activate: true,
    }),
  );
  return job.id;
}

/** Active units of a product of their own, without a job. @returns their tokens. */
export async function seedUnits(
  installation: Installation,
  count: number,
  markets?: string[],
): Promise<string[]> {
  const { core, orgId } = installation;
  const batch = await seedBatch(installation, count, markets);
  const range = { firstOrdinal: 0, units: count };
  const keys = core.config.TOKEN_KEYS;
  const units = mintMissingUnits(range, [], randomSerials(count, core.random), keys, core.random);
  await withTransaction(core.db, ({ db }) =>
    copyUnits(db, { orgId, ...batch, status: 'active', activatedAt: core.clock.now() }, units),
  );
  return units.map((unit) => tokenOf(keys, unit.code, unit.token_key));
}

/** @returns the UUID of an endpoint that hears of everything. */
export async function seedEndpoint({ core, orgId }: Installation, url: string): Promise<string> {
  const vetWebhookUrl = createUrlVetting({ allowedCidrs: ['127.0.0.0/8'], resolve: createResolver() });
  const { endpoint } = await createEndpoint(core, core.db, orgId, {
    url: await vetNewUrl({ vetWebhookUrl }, core.db, orgId, url),
    events: ['*'],
    description: null,
  });
  return endpoint.id;
}

/** Events with their dispatches, and the wake-up for them. */
export async function seedEvents({ core, orgId }: Installation, count: number): Promise<void> {
  const event = { type: 'scan.recorded', orgId, productId: null, data: scanRecorded } as const;
  await withTransaction(core.db, (uow) =>
    recordEvents(
      core,
      uow,
      Array.from({ length: count }, () => event),
    ),
  );
}
