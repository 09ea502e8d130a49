/**
 * `npm run bench -- risk [--units N] [--seed N] [--traces NAME] [--radius KM] [--unknown SHARE] [--forgetful] [--thresholds N,N] [--decided N] [--hindsight] [--json]`: how well the rules find copied codes and
 * diverted lots, on seeded traces from five generators (journeys, renewals as a hold-out, itineraries, towns, cities; `--traces` takes one of them), beside
 * the rules of others.
 * `--radius 200` gives every address that radius, as an installation does that cannot tell a fixed line from a mobile network;
 * `--unknown 0.6` gives it to that share of the visitors, as the networks are that are of no known kind.
 * `--forgetful` makes a new session of each visit, as where browsers keep no cookies.
 * `--thresholds 54,60,66` tells what these rules do under other values of `thresholds.suspicious`, and nothing of the rules of others.
 * `--decided 200` tells what an organization gains that asks its first 200 decided cases for a threshold, and the next 200 again.
 * `--hindsight` compares these rules without hindsight, with what they learn as the trace goes by, and with what the trace of the next seed taught them beforehand.
 */
import { parseArgs } from 'node:util';
import {
  COUNT_OF_4,
  COUNTRY_CHECK,
  DATADOG,
  ours,
  PANTHER,
  PLACES,
  SINGLE_RULES,
} from './lib/risk/detectors.ts';
import { random } from '../sample-data/random.ts';
import { IP_ACCURACY_KM } from '../shared/places/places.ts';
import { itineraries } from './lib/risk/itineraries.ts';
import { journeys } from './lib/risk/journeys.ts';
import { measure, measureDiversion, MIN_FAKES } from './lib/risk/measure.ts';
import { cities } from './lib/risk/cities.ts';
import { followDecisions } from './lib/risk/decisions.ts';
import { withHistory } from './lib/risk/history.ts';
import { renewals } from './lib/risk/renewals.ts';
import { BY_ACTIVATION, BY_MARKETS } from './lib/risk/replayed.ts';
import { towns } from './lib/risk/towns.ts';
import { BadOption, numberOf, numbersOf } from './lib/options.ts';
import { fakesScanned, type Generator, type Trace, type TraceScan } from './lib/risk/trace.ts';

const GENERATORS: { name: string; generate: Generator }[] = [
  { name: 'journeys', generate: journeys },
  { name: 'hold-out', generate: renewals },
  { name: 'itineraries', generate: itineraries },
  { name: 'towns', generate: towns },
  { name: 'cities', generate: cities },
];

const KILOMETRES = { least: 0, most: 20_000, fraction: true };
const SHARE = { least: 0, most: 1, fraction: true };
const POINTS = { most: 100, fraction: true };

/** @param args `--units` per generator (default 60,000), `--seed` (default 1) and `--traces` (default all) */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: {
      units: { type: 'string', default: '60000' },
      seed: { type: 'string', default: '1' },
      traces: { type: 'string' },
      radius: { type: 'string' },
      unknown: { type: 'string' },
      forgetful: { type: 'boolean', default: false },
      thresholds: { type: 'string' },
      decided: { type: 'string' },
      hindsight: { type: 'boolean', default: false },
    },
  });
  const units = numberOf('--units', values.units);
  const seed = numberOf('--seed', values.seed, { least: 0 });
  const radius = values.radius === undefined ? null : numberOf('--radius', values.radius, KILOMETRES);
  const unknown = values.unknown === undefined ? null : numberOf('--unknown', values.unknown, SHARE);
  const decided = values.decided === undefined ? null : numberOf('--decided', values.decided);
  const thresholds =
    values.thresholds === undefined ? null : numbersOf('--thresholds', values.thresholds, POINTS);
  const report: Record<string, unknown> = { units, seed };
  const chosen = GENERATORS.filter(({ name }) => values.traces === undefined || name === values.traces);
  if (chosen.length === 0)
    throw new BadOption(`--traces: one of ${GENERATORS.map(({ name }) => name).join(', ')}`);
  for (const { name, generate } of chosen) {
    const traces = (ofSeed: number): Trace[] => {
      let made = generate(ofSeed, units);
      if (radius !== null) made = withRadius(made, radius);
      if (unknown !== null) made = withUnknown(made, unknown, ofSeed);
      return values.forgetful ? made.map(forgetful) : made;
    };
    report[name] = values.hindsight
      ? underHindsights(name, traces, seed)
      : decided !== null
        ? afterDecisions(name, traces, seed, decided)
        : thresholds === null
          ? assess(name, traces(seed))
          : underThresholds(name, traces(seed), thresholds);
  }
  return report;
}

/** The browser's own positions stay, coarse ones as well. */
const withRadius = (
  traces: readonly Trace[],
  accuracyKm: number,
  isMeant: (scan: TraceScan) => boolean = () => true,
): Trace[] =>
  traces.map((trace) => ({
    ...trace,
    scans: trace.scans.map((scan) =>
      (scan.place?.accuracyKm ?? null) !== null && scan.place!.source !== 'gps' && isMeant(scan)
        ? { ...scan, place: { ...scan.place!, accuracyKm, source: 'ip' } }
        : scan,
    ),
  }));

