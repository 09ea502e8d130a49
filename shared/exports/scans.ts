/** Exports of scans: which ones, and what stands in the file of each. */
import { BEGIN_IN_ORDER, withTransaction, type Pool, type UnitOfWork } from '../db.ts';
import type { Clock } from '../clock.ts';
import type { Waker } from '../queues.ts';
import { publicScans, type PublicScan } from '../scans/public-scan.ts';
import { countScans, findScans, type ScanFilter } from '../scans/service.ts';
import type { ScanResult } from '../scans/verdict.ts';
import { listSerials } from '../units/service.ts';
import type { ExportContent } from './content.ts';
import { startExport, type ExportRow, type FileForm, type StoredFilter } from './service.ts';

/** Scans that come later than the export was asked for are not its own, however late its `to` lies. */
const storedFilterOf = ({ from, to, isInternal, ...rest }: ScanFilter, now: Date): StoredFilter =>
  // JSON leaves out what is undefined.
  JSON.parse(
    JSON.stringify({
      ...rest,
      isInternal: isInternal?.toString(),
      from: from?.toISOString(),
      to: (to !== undefined && to < now ? to : now).toISOString(),
    }),
  ) as StoredFilter;

const filterOf = ({
  from,
  to,
  result,
  isInternal,
  hiddenCode,
  nfcTap,
  ...rest
}: StoredFilter): ScanFilter => ({
  ...rest,
  hiddenCode: hiddenCode as ScanFilter['hiddenCode'],
  nfcTap: nfcTap as ScanFilter['nfcTap'],
  result: result as ScanResult | undefined,
  isInternal: isInternal === undefined ? undefined : isInternal === 'true',
  from: from === undefined ? undefined : new Date(from),
  to: to === undefined ? undefined : new Date(to),
});

/** @throws AppError CONFLICT while as many as are allowed are open */
export const startScanExport = (
  deps: { clock: Clock; waker: Waker },
  uow: UnitOfWork,
  orgId: string,
  { filter, ...form }: FileForm & { filter: ScanFilter },
): Promise<ExportRow> =>
  startExport(deps, uow, orgId, { kind: 'scans', ...form, filter: storedFilterOf(filter, deps.clock.now()) });

type ExportedScan = PublicScan & { serial: string | null };

const COLUMNS = [
  'id',
  'at',
  'productUnitId',
  'serial',
  'productId',
  'batchId',
  'result',
  'assessment',
  'country',
  'latitude',
  'longitude',
  'accuracyKm',
  'placeSource',
  'riskLevel',
  'riskScore',
  'signals',
  'isInternal',
  'hiddenCode',
  'nfcTap',
] as const;

export const scansContent = ({ db }: { db: Pool }): ExportContent<ExportedScan> => ({
  columns: COLUMNS,
  count: (counted, { org_id: orgId, filter }) => countScans(counted, orgId, filterOf(filter)),
  async page({ org_id: orgId, filter }, page) {
    const scans = await withTransaction(
      db,
      (uow) => findScans(uow.db, orgId, filterOf(filter), page),
      BEGIN_IN_ORDER,
    );
    const serials = await listSerials(
      db,
      orgId,
      scans.map((scan) => scan.unit_id),
    );
    const rows = publicScans(scans).map((scan, index) => ({
      ...scan,
      serial: serials.get(scans[index]!.unit_id) ?? null,
    }));
    return { rows, lastId: scans.at(-1)?.id ?? null };
  },
  cellsOf: ({ place, risk, ...scan }) => [
    scan.id,
    scan.at,
    scan.productUnitId,
    scan.serial,
    scan.productId,
    scan.batchId,
    scan.result,
    scan.assessment,
    scan.country,
    place?.lat ?? null,
    place?.lon ?? null,
    place?.accuracyKm ?? null,
    place?.source ?? null,
    risk.level,
    risk.score,
    // A type may have several, each with evidence of its own.
    [...new Set(risk.signals.map(({ type }) => type))].join(' '),
    String(scan.isInternal),
    scan.hiddenCode,
    scan.nfcTap,
  ],
});
