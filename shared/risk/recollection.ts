/** What one organization's hindsight is learned from where its scans go by once: how its units looked, and which of them turned. */
import { learn, MATURE_MS, MIN_TURNED, type Hindsight, type Look } from './hindsight.ts';
import type { RiskAssessment } from './types.ts';

/** Units that are remembered, the newest: learning from so many takes a tenth of a second, and a replay of any length some 4 MB for them. */
const MOST_UNITS = 8_000;
/** Learned anew when so many times as many units have turned. */
const GROWTH = 1.5;

interface Recalled {
  looks: { look: Look; at: number }[];
  turned: boolean;
}

export class Recollection {
  /** As last learned. */
  hindsight: Hindsight | null = null;
  private readonly units = new Map<string | number, Recalled>();
  /** Of all that ever were. */
  private turned = 0;
  private learnsAt = MIN_TURNED;

  /** @param assessment of a scan of the unit, in order of time */
  note(unitId: string | number, { look, profile }: Pick<RiskAssessment, 'look' | 'profile'>): void {
    if (look === null && profile.turned !== true) return;
    let unit = this.units.get(unitId);
    if (look !== null) {
      if (unit === undefined) {
        unit = { looks: [], turned: false };
        this.units.set(unitId, unit);
        if (this.units.size > MOST_UNITS) this.units.delete(this.units.keys().next().value!);
      }
      unit.looks.push({ look, at: profile.lastAt });
    }
    if (unit === undefined || unit.turned || profile.turned !== true) return;
    unit.turned = true;
    this.turned += 1;
    if (this.turned < this.learnsAt) return;
    this.learnsAt = Math.ceil(this.turned * GROWTH);
    this.learn(profile.lastAt);
  }

  /** Learns from what is known at a time, where that is enough. */
  learn(now: number): void {
    const mature = [...this.units.values()].map(({ looks, turned }) => ({
      turned,
      looks: looks.filter(({ at }) => at <= now - MATURE_MS),
    }));
    const turned = mature.filter((unit) => unit.turned && unit.looks.length > 0).length;
    const looks = mature.flatMap((unit) => unit.looks.map(({ look }) => ({ look, turned: unit.turned })));
    this.hindsight = learn(looks, turned) ?? this.hindsight;
  }
}
