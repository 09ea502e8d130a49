import { z } from 'zod';
import { verificationAddress } from '../../shared/barcodes/payload.ts';
import { encodeId, encodeNullableId } from '../../shared/ids.ts';
import type { Keyring } from '../../shared/keyring.ts';
import type { Actor } from '../../shared/actor.ts';
import { RECALL_SCOPES } from '../../shared/recalls/service.ts';
import type { UnitFilter, UnitRow } from '../../shared/units/service.ts';
import { scannedUnitIn, withoutSymbologyIdentifier } from '../../shared/units/scanned.ts';
import { tokenOf } from '../../shared/units/token.ts';
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

export const listUnitsQuery = listQuery('product-units', {
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
  ids: unitIds.optional(),
  risk: z.enum(RISKS).optional().meta({ description: 'Needs `scans.read`' }),
});

/** What somebody who holds a package can type or scan of it. */
export function whatIsSearched(
  keys: Keyring,
  q: string | undefined,
): Pick<UnitFilter, 'q' | 'code' | 'link'> {
  if (q === undefined) return {};
  const unit = scannedUnitIn(keys, q);
  if (unit === null) return { q: withoutSymbologyIdentifier(q) };
  return 'code' in unit ? { q: undefined, code: unit.code } : { q: undefined, link: unit.ofGtin };
}

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

function recallOf(row: UnitRow): z.input<typeof unitSchema>['recall'] {
  if (row.recall_scope === null || row.recalled_at === null) return null;
  return { of: row.recall_scope, recalledAt: row.recalled_at.toISOString(), reason: row.recall_reason };
}

/** @param caller what scans tell is for those who may read them. */
export async function unitPresenter(
  { sites, config: { PUBLIC_URL, TOKEN_KEYS } }: Pick<ApiDeps, 'config' | 'sites'>,
  { orgId, scopes }: Pick<Actor, 'orgId' | 'scopes'>,
): Promise<(row: UnitRow) => z.input<typeof unitSchema>> {
  const baseUrl = (await sites.codesUrlOf(orgId)) ?? PUBLIC_URL;
  const maySeeRisk = scopes.has('scans.read');
  return (row) => {
    const token = tokenOf(TOKEN_KEYS, row.code, row.token_key);
    return {
      id: encodeId('unit', row.id),
      batchId: encodeId('batch', row.batch_id),
      productId: encodeId('prod', row.product_id),
      productName: row.product_name,
      serial: row.serial,
      token,
      verifyUrl: verificationAddress(baseUrl, token),
      status: row.status,
      activatedAt: row.activated_at?.toISOString() ?? null,
      consumedAt: row.consumed_at?.toISOString() ?? null,
      recall: recallOf(row),
      lot: row.lot,
      expiresOn: row.expires_on,
      risk: maySeeRisk ? row.risk : null,
      openCaseId: maySeeRisk ? encodeNullableId('case', row.open_case_id) : null,
    };
  };
}
