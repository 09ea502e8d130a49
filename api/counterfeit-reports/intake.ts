/** Reads a report as it comes: JSON, a form, or a form with photos, which go straight into the storage. */
import type { IncomingMessage } from 'node:http';
import { finished, type Readable } from 'node:stream';
import busboy from 'busboy';
import type { Request } from 'express';
import {
  MAX_PHOTO_BYTES,
  MAX_PHOTOS,
  photoFolder,
  type OriginalPhoto,
} from '../../shared/counterfeit-reports/photos.ts';
import { SNIFF_BYTES, sniffImage } from '../../shared/counterfeit-reports/sniff.ts';
import { AppError, invalidField } from '../../shared/errors.ts';
import { refusal } from '../../shared/field-errors.ts';
import { newUuid } from '../../shared/ids.ts';
import { announceFiles, discardFiles } from '../../shared/storage/intake.ts';
import { putOrBlame } from '../../shared/storage/storage-failure.ts';
import type { Storage } from '../../shared/storage/storage.ts';
import type { ApiDeps } from '../deps.ts';
import { isForm, readForm, readJson, typedText } from '../middleware/form-body.ts';
import { hasOtherBody, unsupportedType } from '../middleware/json-body.ts';

export const REPORT_TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
] as const;

/** A class, so that no JSON body can pass for one and name files of somebody else's. */
export class UploadedPhotos {
  readonly reportId: string;
  readonly originals: readonly OriginalPhoto[];

  constructor(reportId: string, originals: readonly OriginalPhoto[]) {
    this.reportId = reportId;
    this.originals = originals;
  }
}

const LIMITS = {
  files: MAX_PHOTOS,
  fileSize: MAX_PHOTO_BYTES,
  fields: 20,
  fieldSize: 16 * 1024,
  parts: 30,
  headerPairs: 20,
};

const HEIC_SENTENCE =
  'is a HEIC photo, which we cannot read; please choose "Most compatible" in the camera’s settings, or send it as JPEG';

/** Passes a file on when its first bytes are those of a photo. @throws AppError VALIDATION_FAILED, PAYLOAD_TOO_LARGE */
async function* vetted(file: Readable & { truncated?: boolean }, path: string): AsyncGenerator<Uint8Array> {
  let head: Buffer | null = Buffer.alloc(0);
  const check = (bytes: Buffer): void => {
    const kind = sniffImage(bytes);
    if (kind === 'heic') throw invalidField(path, refusal('HEIC_PHOTO', HEIC_SENTENCE));
    if (kind === null) throw invalidField(path, refusal('NOT_A_PHOTO', 'is not a JPEG, PNG or WebP photo'));
  };
  for await (const chunk of file as AsyncIterable<Buffer>) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < SNIFF_BYTES) continue;
    check(head.subarray(0, SNIFF_BYTES));
    yield head;
    head = null;
  }
  if (head !== null) check(head);
  if (file.truncated === true)
    throw new AppError('PAYLOAD_TOO_LARGE', {
      detail: `a photo has at most ${MAX_PHOTO_BYTES / 1024 / 1024} MB`,
    });
}

/** Stores one file; none at all where the form's field was left empty. */
async function storePhoto(
  storage: Storage,
  key: string,
  path: string,
  file: Readable,
  filename: string | undefined,
): Promise<OriginalPhoto | null> {
  if (filename === undefined || filename === '') {
    file.resume();
    return null;
  }
  try {
    const { sha256 } = await putOrBlame(storage, key, vetted(file, path));
    return { key, sha256 };
  } finally {
    // What is not read would hold up the rest of the form.
    file.resume();
  }
}

const unreadable = (): AppError => new AppError('BAD_REQUEST', { detail: 'the form cannot be read' });

/** @throws AppError BAD_REQUEST, where the header names no boundary */
function parserOf({ headers }: Request): busboy.Busboy {
  try {
    return busboy({ headers, limits: LIMITS, defParamCharset: 'utf8' });
  } catch {
    throw unreadable();
  }
}

