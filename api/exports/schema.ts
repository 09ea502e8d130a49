import { EXPORT_ID_PREFIXES, type ExportKind } from '../../shared/exports/kinds.ts';
import { z } from 'zod';
import type { LinkSigner } from '../../shared/barcode-jobs/download-link.ts';
import { encodeId, type IdPrefix } from '../../shared/ids.ts';
import { EXPORT_FORMATS, EXPORT_STATUSES, fileNameOf, type ExportRow } from '../../shared/exports/service.ts';
import { refusal, ruled } from '../../shared/field-errors.ts';
import { instant, listQuery, type ListName } from '../list.ts';

/** What kind of file is asked for. */
export const fileForm = {
  format: z.enum(EXPORT_FORMATS).default('csv'),
  byteOrderMark: z.boolean().default(false).meta({
    description:
      'Whether a file of CSV begins with a byte order mark: Excel takes UTF-8 without one for another encoding, and programs take one for a part of the heading',
  }),
};

/** @returns whether a file may have what is asked for: JSON has no byte order mark (RFC 8259 §8.1). */
export const isPossibleForm = ({
  format,
  byteOrderMark,
}: {
  format: string;
  byteOrderMark: boolean;
}): boolean => !byteOrderMark || format === 'csv';
export const POSSIBLE_FORM = {
  path: ['byteOrderMark'],
  ...ruled(refusal('INVALID', 'is for CSV; NDJSON has none')),
};

export const listExportsQuery = (list: ListName) =>
  listQuery(list, { status: z.enum(EXPORT_STATUSES).optional() });

/** @param schemaId its name in the reference @param more fields that exports of the kind have beside */
export const exportSchema = <More extends z.ZodRawShape>(kind: ExportKind, schemaId: string, more: More) =>
  z
    .object({
      id: z.string(),
      status: z.enum(EXPORT_STATUSES),
      format: z.enum(EXPORT_FORMATS),
      byteOrderMark: z.boolean().meta({ description: 'Whether the file begins with a byte order mark' }),
      filters: z.record(z.string(), z.string()).meta({
        description:
          kind === 'scans'
            ? 'As they were given; `to` is at the latest the moment when the export was asked for'
            : 'As they were given',
      }),
      progress: z.object({
        done: z.number().int(),
        total: z
          .number()
          .int()
          .nullable()
          .meta({
            description:
              kind === 'scans'
                ? 'Null until they are counted'
                : 'Null until they are counted, and, as `done` is 0 then, for a caller who may not filter units so',
          }),
      }),
      artifacts: z
        .array(
          z.object({
            kind: z.literal(kind),
            name: z.string(),
            bytes: z.number().int(),
            sha256: z.string(),
            url: z
              .string()
              .meta({ description: 'Signed; works for a short time, read the export for a new one' }),
          }),
        )
        .meta({ description: 'One file; empty until the export is completed, and when it has expired' }),
      artifactsExpireAt: instant.nullable(),
      artifactsExpiredAt: instant.nullable(),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
      ...more,
      createdAt: instant,
      startedAt: instant.nullable(),
      finishedAt: instant.nullable(),
    })
    .meta({ id: schemaId });

const FILTER_IDS: Record<string, IdPrefix> = {
  unitId: 'unit',
  productId: 'prod',
  batchId: 'batch',
  consignmentId: 'cons',
};
const DAY_MS = 86_400_000;

/** How many units are under suspicion is what scans tell, and how many a consignment has is not for all either. */
const UNTOLD = { done: 0, total: null };

const filtersOf = ({ filter }: ExportRow): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filter).map(([name, value]) => {
      const prefix = FILTER_IDS[name];
      return [name, prefix === undefined ? value : encodeId(prefix, value)];
    }),
  );

export interface ExportPresenter {
  links: LinkSigner;
  linksExpireAt: Date;
  /** 0 keeps files for ever. */
  retentionDays: number;
  /** Whether the reader may have the file. */
  mayHave: boolean;
  /** Whether the reader may hear how many rows match the filters. */
  mayCount: boolean;
}

export const presentExport = (
  row: ExportRow,
  { links, linksExpireAt, retentionDays, mayHave, mayCount }: ExportPresenter,
): z.input<ReturnType<typeof exportSchema<z.ZodRawShape>>> => {
  const id = encodeId(EXPORT_ID_PREFIXES[row.kind], row.id);
  const name = fileNameOf(row);
  const hasFile = row.status === 'completed' && row.expired_at === null;
  const expires = hasFile && retentionDays > 0;
  return {
    id,
    status: row.status,
    format: row.format,
    byteOrderMark: row.byte_order_mark,
    filters: filtersOf(row),
    progress: mayCount ? { done: row.done, total: row.total } : UNTOLD,
    artifacts:
      hasFile && mayHave
        ? [
            {
              kind: row.kind,
              name,
              bytes: row.bytes!,
              sha256: row.sha256!,
              url: links.sign(id, name, linksExpireAt),
            },
          ]
        : [],
    artifactsExpireAt: expires
      ? new Date(row.finished_at!.getTime() + retentionDays * DAY_MS).toISOString()
      : null,
    artifactsExpiredAt: row.expired_at?.toISOString() ?? null,
    error: row.error,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
};
