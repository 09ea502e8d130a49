/**
 * A few weeks in the life of a brand, made by the services themselves: the minting worker mints, the verifier records, the
 * rules score, the deliverer delivers, each at a time of the past. The same seed and end give the same story.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { rollUp } from '../shared/analytics/service.ts';
import type { Clock } from '../shared/clock.ts';
import { runAlone } from '../shared/leader.ts';
import { ensureMonthPartitions, PARTITIONED_TABLES } from '../shared/partitions/service.ts';
import { listProducts } from '../shared/products/service.ts';
import type { Waker } from '../shared/queues.ts';
import { createVerifier } from '../shared/scans/verifier.ts';
import { deriveKey } from '../shared/wiring.ts';
import type { WorkerDeps } from '../workers/deps.ts';
import { complaints, decisions } from './consequences.ts';
import { finds } from './finds.ts';
import { auditor, type Sample } from './deps.ts';
import { makeGoods, suspendUnits, troubleJobs } from './goods.ts';
import { Planner } from './journeys.ts';
import { hirePeople, makeKeys, setBrand } from './people.ts';
import { random as seeded } from './random.ts';
import { makeEndpoints, playedReceivers } from './receivers.ts';
import { playScans } from './scanning.ts';
import { recallInError, recallLot, shipGoods, unshipped } from './shipments.ts';
import { createTimeMachine, DAY, MINUTE, type TimeMachine } from './time.ts';

const DAYS = 28;
/** Before the weeks shown: when people, products and batches came. */
const PREPARATION_DAYS = 40;
const SEED = 20_261;
/** A sweep takes some milliseconds. */
const LOCK_PAUSE_MS = 50;

export interface SampleOptions {
  /** Of a worker; its clock, waker, sender, name servers, providers of single sign-on and uniform numbers are replaced. */
  deps: Omit<WorkerDeps, 'clock' | 'waker' | 'sender' | 'lookUpTxt' | 'providers' | 'randomUniform'>;
  orgId: string;
  /** Of everybody in the organization. */
  password: string;
  now: Clock;
  scale?: number;
}

export type SampleReport =
  | { did: 'nothing' }
  | { did: 'made'; products: number; units: number; scans: number };

/** The generator does the workers' work itself, at its own time. */
const nobody = new Proxy({} as Waker, { get: () => () => Promise.resolve() });

/** @returns what was made: nothing where the organization has products already. */
export async function makeSampleData(options: SampleOptions): Promise<SampleReport> {
  const { db } = options.deps;
  const { rows } = await listProducts(db, options.orgId, { archived: null }, { limit: 1, beforeId: null });
  if (rows.length > 0) return { did: 'nothing' };
  let report: SampleReport = { did: 'nothing' };
  const time = createTimeMachine(() => options.now.now().getTime());
  // What is made lies in the past: the sweeper would take it for neglected work and wake the workers into the story.
  try {
    while (!(await runAlone(db, 'sweep', async () => void (report = await make(options, time)))))
      await sleep(LOCK_PAUSE_MS);
  } finally {
    time.stop();
  }
  return report;
}

async function make(
  { deps: given, orgId, password, now, scale = 1 }: SampleOptions,
  time: TimeMachine,
): Promise<SampleReport> {
  const end = Math.floor(now.now().getTime() / MINUTE) * MINUTE;
  const random = seeded(SEED);
  const story = { time, random, end };
  const networkKey = deriveKey(given.config.API_KEY_PEPPER, 'networks');
  const deps: WorkerDeps = {
    ...given,
    clock: time.clock,
    waker: nobody,
    sender: playedReceivers(story),
    lookUpTxt: async () => ({ problem: 'DNS_FAILED' }),
    providers: {
      discover: async () => ({ problem: 'UNREACHABLE' }),
      identify: () => Promise.reject(new Error('nobody signs in while sample data are made')),
      close: async () => undefined,
    },
    randomUniform: () => random.next(),
  };
  for (const table of PARTITIONED_TABLES)
    await ensureMonthPartitions(deps.db, table, new Date(end - PREPARATION_DAYS * DAY), new Date(end));

  const planner = new Planner(random, { end, days: DAYS });
  const sample: Sample = {
    ...story,
    deps,
    orgId,
    scale,
    networkKey,
    consignmentDeps: {
      ...deps,
      linkKey: deriveKey(deps.config.API_KEY_PEPPER, 'consignment-links'),
      tokenKeys: deps.config.TOKEN_KEYS,
    },
    audit: auditor(deps, orgId),
    verifier: createVerifier({
      ...deps,
      networkKey,
      tokenKeys: deps.config.TOKEN_KEYS,
      // The plan knows where each of its visitors is.
      places: { locate: (ip) => planner.plan.places.get(ip) ?? null },
      sameScanMs: deps.config.SCAN_SESSION_SECONDS * 1000,
    }),
  };

  const staff = await hirePeople(sample, password);
  await setBrand(sample, staff);
  const goods = await makeGoods(sample, staff);
  await makeKeys(sample, staff);
  await shipGoods(sample, staff, goods);
  const inside = await unshipped(sample, goods);
  const deliver = await makeEndpoints(sample, staff, goods);

  const isSold = ({ id }: { id: string }) => !inside.has(id);
  for (const lot of goods) planner.buyers(lot, isSold);
  const copied = planner.copies(goods, isSold);
  const lyon = goods.find(({ batch }) => batch.lot === 'VC2609')!.units[3]!;
  const oslo = goods.find(({ batch }) => batch.lot === 'BO2609')!.units[5]!;
  planner.leap(lyon, 5, 'Lyon', 'Osaka', 4);
  planner.leap(oslo, 7, 'Oslo', 'Singapore', 3);
  const { scans } = planner.finish();

  const made = await playScans(
    sample,
    scans,
    [
      ...complaints(sample, staff, copied),
      ...finds(sample, staff, copied),
      ...decisions(sample, staff, copied, oslo),
      ...recallInError(sample, staff, goods),
      { at: end - 9 * DAY, run: async () => void (await suspendUnits(sample, staff, goods)) },
      { at: end - 4 * DAY, run: () => recallLot(sample, staff, goods) },
    ],
    deliver,
  );
  await troubleJobs(sample, staff, goods);
  await deliver(end);
  await rollUp(deps.db);
  const units = goods.reduce((sum, lot) => sum + lot.units.length, 0);
  return { did: 'made', products: new Set(goods.map(({ productId }) => productId)).size, units, scans: made };
}
