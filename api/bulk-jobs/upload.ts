/** An uploaded list of units: put into the storage as it comes, so that memory stays the same; a worker reads it. */
import type { Request } from 'express';
import { listKeyOf, MAX_UPLOAD_BYTES } from '../../shared/bulk-jobs/upload-lines.ts';
import { newUuid } from '../../shared/ids.ts';
import { announceFiles, discardFiles } from '../../shared/storage/intake.ts';
import { putOrBlame } from '../../shared/storage/storage-failure.ts';
import { boundedBody, refuseEncoding } from '../bounded-body.ts';
import type { ApiDeps } from '../deps.ts';
import { lineFormatOf, type LineFormat } from '../line-formats.ts';
import { readJson } from '../middleware/form-body.ts';
import { hasOtherBody, unsupportedType } from '../middleware/json-body.ts';

export const UPLOAD_TYPES = ['application/json', 'text/csv', 'application/x-ndjson'] as const;

/** A class, so that no JSON body can pass for one and name a file of somebody else's. */
export class UploadedList {
  readonly prefix: string;
  readonly format: LineFormat;
  readonly #sha256: string;

  /** @param sha256 of the list, lower-case hex */
  constructor(prefix: string, format: LineFormat, sha256: string) {
    this.prefix = prefix;
    this.format = format;
    this.#sha256 = sha256;
  }

  /** What the request says, for `Idempotency-Key`: the same list lies elsewhere each time. */
  toJSON(): object {
    return { format: this.format, sha256: this.#sha256 };
  }
}

/** @returns a JSON body as it is, or where the list lies. @throws AppError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE; StorageFailedError */
export async function readUnits(req: Request, deps: ApiDeps): Promise<unknown> {
  const format = lineFormatOf(req);
  if (format === null) {
    if (hasOtherBody(req)) throw unsupportedType(UPLOAD_TYPES);
    return readJson(req);
  }
  refuseEncoding(req);
  const prefix = `uploads/${newUuid()}/`;
  await announceFiles(deps.db, prefix, deps.clock.now());
  try {
    const detail = `a list has at most ${MAX_UPLOAD_BYTES / 1024 / 1024} MB; upload it in parts`;
    const list = boundedBody(req, MAX_UPLOAD_BYTES, detail);
    const { sha256 } = await putOrBlame(deps.storage, listKeyOf(prefix), list);
    return new UploadedList(prefix, format, sha256);
  } catch (error) {
    void discardFiles(deps, prefix);
    throw error;
  }
}

/** The list of a request that was refused. */
export async function discardUnits(deps: ApiDeps, body: unknown): Promise<void> {
  if (body instanceof UploadedList) await discardFiles(deps, body.prefix);
}
