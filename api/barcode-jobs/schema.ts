import { z } from 'zod';
import type { LinkSigner } from '../../shared/barcode-jobs/download-link.ts';
import {
  IMAGE_FORMATS,
  JOB_STATUSES,
  type ArtifactRow,
  type JobRow,
} from '../../shared/barcode-jobs/service.ts';
import { encodeId } from '../../shared/ids.ts';
import { idField, instant, listQuery } from '../list.ts';

export const startJobBody = z
  .strictObject({
    symbology: z.enum(['qr']).default('qr').meta({ description: 'QR code with the verification address' }),
    formats: z
      .array(z.enum(IMAGE_FORMATS))
      .min(1)
      .refine((formats) => new Set(formats).size === formats.length, { error: 'names a format twice' })
      .default(['png']),
    scale: z.number().int().min(1).max(32).default(4).meta({ description: 'Pixels along a module’s side' }),
    activate: z.boolean().default(false).meta({ description: 'Mint the units as active' }),
  })
  .default({ symbology: 'qr', formats: ['png'], scale: 4, activate: false });

export const listJobsQuery = listQuery({
  batchId: idField('batch').optional(),
  status: z.enum(JOB_STATUSES).optional(),
});

const artifactSchema = z
  .object({
    kind: z.enum(['images', 'codes', 'manifest']),
    name: z.string(),
    bytes: z.number().int(),
    sha256: z.string(),
    url: z.string().meta({ description: 'Signed; works for a short time, read the job again for a new one' }),
  })
  .meta({ id: 'Artifact' });

export const jobSchema = z
  .object({
    id: z.string(),
    batchId: z.string(),
    status: z.enum(JOB_STATUSES),
    symbology: z.string(),
    formats: z.array(z.enum(IMAGE_FORMATS)),
    scale: z.number().int(),
    activate: z.boolean(),
    progress: z.object({ done: z.number().int(), total: z.number().int() }),
    artifacts: z.array(artifactSchema).meta({ description: 'Empty until the job is completed' }),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: instant,
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
  })
  .meta({ id: 'BarcodeJob' });

export interface LinkMaker {
  links: LinkSigner;
  expiresAt: Date;
}

export const presentJob = (
  row: JobRow,
  artifacts: readonly ArtifactRow[],
  { links, expiresAt }: LinkMaker,
): z.input<typeof jobSchema> => {
  const id = encodeId('job', row.id);
  return {
    id,
    batchId: encodeId('batch', row.batch_id),
    status: row.status,
    symbology: row.symbology,
    formats: row.formats,
    scale: row.options.scale ?? 4,
    activate: row.activate,
    progress: { done: row.done, total: row.total },
    artifacts: artifacts.map(({ kind, name, bytes, sha256 }) => ({
      kind,
      name,
      bytes,
      sha256,
      url: links.sign(id, name, expiresAt),
    })),
    error: row.error,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
};
