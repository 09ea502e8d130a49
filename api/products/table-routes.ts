import { z } from 'zod';
import { auditActor, recordAudits } from '../../shared/audit/service.ts';
import { withTransaction } from '../../shared/db.ts';
import { encodeId } from '../../shared/ids.ts';
import { importProducts, planImport } from '../../shared/products/import.ts';
import { boundedBody, refuseEncoding } from '../bounded-body.ts';
import { CSV_RESPONSES, sendCsv } from '../csv-download.ts';
import { LINE_TYPES, lineFormatOf } from '../line-formats.ts';
import { unsupportedType } from '../middleware/json-body.ts';
import { needs, ok, operation } from '../operation.ts';
import { TABLE_COLUMNS } from './columns.ts';
import { rowsOf } from './export.ts';
import {
  filterOf,
  importQuery,
  importSchema,
  listProductsQuery,
  presentImport,
  presentProduct,
} from './schema.ts';
import { MAX_PRODUCTS, MAX_ROW_CHARACTERS, readTable } from './table.ts';

const tag = 'Products';

const MAX_MB = 10;

export const productTableOperations = [
  operation({
    method: 'get',
    path: '/api/v1/products.csv',
    operationId: 'exportProducts',
    tag,
    summary: 'Export products as CSV, newest first',
    description:
      'Can be changed in a spreadsheet and imported again. Markets are separated by spaces; `attributes` and `links` are JSON. Cells that a spreadsheet would take for a formula are made text.',
    access: needs('products.read'),
    query: listProductsQuery.omit({ limit: true, cursor: true }),
    responses: CSV_RESPONSES,
    handle: ({ db, actor, query, res }) =>
      sendCsv(res, 'products', TABLE_COLUMNS, rowsOf(db, actor.orgId, filterOf(query))),
  }),
  operation({
    method: 'post',
    path: '/api/v1/products/import',
    operationId: 'importProducts',
    tag,
    summary: 'Create and change products by a table',
    description: `Each row is a product, by its SKU: one that there is is changed, any other is created, all of them or none. CSV with a heading (comma, semicolon or tab between cells), or NDJSON, up to ${MAX_PRODUCTS} products, ${MAX_MB} MB and ${MAX_ROW_CHARACTERS} characters a row. A column, or member, that is not there leaves its field as it is; an empty cell, or \`null\`, empties it. Columns that only the service sets (\`id\`, \`archivedAt\`, \`createdAt\`, \`updatedAt\`) are passed over, so that an exported table can be imported. What is wrong is told by row and column (\`row.3.gtin\`; the heading is row 1). The same table again changes nothing.`,
    access: needs('products.write'),
    query: importQuery,
    readBody: 'handler',
    accepts: Object.fromEntries(LINE_TYPES.map((type) => [type, z.string()])),
    ownTransaction: true,
    responses: { 200: { description: 'What was changed, or would be', schema: importSchema } },
    errors: ['CONFLICT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
    handle: async ({ deps, db, actor, origin, query, req, stillMay }) => {
      const format = lineFormatOf(req);
      if (format === null) throw unsupportedType(LINE_TYPES);
      refuseEncoding(req);
      const body = boundedBody(
        req,
        MAX_MB * 1024 * 1024,
        `a table has at most ${MAX_MB} MB: import it in parts`,
      );
      const products = await readTable(body, format);
      await stillMay();
      if (query.dryRun === 'true')
        return ok(presentImport(await planImport(db, actor.orgId, products), true));
      const done = await withTransaction(deps.db, async (uow) => {
        const imported = await importProducts(deps, uow.db, actor.orgId, products);
        await recordAudits(
          deps,
          uow.db,
          { orgId: actor.orgId, actor: auditActor(actor), action: 'importProducts', origin },
          imported.changes.map(({ before, after }) => ({
            resource: encodeId('prod', after.id),
            before: before && presentProduct(before),
            after: presentProduct(after),
          })),
        );
        return imported;
      });
      return ok(presentImport(done, false));
    },
  }),
];
