/** An uploaded list of units: put into the storage as it comes, so that memory stays the same; a worker reads it. */
import type { Request } from 'express';
import { listKeyOf, MAX_UPLOAD_BYTES } from '../../shared/bulk-jobs/upload-lines.ts';
import { AppError } from '../../shared/errors.ts';
import { newUuid } from '../../shared/ids.ts';
import { announceFiles, discardFiles } from '../../shared/storage/intake.ts';
import { boundedBody } from '../bounded-body.ts';
import type { ApiDeps } from '../deps.ts';
import { readJson } from '../middleware/form-body.ts';

const FORMATS = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
} as const;

export const UPLOAD_TYPES = ['application/json', 'text/csv', 'application/x-ndjson'] as const;

/** A class, so that no JSON body can pass for one and name a file of somebody else's. */
export class UploadedList {
  readonly prefix: string;
  readonly format: 'csv' | 'ndjson';

  constructor(prefix: string, format: 'csv' | 'ndjson') {
    this.prefix = prefix;
    this.format = format;
  }
}

/** @returns a JSON body as it is, or where the list lies. @throws AppError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE */
export async function readUnits(req: Request, deps: ApiDeps): Promise<unknown> {
  const type = req.is(Object.keys(FORMATS));
  if (type === false || type === null) return readJson(req);
  if (req.get('content-encoding') !== undefined)
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { detail: 'send the list without a content encoding' });
  const upload = new UploadedList(`uploads/${newUuid()}/`, FORMATS[type as keyof typeof FORMATS]);
  await announceFiles(deps.db, upload.prefix, deps.clock.now());
  try {
    const detail = `a list has at most ${MAX_UPLOAD_BYTES / 1024 / 1024} MB; upload it in parts`;
    await deps.storage.put(listKeyOf(upload.prefix), boundedBody(req, MAX_UPLOAD_BYTES, detail));
  } catch (error) {
    void discardUnits(deps, upload);
    throw error;
  }
  return upload;
}

/** The list of a request that was refused. */
export async function discardUnits(deps: ApiDeps, body: unknown): Promise<void> {
  if (body instanceof UploadedList) await discardFiles(deps, body.prefix);
}
