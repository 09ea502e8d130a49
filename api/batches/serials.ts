import { z } from 'zod';
import { uploadSerials, type SerialFormat } from '../../shared/barcode-jobs/serial-upload.ts';
import { getBatch } from '../../shared/batches/service.ts';
import { boundedBody, refuseEncoding } from '../bounded-body.ts';
import { unsupportedType } from '../middleware/json-body.ts';
import { needs, ok, operation } from '../operation.ts';

const FORMATS: Record<string, SerialFormat> = {
  'application/json': 'json',
  'text/csv': 'csv',
  'text/plain': 'csv',
  'application/x-ndjson': 'ndjson',
};

/** Ten million serials of 20 characters, with quotes, as CSV or JSON. */
const MAX_MB = 512;

export const serialOperations = [
  operation({
    method: 'post',
    path: '/api/v1/batches/{id}/serials',
    operationId: 'uploadSerials',
    tag: 'Batches',
    summary: 'Upload your own serials for a batch',
    description:
      'One serial for each unit, in order: CSV (one column, or a column named `serial` among others, with comma, semicolon or tab between cells), NDJSON or a JSON array of strings or of objects with `serial`. All of them are taken or none: what is wrong is reported by line. The batch’s first barcode job then uses them. A second upload replaces the first, until units exist.',
    access: needs('barcodes.generate'),
    ids: { id: 'batch' },
    readBody: 'handler',
    accepts: Object.fromEntries(
      Object.entries(FORMATS).map(([type, format]) => [
        type,
        format === 'json' ? z.array(z.string()) : z.string(),
      ]),
    ),
    ownTransaction: true,
    responses: {
      200: { description: 'All were taken', schema: z.object({ serials: z.number().int() }) },
    },
    errors: ['CONFLICT', 'MALFORMED_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
    handle: async ({ deps, actor, origin, ids, req, stillMay }) => {
      // What is another's is not found, whatever is sent there.
      await getBatch(deps.db, actor.orgId, ids.id);
      const type = req.is(Object.keys(FORMATS));
      if (typeof type !== 'string') throw unsupportedType(Object.keys(FORMATS));
      refuseEncoding(req);
      const body = checkedAtEnd(boundedBody(req, MAX_MB * 1024 * 1024, `at most ${MAX_MB} MB`), stillMay);
      return ok(await uploadSerials(deps, { actor, origin }, ids.id, FORMATS[type]!, body));
    },
  }),
];

/** Nothing is kept of what somebody sends who may not do so any more when it is there. */
async function* checkedAtEnd(
  body: AsyncIterable<Uint8Array>,
  check: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  yield* body;
  await check();
}
