import { z } from 'zod';
import type { Actor } from '../../shared/actor.ts';
import { RECALL_SCOPES } from '../../shared/recalls/service.ts';
import { publicUnit } from '../../shared/units/public-unit.ts';
import type { UnitRow } from '../../shared/units/service.ts';
import type { ApiDeps } from '../deps.ts';
import { idField, instant, listQuery, moment, searchField } from '../list.ts';

const STATUSES = ['minted', 'active', 'suspended', 'voided'] as const;
const RISKS = ['clear', 'suspect', 'confirmed'] as const;

const MAX_IDS = 200;

/** Ids with commas between; become UUIDs. */
const unitIds = z
  .string()
  .max(MAX_IDS * 40)
  .transform((text) => text.split(','))
  .pipe(z.array(idField('unit')).max(MAX_IDS))
  .meta({
    override: { type: 'string' },
    description: `Only these units: up to ${MAX_IDS} ids with commas between, unknown ones left out`,
  });

export const unitFilters = {
  batchId: idField('batch').optional(),
  status: z.enum(STATUSES).optional(),
  serial: z.string().max(20).optional(),
  // As long as the longest address of a code: of host, lot and serial, each with much that is percent-encoded.
  q: searchField(
    'Beginning of the serial; or what a code says, as scanned: a token, an address, a GS1 Digital Link or element string',
    '7K2M',
    200,
  ),
  productId: idField('prod').optional(),
  consignmentId: idField('cons').optional().meta({
    description: 'What is, or was, in this consignment. Needs `consignments.read` or `consignments.write`',
  }),
  ids: unitIds.optional(),
  risk: z.enum(RISKS).optional().meta({ description: 'Needs `scans.read`' }),
};

export const listUnitsQuery = listQuery('product-units', unitFilters);

export const consumeBody = z.strictObject({
  at: moment
    .optional()
    .meta({ description: 'When it was used up, not in the future; now where it is left out' }),
});

export const unitSchema = z
  .object({
    id: z.string(),
    batchId: z.string(),
    productId: z.string(),
    productName: z.string().meta({ description: 'As the product is named now' }),
    serial: z.string(),
    token: z.string().meta({ description: 'What the printed code carries' }),
    verifyUrl: z.string().meta({ description: 'The address in its code as it is made now' }),
    status: z.enum(STATUSES),
    activatedAt: instant.nullable(),
    consumedAt: instant
      .nullable()
      .meta({ description: 'When its owner used it up; null where nobody said so' }),
    recall: z
      .object({ of: z.enum(RECALL_SCOPES), recalledAt: instant, reason: z.string().nullable() })
      .nullable()
      .meta({
        description:
          'The recall that lies over the unit: its own, else its batch’s, its consignment’s or its product’s',
      }),
    lot: z.string().nullable(),
    expiresOn: z.string().nullable(),
    risk: z.enum(RISKS).nullable().meta({
      description: 'What scoring and people hold of the unit; null for a caller without `scans.read`',
    }),
    openCaseId: z.string().nullable().meta({
      description:
        'The risk case of the unit that nobody has closed; null where there is none, and for a caller without `scans.read`',
    }),
  })
  .meta({ id: 'ProductUnit' });

/** @param caller what scans tell is for those who may read them. */
export async function unitPresenter(
  { sites, config: { PUBLIC_URL, TOKEN_KEYS } }: Pick<ApiDeps, 'config' | 'sites'>,
  { orgId, scopes }: Pick<Actor, 'orgId' | 'scopes'>,
): Promise<(row: UnitRow) => z.input<typeof unitSchema>> {
  const shown = {
    keys: TOKEN_KEYS,
    codesUrl: (await sites.codesUrlOf(orgId)) ?? PUBLIC_URL,
    withRisk: scopes.has('scans.read'),
  };
  return (row) => publicUnit(row, shown);
}
