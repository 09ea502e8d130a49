/**
 * What other units tell about those that one transaction scores, by batch, markets and organization: as stored, and since. Each unit
 * that is scored counts for the next; what is new is written when all are.
 */
import type { Db } from '../db.ts';
import { effectivePolicy } from '../risk-policies/effective.ts';
import { NO_AUDIENCE, withUnit, type Audience } from '../risk/audience.ts';
import { NO_SIGHTINGS, withSighting, type LotSightings } from '../risk/lot.ts';
import { countUnit } from '../risk/peers.ts';
import type { RiskPolicy } from '../risk/policy.ts';
import type { RiskProfile, UnitContext } from '../risk/types.ts';
import { addVisitors } from './audience-repository.ts';
import { loadHindsights } from './hindsights.ts';
import { addSightings } from './lot-repository.ts';
import { addPeers, findPeers, peerKey, type NewPeers, type PeerSightings } from './peer-repository.ts';
import { lotOf, needsPeers, unitContext } from './risk-input.ts';
import type { WaitingUnitRow } from './scoring-repository.ts';

/** `known`: as stored and since; `added`: what this transaction adds to that. */
interface Told<What> {
  known: Map<string, What>;
  added: Map<string, What>;
}

export class Fellows {
  private readonly lots: Told<LotSightings> = { known: new Map(), added: new Map() };
  private readonly audiences: Told<Audience> = { known: new Map(), added: new Map() };
  private readonly addedPeers = new Map<string, NewPeers>();
  private readonly peers: PeerSightings;

  private constructor(peers: PeerSightings) {
    this.peers = peers;
  }

  /** @param units locked, and with what is stored of their batches and organizations */
  static async read(db: Db, units: readonly WaitingUnitRow[]): Promise<Fellows> {
    await loadHindsights(db, units);
    const asking = units.filter((unit) =>
      needsPeers(unit, effectivePolicy(unit.org_policy, unit.product_policy)),
    );
    return new Fellows(await findPeers(db, asking));
  }

  contextOf(unit: WaitingUnitRow, policy: RiskPolicy): UnitContext {
    return unitContext(unit, policy, {
      lot: this.lots.known.get(unit.batch_id),
      audience: this.audiences.known.get(unit.org_id),
      peers: this.peers,
    });
  }

  /** Where the batch's units were seen, this one included. */
  lotOf(unit: WaitingUnitRow): LotSightings {
    return this.lots.known.get(unit.batch_id) ?? lotOf(unit);
  }

  /** @param profile after the unit's scans */
  count(unit: WaitingUnitRow, profile: RiskProfile): void {
    this.countVisitors(unit, profile);
    const { batch_id: batchId } = unit;
    const withThis = (told: LotSightings) => withSighting(told, unit.profile, profile);
    const before = this.lots.added.get(batchId) ?? NO_SIGHTINGS;
    const after = withThis(before);
    // It was counted already, or has no place yet.
    if (after === before) return;
    this.lots.added.set(batchId, after);
    this.lots.known.set(batchId, withThis(this.lotOf(unit)));

    const { org_id: orgId, markets } = unit;
    const key = peerKey(unit);
    const added = this.addedPeers.get(key)?.sightings ?? NO_SIGHTINGS;
    this.addedPeers.set(key, { orgId, markets, sightings: withThis(added) });
    const { same, all } = this.peers;
    // Those that nobody asks were not read.
    if (same.has(key)) same.set(key, withThis(same.get(key)!));
    const ofAll = all.get(orgId);
    if (ofAll !== undefined) countUnit(ofAll, markets, unit.profile, profile);
  }

  /** Other scorers wait for these rows until the commit: call it last. */
  async store(db: Db): Promise<void> {
    await addSightings(db, this.lots.added);
    await addPeers(db, [...this.addedPeers.values()]);
    await addVisitors(db, this.audiences.added);
  }

  private countVisitors(unit: WaitingUnitRow, profile: RiskProfile): void {
    const { known, added } = this.audiences;
    const id = unit.org_id;
    const before = added.get(id) ?? NO_AUDIENCE;
    const after = withUnit(before, unit.profile, profile);
    if (after === before) return;
    added.set(id, after);
    known.set(id, withUnit(known.get(id) ?? unit.audience ?? NO_AUDIENCE, unit.profile, profile));
  }
}
