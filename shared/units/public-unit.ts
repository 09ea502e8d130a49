/** A unit as the API shows it and as exports write it. */
import { verificationAddress } from '../barcodes/payload.ts';
import { encodeId, encodeNullableId } from '../ids.ts';
import type { Keyring } from '../keyring.ts';
import type { UnitRow } from './repository.ts';
import { tokenOf } from './token.ts';

export interface UnitPresentation {
  keys: Keyring;
  /** Where new codes of the organization lead. */
  codesUrl: string;
  /** Whether to tell what scans said of it: to those who may read them. */
  withRisk: boolean;
}

const recallOf = ({ recall_scope: of, recalled_at: recalledAt, recall_reason: reason }: UnitRow) =>
  of === null || recalledAt === null ? null : { of, recalledAt: recalledAt.toISOString(), reason };

export function publicUnit(row: UnitRow, { keys, codesUrl, withRisk }: UnitPresentation) {
  const token = tokenOf(keys, row.code, row.token_key);
  return {
    id: encodeId('unit', row.id),
    batchId: encodeId('batch', row.batch_id),
    productId: encodeId('prod', row.product_id),
    productName: row.product_name,
    serial: row.serial,
    token,
    verifyUrl: verificationAddress(codesUrl, token),
    status: row.status,
    activatedAt: row.activated_at?.toISOString() ?? null,
    consumedAt: row.consumed_at?.toISOString() ?? null,
    recall: recallOf(row),
    lot: row.lot,
    expiresOn: row.expires_on,
    risk: withRisk ? row.risk : null,
    openCaseId: withRisk ? encodeNullableId('case', row.open_case_id) : null,
  };
}

export type PublicUnit = ReturnType<typeof publicUnit>;
