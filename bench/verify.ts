/**
 * `npm run bench -- verify [--units N] [--seconds N] [--rate N] [--scans N] [--rounds N] [--connections N] [--json]`: Express
 * alone and `GET /v/{token}` (JSON, commit included) in turns with the same client, of so many connections that neither waits
 * for it (with 64 they go through the two statements in one crowd, and a quarter of the process idles meanwhile); then an open loop at a fixed rate with
 * scoring and webhooks on, right after a checkpoint and then as usual, and how long the final verdicts take; then scoring alone. Postgres with fsync.
 *
 * With `--history 1000000,50000000 [--months 12]` instead: how fast `GET /v/{token}` is with so many scans in the table,
 * spread over so many months up to now.
 */
import { parseArgs } from 'node:util';
import { newUuid } from '../shared/ids.ts';
import { insertScans, type NewScan } from '../shared/scans/repository.ts';
import { decodeId } from '../shared/ids.ts';
import { numberOf, numbersOf } from './lib/options.ts';
import { closedLoop, openLoop, type LoadResult, type LoadTarget } from './lib/http-load.ts';
import { fillHistory } from './lib/scan-history.ts';
import { setStage, type Stage } from './lib/verify-stage.ts';

const SECONDS = { least: 0.1, fraction: true };
const WARM_UP_SECONDS = 5;
const WORKERS_WARM_UP_SECONDS = 12;
const AFTER_CHECKPOINT_SECONDS = 5;
/** One answer in so many is followed until its verdict is final. */
const FOLLOWED = 10;
const POLL_MS = 10;
const BACKLOG_POLL_MS = 500;
const STUCK_MS = 30_000;

export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: {
      units: { type: 'string', default: '1000000' },
      seconds: { type: 'string', default: '10' },
      rounds: { type: 'string', default: '2' },
      rate: { type: 'string', default: '1000' },
      scans: { type: 'string', default: '50000' },
      connections: { type: 'string', default: '256' },
      history: { type: 'string' },
      months: { type: 'string', default: '12' },
    },
  });
  const units = numberOf('--units', values.units);
  const seconds = numberOf('--seconds', values.seconds, SECONDS);
  const rounds = numberOf('--rounds', values.rounds);
  const rate = numberOf('--rate', values.rate);
  const scans = numberOf('--scans', values.scans);
  const connections = numberOf('--connections', values.connections);
  if (values.history !== undefined) {
    const sizes = numbersOf('--history', values.history);
    return withHistory(sizes, numberOf('--months', values.months), units, seconds, connections);
  }
  const stage = await setStage(units);
  try {
    console.log(`${units} units are minted`);
    const rates = { hello: [] as number[], verify: [] as number[] };
    const hello = {
      port: stage.helloPort,
      connections,
      next: () => ({ path: '/hello', headers: headers() }),
    };
    const verify = verifyTarget(stage, units, connections);
    for (const target of [hello, verify]) await closedLoop(target, WARM_UP_SECONDS);
    for (let round = 0; round < rounds; round += 1) {
      rates.hello.push(report('hello', await closedLoop(hello, seconds)).rps);
      rates.verify.push(report('verify', await closedLoop(verify, seconds)).rps);
    }
    const [helloRps, verifyRps] = [Math.max(...rates.hello), Math.max(...rates.verify)];

    const backlog = await stage.scoreAll();
    console.log(`scoring the closed loop's scans: ${backlog}/s`);
    stage.startWorkers();
    // At the rate itself: what is measured is a service that has been up for a while, and the workers have just begun.
    await openLoop(verifyTarget(stage, units, 256), rate, WORKERS_WARM_UP_SECONDS);
    // Or the webhooks of the closed loop, which ran without workers, and the pages that it wrote go out during the open loop and are
    // charged to it.
    await untilDelivered(stage);
    await stage.pool.query('checkpoint');
    // A page is logged whole when it changes for the first time after a checkpoint, and for some seconds nearly every page does. That
    // comes once in a `checkpoint_timeout`, so it is told by itself.
    report(
      'open loop right after a checkpoint',
      await openLoop(verifyTarget(stage, units, 256), rate, AFTER_CHECKPOINT_SECONDS),
    );
    const lag = followVerdicts(stage);
    const open = report(
      'open loop',
      await openLoop({ ...verifyTarget(stage, units, 256), onAnswer: lag.follow }, rate, seconds),
    );
    const lagP99 = await lag.finish();
    await stage.stopWorkers();

    await prepareScans(stage, scans);
    const scored = await stage.scoreAll();
    console.log(`scoring alone: ${scored}/s; final verdicts: ${lagP99} ms after the answer (p99)`);
    return {
      hello_rps: helloRps,
      verify_rps: verifyRps,
      ratio: Number((verifyRps / helloRps).toFixed(2)),
      open_loop: open,
      score_per_s: scored,
      lag_ms_p99: lagP99,
    };
  } finally {
    await stage.close();
  }
}

