/** Reports that an organization's own people or systems file: an inspection, a test purchase, an offer on the web, a telephone call. */
import { authorOf, type Actor } from '../actor.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import { invalidField } from '../errors.ts';
import { refusal } from '../field-errors.ts';
import { newUuid } from '../ids.ts';
import type { Keyring } from '../keyring.ts';
import { unitSearchOf } from '../units/scanned.ts';
import { listUnits, type UnitRow } from '../units/service.ts';
import { findNamedUnit, goodsNamed } from './goods.ts';
import { insertReport, type Goods, type Resolution } from './repository.ts';
import { changeReport, type ChangedReport } from './service.ts';
import { statusOf, type OwnChannel } from './states.ts';

export interface OwnReport {
  channel: OwnChannel;
  description: string;
  /** What a scanner reads off the code, as given. */
  code: string | null;
  /** UUID. */
  unitId: string | null;
  /** UUID; where a unit is named, its own or null. */
  productId: string | null;
  brand: string | null;
  purchasedFrom: string | null;
  price: string | null;
  country: string | null;
  /** YYYY-MM-DD. */
  foundOn: string | null;
  contactName: string | null;
  contactEmail: string | null;
  /** UUID of a member of the organization. */
  assigneeId: string | null;
  /** Where it is decided already; null leaves it open. */
  resolution: Resolution | null;
}

/** The calendar's day is already the next one east of UTC. */
const EARLIEST_ZONE_MS = 14 * 3_600_000;

/**
 * Files a report. No consumer reports anything, so no `counterfeit_report.created` is sent, and the caps on strangers' reports
 * do not hold. A code that is none of the organization's is kept as it was given: it stands on a fake.
 * @throws AppError VALIDATION_FAILED for a unit, a product or a person that the organization does not have, and for a day to come
 */
export async function fileOwnReport(
  deps: { clock: Clock; tokenKeys: Keyring },
  db: Db,
  actor: Actor,
  given: OwnReport,
): Promise<ChangedReport> {
  const { orgId } = actor;
  const now = deps.clock.now();
  if (given.foundOn !== null && new Date(given.foundOn).getTime() > now.getTime() + EARLIEST_ZONE_MS)
    throw invalidField('foundOn', refusal('NOT_IN_PAST', 'must not be in the future'));
  const unit = await findGoods(deps, db, orgId, given);
  const { channel, code, brand, description, purchasedFrom, price, country, foundOn } = given;
  const id = newUuid();
  const author = authorOf(actor);
  await insertReport(db, {
    id,
    channel,
    filedBy: author,
    foundOn,
    orgId,
    unit,
    scanId: null,
    code,
    brand,
    description,
    purchasedFrom,
    price,
    language: null,
    country,
    networkId: null,
    fingerprint: null,
    contactName: given.contactName,
    contactEmail: given.contactEmail,
    now,
  });
  const { resolution } = given;
  const decision = resolution === null ? {} : { status: statusOf(resolution), resolution };
  return changeReport(deps, db, orgId, id, { assigneeId: given.assigneeId, ...decision }, author);
}

async function findGoods(
  { tokenKeys }: { tokenKeys: Keyring },
  db: Db,
  orgId: string,
  { code, unitId, productId }: OwnReport,
): Promise<Goods> {
  const unit =
    unitId !== null
      ? await findNamedUnit(db, orgId, unitId)
      : code === null
        ? null
        : await findScanned(tokenKeys, db, orgId, code);
  return goodsNamed(db, orgId, unit, productId);
}

async function findScanned(keys: Keyring, db: Db, orgId: string, text: string): Promise<UnitRow | null> {
  const { q, ...search } = unitSearchOf(keys, text);
  // No code at all: what is left is the beginning of a serial, which many units have.
  if (q !== undefined) return null;
  const { rows } = await listUnits(db, orgId, search, { limit: 1, beforeId: null });
  return rows[0] ?? null;
}
