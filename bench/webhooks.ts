/**
 * Webhook deliveries: per second, beside a bare undici loop to the same receiver at the same concurrency, and from commit
 * to receipt with no endpoint hung and while a share of them is. Postgres is durable (fsync), TLS everywhere.
 * Options: `--deliveries N` (20000), `--endpoints N` (4), `--concurrency N` of all together (32), `--rounds N` (2),
 * `--seconds N` of latency (10), `--only throughput|latency`; `--soak N` instead of all that: the worker's memory over N deliveries.
 */
import { parseArgs } from 'node:util';
import { BadOption, numberOf } from './lib/options.ts';
import { measureLatency, type Latency } from './lib/webhooks/latency.ts';
import { startRig, type ProcessorTime, type Rig } from './lib/webhooks/rig.ts';
import { soak } from './lib/webhooks/soak.ts';
import { measureBare, measureOurs } from './lib/webhooks/throughput.ts';

const EVENTS_PER_SECOND = 500;
const HUNG_SHARE = 0.2;
const BARE_SECONDS = 3;

export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: {
      deliveries: { type: 'string', default: '20000' },
      endpoints: { type: 'string', default: '4' },
      concurrency: { type: 'string', default: '32' },
      rounds: { type: 'string', default: '2' },
      seconds: { type: 'string', default: '10' },
      only: { type: 'string' },
      soak: { type: 'string', default: '0' },
    },
  });
  const concurrency = numberOf('--concurrency', values.concurrency);
  const endpoints = numberOf('--endpoints', values.endpoints);
  const deliveries = numberOf('--deliveries', values.deliveries);
  const rounds = numberOf('--rounds', values.rounds);
  const seconds = numberOf('--seconds', values.seconds);
  const soaked = numberOf('--soak', values.soak, { least: 0 });
  if (values.only !== undefined && !['throughput', 'latency'].includes(values.only))
    throw new BadOption(`--only: throughput or latency, not "${values.only}"`);
  const rig = await startRig(Math.ceil(concurrency / endpoints));
  try {
    if (soaked > 0) return { soak: await soak(rig, endpoints, soaked) };
    const done: Round[] = [];
    for (let n = 1; values.only !== 'latency' && n <= rounds; n += 1) {
      const round = await measureRound(rig, { concurrency, endpoints, deliveries });
      done.push(round);
      const { worker, postgres, receiver } = round.processor_us;
      console.log(
        `round ${n}: bare undici ${round.bare}/s (signed beforehand ${round.bareSigned}/s), ours ${round.ours}/s; a delivery takes ${worker} µs of the worker’s processor, ${postgres} of Postgres’, ${receiver} of the receiver’s; worker at ${rig.workerMegabytes()} MB`,
      );
    }
    const latencyWith = async (hungShare: number): Promise<Latency | null> => {
      if (values.only === 'throughput') return null;
      const load = { perSecond: EVENTS_PER_SECOND, seconds, hungShare };
      const latency = await measureLatency(rig, load);
      console.log(
        `commit to receipt at ${latency.rps}/s with ${hungShare * 100}% of the endpoints hung: p50 ${latency.p50_ms} ms, p99 ${latency.p99_ms} ms`,
      );
      return latency;
    };
    // In this order: those that hang go on hanging.
    const latencyNoneHung = await latencyWith(0);
    const latency = await latencyWith(HUNG_SHARE);
    const best = (of: (round: Round) => number) => Math.max(...done.map(of));
    return {
      bare_per_s: best(({ bare }) => bare),
      ours_per_s: best(({ ours }) => ours),
      ratio: Number((best(({ ours }) => ours) / best(({ bare }) => bare)).toFixed(2)),
      bare_signed_beforehand_per_s: best(({ bareSigned }) => bareSigned),
      processor_us: done.at(-1)?.processor_us ?? null,
      latency_none_hung: latencyNoneHung,
      latency,
      hung_share: HUNG_SHARE,
    };
  } finally {
    await rig.close();
  }
}

interface Round {
  bare: number;
  bareSigned: number;
  ours: number;
  /** Processor time of one delivery. */
  processor_us: ProcessorTime;
}

async function measureRound(
  rig: Rig,
  { concurrency, endpoints, deliveries }: { concurrency: number; endpoints: number; deliveries: number },
): Promise<Round> {
  const bare = (sign: 'each' | 'before') =>
    measureBare(rig, { concurrency, seconds: BARE_SECONDS, sign }).then(Math.round);
  const [each, before] = [await bare('each'), await bare('before')];
  const ours = await measureOurs(rig, endpoints, deliveries);
  const microseconds = (seconds: number) => Math.round((seconds * 1e6) / deliveries);
  return {
    bare: each,
    bareSigned: before,
    ours: Math.round(ours.perSecond),
    processor_us: {
      worker: microseconds(ours.processor.worker),
      postgres: microseconds(ours.processor.postgres),
      receiver: microseconds(ours.processor.receiver),
    },
  };
}
