import { z } from 'zod';
import { refusal, ruled } from '../../shared/field-errors.ts';
import type { LinkSigner } from '../../shared/barcode-jobs/download-link.ts';
import { FORMATS, layoutOf, type SerialScheme } from '../../shared/barcode-jobs/options.ts';
import {
  ARTIFACT_KINDS,
  JOB_STATUSES,
  type ArtifactRow,
  type JobRow,
} from '../../shared/barcode-jobs/service.ts';
import { encodeId } from '../../shared/ids.ts';
import { FAILED_DAYS } from '../../shared/attention/service.ts';
import { idField, instant, listQuery } from '../list.ts';
import {
  layoutField,
  lookFields,
  lookOf,
  serialsField,
  sheetField,
  sheetOf,
  symbologyField,
} from './options-schema.ts';

const formatsField = z
  .array(z.enum(FORMATS))
  .min(1)
  .refine(
    (formats) => new Set(formats).size === formats.length,
    ruled(refusal('REPEATED', 'names a format twice')),
  )
  .default(['png']);

const startJobFields = z.strictObject({
  symbology: symbologyField,
  formats: formatsField,
  ...z.strictObject(lookFields).partial().shape,
  sheet: sheetField.optional(),
  serials: serialsField.optional(),
  activate: z.boolean().default(false).meta({ description: 'Mint the units as active' }),
});

/** As the service takes it. */
export const startJobBody = startJobFields
  .default({ symbology: 'qr', formats: ['png'], activate: false })
  .transform(({ symbology, formats, sheet, serials, activate, ...look }) => ({
    symbology,
    formats,
    look: lookOf(look),
    sheet: sheet === undefined ? null : sheetOf(sheet),
    serials: serials ?? null,
    activate,
  }));

export const listJobsQuery = listQuery('barcode-jobs', {
  batchId: idField('batch').optional(),
  status: z.enum(JOB_STATUSES).optional(),
  needsAttention: z
    .enum(['true'])
    .optional()
    .meta({ description: `Only those that are open, or failed within ${FAILED_DAYS} days` }),
});

const artifactSchema = z
  .object({
    kind: z.enum(ARTIFACT_KINDS),
    name: z.string(),
    bytes: z.number().int(),
    sha256: z.string(),
    url: z.string().meta({ description: 'Signed; works for a short time, read the job again for a new one' }),
  })
  .meta({ id: 'Artifact' });

const shownSerials = z.object({
  source: z.enum(['random', 'sequential', 'uploaded']),
  prefix: z.string().optional(),
  first: z.number().int().optional(),
  digits: z.number().int().optional(),
});

export const jobSchema = z
  .object({
    id: z.string(),
    batchId: z.string(),
    productId: z.string(),
    productName: z.string(),
    lot: z.string().nullable(),
    status: z.enum(JOB_STATUSES),
    symbology: symbologyField.unwrap(),
    formats: z.array(z.enum(FORMATS)),
    errorCorrection: lookFields.errorCorrection.nullable(),
    scale: z.number().int(),
    dpi: z.number().int().nullable(),
    quietZone: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Null: what the symbology’s standard asks for' }),
    text: z.boolean(),
    foreground: z.string(),
    background: z.string(),
    sheet: z
      .object({
        layout: layoutField,
        fields: z.array(z.string()),
        labels: z.number().int().meta({ description: 'Labels on a sheet' }),
      })
      .nullable(),
    serials: shownSerials,
    activate: z.boolean(),
    progress: z.object({ done: z.number().int(), total: z.number().int() }),
    artifacts: z
      .array(artifactSchema)
      .meta({ description: 'Empty until the job is completed, and when they have expired' }),
    artifactsExpireAt: instant.nullable().meta({
      description: 'When the artifacts of a finished job are deleted; null: never, or not finished yet',
    }),
    artifactsExpiredAt: instant
      .nullable()
      .meta({ description: 'When they were deleted: start another job to make them again' }),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: instant,
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
  })
  .meta({ id: 'BarcodeJob' });

export interface JobPresenter {
  links: LinkSigner;
  linksExpireAt: Date;
  /** 0 keeps artifacts for ever. */
  retentionDays: number;
}

const showSerials = (scheme: SerialScheme): z.input<typeof shownSerials> => {
  if (scheme.source !== 'sequential') return { source: scheme.source };
  const { source, prefix, first, digits } = scheme;
  return { source, prefix, first, digits };
};

const DAY_MS = 86_400_000;

export const presentJob = (
  row: JobRow,
  artifacts: readonly ArtifactRow[],
  { links, linksExpireAt, retentionDays }: JobPresenter,
): z.input<typeof jobSchema> => {
  const id = encodeId('job', row.id);
  const { look, sheet, serials } = row.options;
  const expireAt =
    row.finished_at === null ||
    artifacts.length === 0 ||
    retentionDays === 0 ||
    row.artifacts_expired_at !== null
      ? null
      : new Date(row.finished_at.getTime() + retentionDays * DAY_MS);
  return {
    id,
    batchId: encodeId('batch', row.batch_id),
    productId: encodeId('prod', row.product_id),
    productName: row.product_name,
    lot: row.lot,
    status: row.status,
    symbology: row.symbology,
    formats: row.formats,
    errorCorrection: look.errorCorrection ?? null,
    scale: look.scale ?? 4,
    dpi: look.dpi ?? null,
    quietZone: look.quietZone ?? null,
    text: look.text ?? false,
    foreground: look.foreground ?? '#000000',
    background: look.background ?? '#ffffff',
    sheet:
      sheet === null
        ? null
        : {
            layout: typeof sheet.layout === 'string' ? sheet.layout : { ...sheet.layout },
            fields: sheet.fields,
            labels: layoutOf(sheet).columns * layoutOf(sheet).rows,
          },
    serials: showSerials(serials),
    activate: row.activate,
    progress: { done: row.done, total: row.total },
    artifacts: artifacts.map(({ kind, name, bytes, sha256 }) => ({
      kind,
      name,
      bytes,
      sha256,
      url: links.sign(id, name, linksExpireAt),
    })),
    artifactsExpireAt: expireAt?.toISOString() ?? null,
    artifactsExpiredAt: row.artifacts_expired_at?.toISOString() ?? null,
    error: row.error,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
};
