/**
 * Replay of recorded scans: lines in, verdicts out, with the very rules that the worker uses. Lots are those that lines name; for
 * lines that name none, see `sightings.ts`.
 */
import { NO_AUDIENCE, withUnit, type Audience } from './audience.ts';
import type { Hindsight } from './hindsight.ts';
import { lineKnower, type KnownLine } from './known-line.ts';
import type { RiskPolicy } from './policy.ts';
import { ProfileStore } from './profile-store.ts';
import type { RecordLogOptions } from './record-log.ts';
import { lineReader } from './replay-line.ts';
import { Recollection } from './recollection.ts';
import { LATE_TOLERATED_MS, scoreKnown } from './score.ts';
import { Sightings, type UnitFacts } from './sightings.ts';
import type { RiskSignal, RiskVerdict, UnitContext } from './types.ts';

/** One answer line. */
export interface ReplayAnswer {
  scanId: string | number;
  score: number;
  result: 'genuine' | 'suspicious' | 'diverted';
  signals: RiskSignal[];
}

const RESULTS: Record<RiskVerdict, ReplayAnswer['result']> = {
  clear: 'genuine',
  suspicious: 'suspicious',
  diverted: 'diverted',
};

/**
 * A replay in progress: feed it lines in order of time. One may be as late as a scan that the worker scores as it comes;
 * a later one would be judged by what came after it.
 * @param memory how much of it the profiles may take
 * @returns a function from one line to its answer; it throws an Error that names what is wrong with the line
 */
export function replayer(policy: RiskPolicy, memory?: RecordLogOptions): (line: KnownLine) => ReplayAnswer {
  const profiles = new ProfileStore(memory);
  const sightings = new Sightings();
  // What is replayed is taken for one organization's.
  let audience = NO_AUDIENCE;
  const recollection = new Recollection();
  return (line) => {
    const { scanId, unit, at } = line;
    const before = profiles.get(unit);
    if (before !== null && at < before.lastAt - LATE_TOLERATED_MS)
      throw new Error(`at: ${tooLate(at, before.lastAt)}`);
    const { hindsight } = recollection;
    const context = new LineContext(line, audience, hindsight, () =>
      sightings.about(line, before, policy.diversion.lotUnits),
    );
    const assessment = scoreKnown(before, line, context, policy);
    const { profile, score: points, verdict, signals } = assessment;
    profiles.set(unit, profile);
    sightings.note(line, before, profile);
    audience = withUnit(audience, before, profile);
    recollection.note(unit, assessment);
    return { scanId, score: points, result: RESULTS[verdict], signals };
  };
}

/** The same from lines of JSON. */
export function textReplayer(policy: RiskPolicy, memory?: RecordLogOptions): (text: string) => ReplayAnswer {
  const read = lineReader();
  const know = lineKnower(policy.diversion.borderRadii, memory);
  const answer = replayer(policy, memory);
  return (text) => answer(know(read(text)));
}

/** What is known of a line's unit. Few lines make the rules ask for others of its kind, so these are counted up when asked for. */
class LineContext implements UnitContext {
  readonly markets: readonly string[];
  readonly activatedAt: number | null;
  readonly audience: Audience;
  readonly hindsight: Hindsight | null;
  private readonly lookUp: () => Others;
  private others: Others | undefined;

  constructor(
    { markets, activatedAt }: UnitFacts,
    audience: Audience,
    hindsight: Hindsight | null,
    lookUp: () => Others,
  ) {
    this.markets = markets;
    this.activatedAt = activatedAt;
    this.audience = audience;
    this.hindsight = hindsight;
    this.lookUp = lookUp;
  }

  get lot(): Others['lot'] {
    return (this.others ??= this.lookUp()).lot;
  }

  get peers(): Others['peers'] {
    return (this.others ??= this.lookUp()).peers;
  }
}

type Others = ReturnType<Sightings['about']>;

function tooLate(at: number, newest: number): string {
  const [own, other] = [at, newest].map((each) => new Date(each).toISOString());
  return `${own} is more than ${LATE_TOLERATED_MS / 1000} s before ${other} of the same unit above; lines must be sorted by time`;
}