/** Verification with a full table beside one that is nearly empty. The closed loop's own scans come on top. */
async function withHistory(
  sizes: number[],
  months: number,
  units: number,
  seconds: number,
  connections: number,
) {
  const stage = await setStage(units);
  const hello = { port: stage.helloPort, connections, next: () => ({ path: '/hello', headers: headers() }) };
  const verify = verifyTarget(stage, units, connections);
  const history: Record<string, unknown>[] = [];
  try {
    for (const size of sizes) {
      const filled = await fillHistory(stage.pool, size, months);
      console.log(`filled: ${JSON.stringify(filled)}`);
      for (const target of [hello, verify]) await closedLoop(target, WARM_UP_SECONDS);
      const before = report('hello', await closedLoop(hello, seconds)).rps;
      const counted = await counters(stage);
      const result = report('verify', await closedLoop(verify, seconds));
      const now = await counters(stage);
      const after = report('hello', await closedLoop(hello, seconds)).rps;
      const scans = now.scans - counted.scans;
      const measured = {
        ...filled,
        hello_rps: Math.max(before, after),
        verify_rps: result.rps,
        p99_ms: result.p99_ms,
        ratio: Number((result.rps / Math.max(before, after)).toFixed(2)),
        // Not the machine's speed or load: what Postgres has to touch and to log.
        pages_per_scan: Number(((now.pages - counted.pages) / scans).toFixed(1)),
        wal_bytes_per_scan: Math.round((now.wal - counted.wal) / scans),
        // Logged whole, as a page is that changes for the first time since the last checkpoint.
        whole_pages_per_scan: Number(((now.wholePages - counted.wholePages) / scans).toFixed(2)),
      };
      console.log(measured);
      history.push(measured);
    }
    return { history };
  } finally {
    await stage.close();
  }
}

/** Backends report what they did within a second of falling idle. */
const STATISTICS_DELAY_MS = 2_000;

interface Counters {
  pages: number;
  wal: number;
  wholePages: number;
  scans: number;
}

async function counters(stage: Stage): Promise<Counters> {
  await new Promise((resolve) => setTimeout(resolve, STATISTICS_DELAY_MS));
  const { rows } = await stage.pool.query<Counters>(
    `select (blks_hit + blks_read)::float8 as pages, wal_bytes::float8 as wal, wal_fpi::float8 as "wholePages",
            (select sum(n_tup_ins)::float8 from pg_stat_user_tables where relname like 'scans\\_%') as scans
       from pg_stat_database cross join pg_stat_wal where datname = current_database()`,
  );
  return rows[0]!;
}

function report(name: string, result: LoadResult): LoadResult {
  console.log(`${name}: ${JSON.stringify(result)}`);
  return result;
}

const octet = () => Math.floor(Math.random() * 256);
const randomUnit = (units: number) => Math.floor(Math.random() * units);

/** Each visitor comes from an address of their own, through a proxy. */
const headers = () =>
  `Accept: application/json\r\nUser-Agent: bench\r\nX-Forwarded-For: ${80 + (octet() % 10)}.${octet()}.${octet()}.${octet()}\r\n`;

const verifyTarget = (stage: Stage, units: number, connections: number): LoadTarget => ({
  port: stage.webPort,
  connections,
  next: () => ({ path: `/v/${stage.tokenOf(randomUnit(units))}`, headers: headers() }),
});

/** However many there are: only what no longer moves is given up on. */
async function untilDelivered(stage: Stage): Promise<void> {
  let left = Number.POSITIVE_INFINITY;
  let deadline = 0;
  for (;;) {
    const { rows } = await stage.pool.query<{ pending: number }>(
      `select count(*)::integer as pending from webhook_dispatches where state = 'pending'`,
    );
    const { pending } = rows[0]!;
    if (pending === 0) return;
    if (pending < left) deadline = performance.now() + STUCK_MS;
    else if (performance.now() > deadline) throw new Error(`${pending} webhooks are never delivered`);
    left = pending;
    await new Promise((resolve) => setTimeout(resolve, BACKLOG_POLL_MS));
  }
}

/** Follows every tenth answer until the worker's commit is visible: the time includes that of the polling. */
function followVerdicts(stage: Stage): { follow(body: string): void; finish(): Promise<number> } {
  const pending = new Map<string, number>();
  const lags: number[] = [];
  let answers = 0;
  let polling = false;
  const poll = async () => {
    if (polling || pending.size === 0) return;
    polling = true;
    const { rows } = await stage.pool.query<{ id: string }>({
      name: 'bench-final',
      text: `select id from scans where id = any($1::uuid[]) and assessment = 'final'`,
      values: [[...pending.keys()]],
    });
    for (const { id } of rows) {
      lags.push(performance.now() - pending.get(id)!);
      pending.delete(id);
    }
    polling = false;
  };
  const timer = setInterval(() => void poll(), POLL_MS);
  return {
    follow(body) {
      answers += 1;
      if (answers % FOLLOWED !== 0) return;
      const id = /"scanId":"([^"]+)"/.exec(body)?.[1];
      if (id !== undefined) pending.set(decodeId('scan', id)!, performance.now());
    },
    async finish() {
      const deadline = performance.now() + 30_000;
      while (pending.size > 0 && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      clearInterval(timer);
      if (pending.size > 0) throw new Error(`${pending.size} scans were never scored`);
      return Math.round(lags.toSorted((a, b) => a - b)[Math.floor(lags.length * 0.99)] ?? 0);
    },
  };
}

/** Waiting scans as the verifier writes them, three to a unit, from all over Germany. */
async function prepareScans(stage: Stage, count: number): Promise<void> {
  for (let done = 0; done < count; done += 500) {
    const scans = Array.from({ length: Math.min(500, count - done) }, (_, i): NewScan => {
      const unit = stage.unit(Math.floor((done + i) / 3) * 7);
      return {
        id: newUuid(),
        orgId: stage.orgId,
        ...unit,
        at: new Date(),
        sessionId: null,
        networkId: Math.random().toString(36).slice(2, 18),
        ip: '198.51.100.7',
        userAgent: 'bench',
        country: 'DE',
        lat: 48 + Math.random() * 6,
        lon: 8 + Math.random() * 5,
        accuracyKm: 200,
        placeSource: 'ip',
        result: 'genuine',
        riskLevel: 'none',
        riskScore: 0,
        signals: [],
      };
    });
    await insertScans(stage.pool, scans);
  }
}