/** Draws for each session once, lines and telephones alike: a visitor keeps the network. */
function withUnknown(traces: readonly Trace[], share: number, seed: number): Trace[] {
  const rng = random(seed);
  const drawn = new Map<string, boolean>();
  return withRadius(traces, IP_ACCURACY_KM.unknown, (scan) => {
    const visitor = scan.sessionId ?? scan.scanId;
    const isUnknown = drawn.get(visitor) ?? rng.chance(share);
    drawn.set(visitor, isUnknown);
    return isUnknown;
  });
}

/** After so long without a look the next one is another visit. */
const VISIT_MS = 10 * 60_000;

/** The same looks, by browsers that keep no cookie from one visit to the next. */
function forgetful(trace: Trace): Trace {
  const visits = new Map<string, { number: number; lastAt: number }>();
  const scans = trace.scans.map((scan) => {
    if (scan.sessionId === null) return scan;
    const { number, lastAt } = visits.get(scan.sessionId) ?? { number: 0, lastAt: -Infinity };
    const visit = { number: scan.at - lastAt > VISIT_MS ? number + 1 : number, lastAt: scan.at };
    visits.set(scan.sessionId, visit);
    return { ...scan, sessionId: `${scan.sessionId} ${visit.number}` };
  });
  return { ...trace, scans };
}

function assess(name: string, traces: readonly Trace[]): Record<string, unknown> {
  const all = ours('all rules');
  const started = performance.now();
  const together = all.judge(traces);
  const seconds = (performance.now() - started) / 1000;
  const scans = traces.reduce((sum, trace) => sum + trace.scans.length, 0);
  const positives = traces.filter((trace) => trace.copied && fakesScanned(trace) >= MIN_FAKES).length;
  const copies = [
    measure(all.name, traces, together),
    ...[...SINGLE_RULES, DATADOG, PANTHER, COUNT_OF_4, PLACES].map((detector) =>
      measure(detector.name, traces, detector.judge(traces)),
    ),
  ];
  const diversions = [
    measureDiversion('diversion', traces, together),
    ...[BY_ACTIVATION, BY_MARKETS, COUNTRY_CHECK].map((detector) =>
      measureDiversion(detector.name, traces, detector.judge(traces)),
    ),
  ];
  const scansPerSecond = Math.round(scans / seconds);
  console.log(
    `\n${name}: ${traces.length} units, ${scans} scans, ${positives} copied codes with ${MIN_FAKES} fakes scanned or more`,
  );
  console.table(copies.map(rounded));
  console.table(diversions.map(rounded));
  console.log(`scoring: ${scansPerSecond} scans/s`);
  return {
    units: traces.length,
    scans,
    positives,
    copies: copies.map(rounded),
    diversions: diversions.map(rounded),
    scansPerSecond,
  };
}

/** How often the decisions are asked. */
const ROUNDS = 2;

function afterDecisions(
  name: string,
  traces: (seed: number) => Trace[],
  seed: number,
  decisions: number,
): Record<string, unknown>[] {
  const rows = followDecisions(traces, seed, decisions, ROUNDS).map(({ threshold, measured }, round) => {
    const { precision, recall, falseAlarmsPer1000, fakesMedian } = measured;
    return rounded({
      decided: round * decisions,
      suspicious: threshold,
      precision,
      recall,
      falseAlarmsPer1000,
      fakesMedian,
    });
  });
  return shown(`${name}, seed ${seed + ROUNDS}`, rows);
}

function underHindsights(
  name: string,
  traces: (seed: number) => Trace[],
  seed: number,
): Record<string, unknown>[] {
  const rows = withHistory(traces, seed).map(({ hindsight, measured }) => {
    const { precision, recall, falseAlarmsPer1000, fakesMedian, toldByThird } = measured;
    return rounded({ hindsight, precision, recall, falseAlarmsPer1000, fakesMedian, toldByThird });
  });
  return shown(`${name}, seed ${seed}`, rows);
}

function underThresholds(
  name: string,
  traces: readonly Trace[],
  thresholds: readonly number[],
): Record<string, unknown>[] {
  const rows = thresholds.map((suspicious) => {
    const { judge } = ours('all rules', { thresholds: { suspicious } });
    const { precision, recall, falseAlarmsPer1000, fakesMedian } = measure(
      'all rules',
      traces,
      judge(traces),
    );
    return rounded({ suspicious, precision, recall, falseAlarmsPer1000, fakesMedian });
  });
  return shown(name, rows);
}

/** @returns the rows, which were printed under their title */
function shown(title: string, rows: Record<string, unknown>[]): Record<string, unknown>[] {
  console.log(`\n${title}`);
  console.table(rows);
  return rows;
}

/** Three digits after the point are more than the seeds are good for. */
function rounded<T extends object>(row: T): T {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      typeof value === 'number' ? Math.round(value * 1000) / 1000 : value,
    ]),
  ) as T;
}
