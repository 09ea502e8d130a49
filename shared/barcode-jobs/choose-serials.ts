/** Decides how the units of a batch get their serials, so that no job finds out later that it cannot. */
import type { Db } from '../db.ts';
import { AppError, invalidField } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { sequentialSerial, type SerialRequest, type SerialScheme } from './options.ts';
import { findMintingOptions } from './repository.ts';
import {
  findReadyUpload,
  findSerialInRange,
  findSerialTakenSince,
  findUploadedInRange,
  hasOverlappingJob,
  type SerialUploadRow,
} from './serial-repository.ts';

export interface BatchForSerials {
  id: string;
  product_id: string;
  quantity: number;
  minted: number;
}

/** What the symbology must be able to hold. */
export interface SerialSamples {
  /** Every character that may occur. */
  characters: string;
  /** Of each length one that symbols need most room for, and the widest in print. */
  examples: readonly string[];
}

export interface ChosenSerials {
  scheme: SerialScheme;
  samples: SerialSamples;
}

/** Crockford's base 32: no I, L, O, U, so that a serial read out over the telephone survives. */
export const RANDOM_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
// 60 random bits: in ten million units of a product two are alike with a chance of 1 in 23,000, and then the unique
// key refuses the chunk, which is minted anew. Not guessable from its neighbours.
export const RANDOM_LENGTH = 12;
/**
 * The first is wider in print (9.3 times the size of its letters) than all but one in 40,000. Where letters and digits take turns, Aztec
 * and PDF417 spend codewords on each change: one in four Aztec symbols of random serials is larger than that of letters alone, and most
 * of PDF417. None is wider than the second's, or higher than the third's.
 */
export const RANDOM_SAMPLES: SerialSamples = {
  characters: RANDOM_ALPHABET,
  examples: ['G'.repeat(RANDOM_LENGTH), 'G0'.repeat(RANDOM_LENGTH / 2), '0GG'.repeat(RANDOM_LENGTH / 3)],
};

/**
 * @param request null leaves the choice to what the batch has.
 * @throws AppError VALIDATION_FAILED for a scheme that does not fit, CONFLICT where units have another one already
 */
export async function chooseSerials(
  db: Db,
  batch: BatchForSerials,
  request: SerialRequest | null,
): Promise<ChosenSerials> {
  const earlier = await schemeOfUnits(db, batch);
  const upload = await findReadyUpload(db, batch.id);
  const scheme = earlier ?? resolve(request, upload?.id ?? null);
  if (earlier !== null && request !== null && !isSame(request, earlier))
    throw new AppError('CONFLICT', {
      detail: `units of this batch have serials already (${earlier.source}); leave "serials" out to go on with them`,
    });
  switch (scheme.source) {
    case 'random':
      return { scheme, samples: RANDOM_SAMPLES };
    case 'sequential':
      if (earlier === null) await requireFreeNumbers(db, batch, scheme);
      return {
        scheme,
        samples: {
          characters: [...new Set(`${scheme.prefix}0123456789`)].join(''),
          examples: [sequentialSerial(scheme, 0)],
        },
      };
    case 'uploaded':
    default:
      if (upload === null)
        throw invalidField(
          'serials',
          refusal('SERIALS_NOT_UPLOADED', 'no serials were uploaded for this batch'),
        );
      if (upload.serials !== batch.quantity)
        throw invalidField(
          'serials',
          refusal(
            'SERIAL_COUNT',
            `the batch has ${batch.quantity} units, and ${upload.serials} serials were uploaded`,
            { units: batch.quantity, serials: upload.serials },
          ),
        );
      if (earlier === null) await requireStillFree(db, batch, upload);
      return { scheme, samples: upload };
  }
}

/**
 * Checks that a failed job can go on with the serials it began with.
 * @throws AppError CONFLICT where its units would get others than the batch has meanwhile, VALIDATION_FAILED for numbers
 *   that are taken
 */
