import { readAttention } from '../../shared/attention/service.ts';
import { needs, ok, operation } from '../operation.ts';
import { attentionSchema, presentAttention } from './schema.ts';

export const attentionOperations = [
  operation({
    method: 'get',
    path: '/api/v1/attention',
    operationId: 'getAttention',
    tag: 'Overview',
    summary: 'What needs somebody’s attention now',
    description: 'Counts and the top few of each kind that the caller may see; the other kinds are null.',
    access: needs(
      'scans.read',
      'scans.write',
      'reports.read',
      'webhooks.read',
      'webhooks.write',
      'products.read',
      'barcodes.generate',
      'product_units.write',
      'consignments.read',
      'consignments.write',
      'reports.write',
    ),
    responses: { 200: { description: 'What waits', schema: attentionSchema } },
    handle: async ({ deps, db, actor }) =>
      ok(presentAttention(await readAttention(deps, db, actor.orgId, actor.scopes))),
  }),
];