async function readMultipart(req: Request, deps: ApiDeps): Promise<Record<string, unknown>> {
  const { db, clock, storage } = deps;
  const parser = parserOf(req);
  const reportId = newUuid();
  const prefix = photoFolder(reportId);
  await announceFiles(db, prefix, clock.now());
  // In place already while it is read: whoever has to tell a person what is wrong gives back what was typed.
  const fields: Record<string, unknown> = (req.body = {});
  const photos: Promise<OriginalPhoto | null>[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const bad = (): void => reject(unreadable());
      parser.on('field', (name, sent, info) => {
        const value = typedText(sent);
        if (info.valueTruncated)
          reject(invalidField(name, refusal('TOO_LONG', 'is too long', { maximum: LIMITS.fieldSize })));
        fields[name] = Object.hasOwn(fields, name) ? [fields[name], value].flat() : value;
      });
      parser.on('file', (name, file, { filename }) => {
        // Whoever reads the file hears of its end too soon; where nobody does, or not yet, it would end the process.
        file.on('error', () => undefined);
        const position = photos.length + 1;
        if (name !== 'photos') {
          file.resume();
          reject(invalidField(name, refusal('UNKNOWN_FIELD', 'is not a known field')));
          return;
        }
        const key = `${prefix}original-${position}`;
        const stored = storePhoto(storage, key, `photos.${position - 1}`, file, filename);
        stored.catch(reject);
        photos.push(stored);
      });
      parser.on('filesLimit', () =>
        reject(
          invalidField('photos', refusal('TOO_MANY', `are at most ${MAX_PHOTOS}`, { maximum: MAX_PHOTOS })),
        ),
      );
      for (const limit of ['fieldsLimit', 'partsLimit'] as const)
        parser.on(limit, () => reject(new AppError('PAYLOAD_TOO_LARGE')));
      parser.on('error', bad);
      parser.on('close', () => resolve());
      // A client that goes away, also one that is gone already.
      finished(req, (error) => error && bad());
      (req as IncomingMessage).pipe(parser);
    });
    const originals = (await Promise.all(photos)).filter((photo) => photo !== null);
    return { ...fields, photos: new UploadedPhotos(reportId, originals) };
  } catch (error) {
    // The rest of the body is of no interest; it is read, so that the answer gets through.
    req.unpipe();
    req.resume();
    // Ends the photo that is being read: its file would stay open and wait for more for ever.
    parser.destroy(error as Error);
    await Promise.allSettled(photos);
    void discardFiles(deps, prefix);
    throw error;
  }
}

/** Photos of a report that was refused, trapped or a repetition: anybody could fill the disk with those. */
export async function discardReport(deps: ApiDeps, body: unknown): Promise<void> {
  const { photos } = (body ?? {}) as { photos?: unknown };
  if (photos instanceof UploadedPhotos) await discardFiles(deps, photoFolder(photos.reportId));
}

/** As text, which is all that a form has: `true`, and Python's `True`. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** The page's form does not ask: whoever fills in its field for questions agrees to be asked. A program's form says it. */
const withConsent = ({ contactConsent: sent = true, ...form }: Record<string, unknown>) => ({
  ...form,
  contactConsent: BOOLEANS.get(String(sent).toLowerCase()) ?? sent,
});

/** @throws AppError UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, PAYLOAD_TOO_LARGE, VALIDATION_FAILED for a photo */
export async function readReport(req: Request, deps: ApiDeps): Promise<unknown> {
  if (req.is('multipart/form-data')) return withConsent(await readMultipart(req, deps));
  if (isForm(req)) return withConsent(await readForm(req));
  if (hasOtherBody(req)) throw unsupportedType(REPORT_TYPES);
  return readJson(req);
}

export const PHOTO_TYPES = ['multipart/form-data'] as const;

/** Photos alone, for a report that is there; what is JSON, or nothing, has none. @throws AppError UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, PAYLOAD_TOO_LARGE, VALIDATION_FAILED */
export async function readPhotos(req: Request, deps: ApiDeps): Promise<unknown> {
  if (req.is('multipart/form-data')) return readMultipart(req, deps);
  if (hasOtherBody(req)) throw unsupportedType(PHOTO_TYPES);
  return readJson(req);
}
