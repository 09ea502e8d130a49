/** A customer's own serials for a batch: streamed in, checked as a whole, taken or refused as a whole. */
import type { Actor, Origin } from '../actor.ts';
import { auditActor, recordAudit } from '../audit/service.ts';
import { isCset82 } from '../gs1/cset-82.ts';
import { isDotSegment } from '../gs1/digital-link.ts';
import { getBatch, lockAndGetBatch } from '../batches/service.ts';
import type { Clock } from '../clock.ts';
import { WRONG_QUOTES } from '../csv-lines.ts';
import { withTransaction, type Pool } from '../db.ts';
import { AppError } from '../errors.ts';
import { refusal, type FieldError, type Refusal } from '../field-errors.ts';
import { encodeId, newUuid } from '../ids.ts';
import { getProduct } from '../products/service.ts';
import { hasOpenJob } from './repository.ts';
import { createSerialExamples } from './serial-examples.ts';
import { serialLines, type SerialFormat } from './serial-lines.ts';
import {
  copyUploadedSerials,
  deleteUpload,
  findReadyUpload,
  insertUpload,
  listRepeatedSerials,
  listTakenSerials,
  markUploadReady,
} from './serial-repository.ts';

export type { SerialFormat } from './serial-lines.ts';

/** Problems that are reported; a file with more has one cause. */
const MOST_PROBLEMS = 100;
const MAX_LENGTH = 20;
const COPY_BLOCK = 1024 * 1024;

export interface UploadedSerials {
  serials: number;
}

/** Who sends the serials, and from where. */
export interface Uploader {
  actor: Actor;
  origin: Origin;
}

/**
 * Takes serials for all units of a batch, in the order of the file, and replaces an earlier upload.
 * Memory stays flat: what arrives is copied into Postgres, and Postgres finds the duplicates.
 * @throws AppError NOT_FOUND; CONFLICT where units or an open job exist; VALIDATION_FAILED with up to 100 problems, each
 *   with its line (`line.17`); nothing is kept then
 */
export async function uploadSerials(
  { db, clock }: { db: Pool; clock: Clock },
  uploader: Uploader,
  batchId: string,
  format: SerialFormat,
  source: AsyncIterable<Uint8Array>,
): Promise<UploadedSerials> {
  const { orgId } = uploader.actor;
  const batch = await getBatch(db, orgId, batchId);
  if (batch.minted > 0) throw hasUnits();
  const { gtin } = await getProduct(db, orgId, batch.product_id);
  const id = newUuid();
  await insertUpload(db, { id, orgId, batchId, now: clock.now() });
  try {
    const lines = serialLines(source, format);
    const received = await receive(db, id, { quantity: batch.quantity, isLinked: gtin !== null }, lines);
    const problems = [...received.problems];
    if (problems.length === 0) problems.push(...(await duplicates(db, id, batch.product_id)));
    if (problems.length === 0 && received.serials !== batch.quantity) {
      problems.push({
        path: 'serials',
        ...refusal(
          'SERIAL_COUNT',
          `the batch has ${batch.quantity} units, the file ${received.serials} serials`,
          { units: batch.quantity, serials: received.serials },
        ),
      });
    }
    if (problems.length > 0) throw refuse(problems);
    return await settle({ db, clock }, uploader, batchId, id, received);
  } catch (error) {
    await deleteUpload(db, id).catch(() => undefined);
    throw error;
  }
}

const hasUnits = (): AppError =>
  new AppError('CONFLICT', {
    detail: 'units of this batch have serials already; create another batch for these',
  });

function refuse(problems: readonly FieldError[]): AppError {
  const errors = problems.slice(0, MOST_PROBLEMS);
  return new AppError('VALIDATION_FAILED', {
    detail: errors
      .slice(0, 5)
      .map(({ path, message }) => `${path.replace('.', ' ')}: ${message}`)
      .join('; '),
    errors,
  });
}

interface Received {
  serials: number;
  characters: string;
  examples: string[];
  problems: FieldError[];
}

