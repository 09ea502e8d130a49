/** Consignments as stories find them: with units, dispatched, received. */
import { copyUnits } from '../../../shared/barcode-jobs/chunk-repository.ts';
import { receiveConsignment, type Receipt } from '../../../shared/consignments/receive.ts';
import {
  addUnits,
  createConsignment,
  dispatchConsignment,
  type ConsignmentDeps,
  type ConsignmentFields,
} from '../../../shared/consignments/service.ts';
import { withTransaction } from '../../../shared/db.ts';
import { encodeId } from '../../../shared/ids.ts';
import { deriveKey } from '../../../shared/wiring.ts';
import { mintMissingUnits } from '../../../workers/mint-barcodes/mint-units.ts';
import { eventually } from '../../support/eventually.ts';
import { seedBatch } from '../../support/seed.ts';
import type { Account, Stack } from './stack.ts';

const depsOf = ({ installation: { core } }: Stack): ConsignmentDeps => ({
  ...core,
  linkKey: deriveKey(core.config.API_KEY_PEPPER, 'consignment-links'),
  tokenKeys: core.config.TOKEN_KEYS,
});

/** UUIDs. */
export interface Consigned {
  id: string;
  /** Of its screen. */
  path: string;
  productId: string;
  serials: string[];
}

/** A draft of units that are only minted: `PREFIX-0001` and so on, of lot L1 of a product named Oil. */
export async function drafted(
  stack: Stack,
  { orgId }: Account,
  units: number,
  fields: Partial<ConsignmentFields> & { reference: string },
): Promise<Consigned> {
  const { core } = stack.installation;
  const { batchId, productId } = await seedBatch({ ...stack.installation, orgId }, units);
  const serials = Array.from(
    { length: units },
    (_, index) => `${fields.reference}-${String(index + 1).padStart(4, '0')}`,
  );
  const range = { firstOrdinal: 0, units };
  const minted = mintMissingUnits(range, [], serials, core.config.TOKEN_KEYS, core.random);
  const common = { orgId, batchId, productId, status: 'minted', activatedAt: null } as const;
  await withTransaction(core.db, ({ db }) => copyUnits(db, common, minted));
  const { id } = await createConsignment(core, core.db, orgId, {
    sscc: null,
    origin: null,
    destination: { name: 'Nordhandel GmbH', address: null, country: 'DE' },
    expectedMarkets: [],
    references: [],
    ...fields,
  });
  await withTransaction(core.db, (uow) =>
    addUnits(depsOf(stack), uow, orgId, id, { kind: 'batch', batchId }),
  );
  await eventually('its units', async () => {
    const { rowCount } = await core.db.query(
      `select 1 from bulk_jobs where consignment_id = $1 and status = 'completed'`,
      [id],
    );
    return rowCount === 1;
  });
  return { id, path: `/app/consignments/${encodeId('cons', id)}`, productId, serials };
}

/** As {@link drafted}, and under way. @returns the path of the distributor's link, too. */
export async function dispatched(
  stack: Stack,
  account: Account,
  units: number,
  fields: Parameters<typeof drafted>[3],
): Promise<Consigned & { link: string }> {
  const { db } = stack.installation.core;
  const draft = await drafted(stack, account, units, fields);
  const options = { linkDays: 60, activateUnits: false };
  const { linkToken } = await withTransaction(db, (uow) =>
    dispatchConsignment(depsOf(stack), uow, account.orgId, draft.id, options),
  );
  return { ...draft, link: `/c/${linkToken!}` };
}

/** The distributor's confirmation; what is not said is as it should be. */
export async function receive(
  stack: Stack,
  { orgId }: Account,
  { id }: Consigned,
  told: Partial<Receipt>,
): Promise<void> {
  const receipt = { counted: null, missing: [], damaged: [], name: 'Ada Lind', note: null, ...told };
  await withTransaction(stack.installation.core.db, (uow) =>
    receiveConsignment(depsOf(stack), uow, orgId, id, receipt, 'link'),
  );
}
