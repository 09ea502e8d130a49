/** Exports of units: which ones, and what stands in the file of each. */
import { currentCodeAddress } from '../code-hosts/service.ts';
import type { Clock } from '../clock.ts';
import { BEGIN_IN_ORDER, withTransaction, type Pool, type UnitOfWork } from '../db.ts';
import type { Keyring } from '../keyring.ts';
import type { Waker } from '../queues.ts';
import { publicUnit, type PublicUnit } from '../units/public-unit.ts';
import { unitSearchOf } from '../units/scanned.ts';
import {
  countUnitsBy,
  findUnitFigures,
  listUnits,
  type UnitFigures,
  type UnitFilter,
  type UnitRisk,
  type UnitStatus,
} from '../units/service.ts';
import type { ExportContent } from './content.ts';
import { startExport, type ExportRow, type FileForm, type StoredFilter } from './service.ts';

/** Those of the list of units; `q` is text as it was typed or scanned. */
export type ExportedUnits = Pick<
  UnitFilter,
  'batchId' | 'productId' | 'consignmentId' | 'status' | 'risk' | 'q'
>;

/** @throws AppError CONFLICT while as many as are allowed are open */
export const startUnitExport = (
  deps: { clock: Clock; waker: Waker },
  uow: UnitOfWork,
  orgId: string,
  { filter, ...rest }: FileForm & { filter: ExportedUnits; withScans: boolean },
): Promise<ExportRow> =>
  startExport(deps, uow, orgId, {
    kind: 'units',
    ...rest,
    // JSON leaves out what is undefined.
    filter: JSON.parse(JSON.stringify(filter)) as StoredFilter,
  });

const filterOf = (keys: Keyring, { q, status, risk, ...rest }: StoredFilter): UnitFilter => ({
  ...rest,
  status: status as UnitStatus | undefined,
  risk: risk as UnitRisk | undefined,
  ...unitSearchOf(keys, q),
});

interface ToldByScans {
  /** Without internal ones. */
  scans: number | null;
  firstScannedAt: string | null;
  lastScannedAt: string | null;
  lastCountry: string | null;
}

type ExportedUnit = PublicUnit & { sku: string; gtin: string | null } & ToldByScans;

const NO_SCANS: ToldByScans = { scans: null, firstScannedAt: null, lastScannedAt: null, lastCountry: null };

const scansOf = (figures: UnitFigures): ToldByScans => ({
  scans: figures.scans,
  firstScannedAt: figures.first_scanned_at?.toISOString() ?? null,
  lastScannedAt: figures.last_scanned_at?.toISOString() ?? null,
  lastCountry: figures.last_country,
});

const COLUMNS = [
  'id',
  'serial',
  'status',
  'productName',
  'sku',
  'gtin',
  'lot',
  'expiresOn',
  'activatedAt',
  'consumedAt',
  'recallOf',
  'recalledAt',
  'recallReason',
  'risk',
  'openCaseId',
  'scans',
  'firstScannedAt',
  'lastScannedAt',
  'lastCountry',
  'verifyUrl',
  'token',
  'productId',
  'batchId',
] as const;

export const unitsContent = ({
  db,
  config: { TOKEN_KEYS: keys, PUBLIC_URL: serviceUrl },
}: {
  db: Pool;
  config: { TOKEN_KEYS: Keyring; PUBLIC_URL: string };
}): ExportContent<ExportedUnit> => ({
  columns: COLUMNS,
  count: (counted, { org_id: orgId, filter }) => countUnitsBy(counted, orgId, filterOf(keys, filter)),
  async page({ org_id: orgId, filter, with_scans: withScans }, page) {
    const codesUrl = (await currentCodeAddress(db, orgId)) ?? serviceUrl;
    const { rows: units } = await withTransaction(
      db,
      (uow) => listUnits(uow.db, orgId, filterOf(keys, filter), page),
      BEGIN_IN_ORDER,
    );
    const figures = await findUnitFigures(
      db,
      orgId,
      units.map(({ id }) => id),
    );
    const rows = units.map((unit) => {
      const told = figures.get(unit.id)!;
      return {
        ...publicUnit(unit, { keys, codesUrl, withRisk: withScans }),
        sku: told.sku,
        gtin: told.gtin,
        ...(withScans ? scansOf(told) : NO_SCANS),
      };
    });
    return { rows, lastId: units.at(-1)?.id ?? null };
  },
  cellsOf: ({ recall, ...unit }) => [
    unit.id,
    unit.serial,
    unit.status,
    unit.productName,
    unit.sku,
    unit.gtin,
    unit.lot,
    unit.expiresOn,
    unit.activatedAt,
    unit.consumedAt,
    recall?.of ?? null,
    recall?.recalledAt ?? null,
    recall?.reason ?? null,
    unit.risk,
    unit.openCaseId,
    unit.scans,
    unit.firstScannedAt,
    unit.lastScannedAt,
    unit.lastCountry,
    unit.verifyUrl,
    unit.token,
    unit.productId,
    unit.batchId,
  ],
});