export async function requireResumable(db: Db, batch: BatchForSerials, scheme: SerialScheme): Promise<void> {
  const earlier = await schemeOfUnits(db, batch);
  if (earlier !== null && !isSame(scheme, earlier))
    throw new AppError('CONFLICT', {
      detail: `another job gave units of this batch other serials (${earlier.source}): start a new job, which goes on with those`,
    });
  if (scheme.source === 'sequential' && earlier === null) await requireFreeNumbers(db, batch, scheme);
  const upload = scheme.source === 'uploaded' ? await findReadyUpload(db, batch.id) : null;
  if (upload !== null && earlier === null) await requireStillFree(db, batch, upload);
  // The symbology was checked against the serials of that upload, and they are gone.
  if (scheme.source === 'uploaded' && upload?.id !== scheme.uploadId)
    throw new AppError('CONFLICT', {
      detail: 'serials were uploaded anew since this job began: start a new job, which takes those',
    });
}

/** Serials were compared with the product's units when they were uploaded. @throws AppError VALIDATION_FAILED */
async function requireStillFree(db: Db, batch: BatchForSerials, upload: SerialUploadRow): Promise<void> {
  const serial = await findSerialTakenSince(db, upload, batch);
  if (serial !== null)
    throw invalidField(
      'serials',
      refusal('SERIAL_TAKEN', `${serial} was given to another batch of the product since: upload others`, {
        serial,
      }),
    );
}

/** How the batch's units got their serials; null while there are none. */
async function schemeOfUnits(db: Db, batch: BatchForSerials): Promise<SerialScheme | null> {
  return batch.minted > 0 ? ((await findMintingOptions(db, batch.id))?.serials ?? null) : null;
}

function resolve(request: SerialRequest | null, uploadId: string | null): SerialScheme {
  if (request === null && uploadId === null) return { source: 'random' };
  if (request !== null && request.source !== 'uploaded') return request;
  if (uploadId === null)
    throw invalidField('serials', refusal('SERIALS_NOT_UPLOADED', 'no serials were uploaded for this batch'));
  return { source: 'uploaded', uploadId };
}

function isSame(request: SerialRequest, scheme: SerialScheme): boolean {
  if (request.source !== 'sequential' || scheme.source !== 'sequential')
    return request.source === scheme.source;
  return (
    request.prefix === scheme.prefix && request.first === scheme.first && request.digits === scheme.digits
  );
}

/**
 * Checks a range of numbers against the product's units and its other jobs.
 * @throws AppError VALIDATION_FAILED
 */
async function requireFreeNumbers(
  db: Db,
  batch: BatchForSerials,
  scheme: Extract<SerialScheme, { source: 'sequential' }>,
): Promise<void> {
  const { prefix, first, digits } = scheme;
  const last = first + batch.quantity - 1;
  if (String(last).length > digits)
    throw invalidField(
      'serials.digits',
      refusal('DIGITS_TOO_FEW', `${digits} digits do not hold the last number, ${last}`, { digits, last }),
    );
  if (prefix.length + digits > 20)
    throw invalidField(
      'serials.prefix',
      refusal('SERIAL_TOO_LONG', 'prefix and digits together must be at most 20 characters', { maximum: 20 }),
    );
  const range = {
    prefix,
    first: sequentialSerial(scheme, 0),
    last: sequentialSerial(scheme, batch.quantity - 1),
  };
  const taken = await findSerialInRange(db, batch.product_id, range);
  if (taken !== null)
    throw invalidField(
      'serials.first',
      refusal('SERIAL_TAKEN', `the product has a unit with the serial ${taken} already`, { serial: taken }),
    );
  const promised = await findUploadedInRange(db, batch, range);
  if (promised !== null)
    throw invalidField(
      'serials.first',
      refusal('SERIAL_TAKEN', `another batch of the product is to have the serial ${promised}`, {
        serial: promised,
      }),
    );
  if (await hasOverlappingJob(db, batch.product_id, batch.id, range))
    throw invalidField(
      'serials.first',
      refusal('NUMBERS_TAKEN', 'another job of the product uses numbers of this range'),
    );
}