/** Copies good serials into Postgres and collects what is wrong with the others. */
async function receive(
  db: Pool,
  uploadId: string,
  { quantity, isLinked }: { quantity: number; isLinked: boolean },
  blocks: ReturnType<typeof serialLines>,
): Promise<Received> {
  const seen = new Uint8Array(128);
  const examples = createSerialExamples();
  const problems: FieldError[] = [];
  let serials = 0;
  let block = '';
  for await (const lines of blocks) {
    for (const { line, serial: sent } of lines) {
      const problem = problemOf(sent, isLinked);
      if (problem !== null) {
        problems.push({ path: `line.${line}`, ...problem });
        if (problems.length >= MOST_PROBLEMS) return { serials, characters: '', examples: [], problems };
        continue;
      }
      const serial = sent!;
      for (let at = 0; at < serial.length; at++) seen[serial.charCodeAt(at)] = 1;
      examples.add(serial);
      // Beyond the batch they are only counted, for the message.
      if (serials < quantity && problems.length === 0)
        block += `${uploadId}\t${serials}\t${line}\t${serial}\n`;
      serials += 1;
    }
    if (block.length > COPY_BLOCK) {
      await copyUploadedSerials(db, block);
      block = '';
    }
  }
  if (block !== '') await copyUploadedSerials(db, block);
  const characters = String.fromCharCode(...[...seen.keys()].filter((code) => seen[code] === 1));
  return { serials, characters, examples: examples.all(), problems };
}

/** @param isLinked whether a GS1 Digital Link may name the unit, as of each product with a GTIN */
function problemOf(serial: string | null, isLinked: boolean): Refusal | null {
  if (serial === null) return WRONG_QUOTES;
  if (serial.length === 0) return refusal('EMPTY', 'has no serial');
  if (serial.length > MAX_LENGTH)
    return refusal('TOO_LONG', `has more than ${MAX_LENGTH} characters`, { maximum: MAX_LENGTH });
  if (isLinked && isDotSegment(serial))
    return refusal('DOT_SEGMENT', `is "${serial}", which clients remove from a GS1 Digital Link`);
  if (isCset82(serial)) return null;
  const character = Array.from(serial).find((one) => !isCset82(one))!;
  const message = `has the character ${JSON.stringify(character)}, which is not in GS1 character set 82`;
  return refusal('NOT_A_GS1_CHARACTER', message, { character });
}

async function duplicates(db: Pool, uploadId: string, productId: string): Promise<FieldError[]> {
  const repeated = await listRepeatedSerials(db, uploadId, MOST_PROBLEMS);
  const taken = await listTakenSerials(db, uploadId, productId, MOST_PROBLEMS);
  return [
    ...repeated.map(({ serial, line, first_line }) => ({
      path: `line.${line}`,
      ...refusal('SERIAL_REPEATED', `${serial} stands in line ${first_line} already`, {
        serial,
        line: first_line!,
      }),
    })),
    ...taken.map(({ serial, line }) => ({
      path: `line.${line}`,
      ...refusal('SERIAL_TAKEN', `${serial} belongs to another unit of the product`, { serial }),
    })),
  ];
}

/** The batch's lock makes this and a job's creation wait for each other. */
async function settle(
  { db, clock }: { db: Pool; clock: Clock },
  { actor, origin }: Uploader,
  batchId: string,
  id: string,
  received: Received,
): Promise<UploadedSerials> {
  return withTransaction(db, async (uow) => {
    const batch = await lockAndGetBatch(uow.db, actor.orgId, batchId);
    if (batch.minted > 0) throw hasUnits();
    if (await hasOpenJob(uow.db, batchId))
      throw new AppError('CONFLICT', { detail: 'a barcode job of this batch is open' });
    const earlier = await findReadyUpload(uow.db, batchId);
    if (earlier !== null) await deleteUpload(uow.db, earlier.id);
    await markUploadReady(uow.db, id, received);
    const { serials } = received;
    await recordAudit({ clock }, uow.db, {
      orgId: actor.orgId,
      actor: auditActor(actor),
      action: 'uploadSerials',
      resource: encodeId('batch', batchId),
      origin,
      before: null,
      after: { serials },
    });
    return { serials };
  });
}
