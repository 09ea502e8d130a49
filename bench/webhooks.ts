/**
 * Webhook deliveries: per second, beside a bare undici loop to the same receiver at the same concurrency, and from commit
 * to receipt while a share of the endpoints is hung. Postgres is durable (fsync), TLS everywhere.
 * Options: `--deliveries N` (20000), `--endpoints N` (4), `--concurrency N` of all together (32), `--rounds N` (2),
 * `--seconds N` of latency (10), `--only throughput|latency`.
 */
import { parseArgs } from 'node:util';
import { measureLatency, type Latency } from './lib/webhooks/latency.ts';
import { startRig } from './lib/webhooks/rig.ts';
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
    },
  });
  const concurrency = Number(values.concurrency);
  const endpoints = Number(values.endpoints);
  const rig = await startRig(Math.ceil(concurrency / endpoints));
  try {
    const bare: number[] = [];
    const ours: number[] = [];
    for (let round = 0; values.only !== 'latency' && round < Number(values.rounds); round += 1) {
      bare.push(await measureBare(rig, concurrency, BARE_SECONDS));
      ours.push(await measureOurs(rig, endpoints, Number(values.deliveries)));
      console.log(
        `round ${round + 1}: bare undici ${bare.at(-1)!.toFixed(0)}/s, ours ${ours.at(-1)!.toFixed(0)}/s, worker at ${rig.workerMegabytes()} MB`,
      );
    }
    let latency: Latency | null = null;
    if (values.only !== 'throughput') {
      latency = await measureLatency(rig, {
        perSecond: EVENTS_PER_SECOND,
        seconds: Number(values.seconds),
        hungShare: HUNG_SHARE,
      });
      console.log(
        `commit to receipt at ${latency.rps}/s with ${HUNG_SHARE * 100}% of the endpoints hung: p50 ${latency.p50_ms} ms, p99 ${latency.p99_ms} ms`,
      );
    }
    const best = { bare: Math.max(...bare), ours: Math.max(...ours) };
    return {
      bare_per_s: Math.round(best.bare),
      ours_per_s: Math.round(best.ours),
      ratio: Number((best.ours / best.bare).toFixed(2)),
      latency,
      hung_share: HUNG_SHARE,
    };
  } finally {
    await rig.close();
  }
}
