/** `node dist/workers/main.js barcodes scans …` runs the queues of these groups; all of them without a name. */
import { setMaxListeners } from 'node:events';
import { getPriority, setPriority } from 'node:os';
import closeWithGrace from 'close-with-grace';
import { createLinkSigner } from '../shared/barcode-jobs/download-link.ts';
import { ConfigError, configFromEnvironment } from '../shared/config.ts';
import { createLookUpTxt } from '../shared/domains/dns.ts';
import { startHeartbeat } from '../shared/installation/heartbeats.ts';
import { plainLogger } from '../shared/logger.ts';
import { createMailTransport } from '../shared/mail/transport.ts';
import { createMetrics, serveMetrics } from '../shared/metrics.ts';
import { WORKER_GROUPS } from '../shared/queues.ts';
import { lastWords } from '../shared/start-error.ts';
import { createStorage } from '../shared/storage/create-storage.ts';
import { probeStorage } from '../shared/storage/probe.ts';
import { VERSION } from '../shared/version.ts';
import { createProviderCalls } from '../shared/single-sign-on/provider.ts';
import { createSender } from '../shared/webhooks/attempt.ts';
import { createCore, deriveKey } from '../shared/wiring.ts';
import type { WorkerDeps } from './deps.ts';
import { createRegistry } from './registry.ts';
import { runQueues } from './run-queues.ts';
import { registerGauges } from './sweep/gauges.ts';
import { scheduleSweeps } from './sweep/schedule.ts';

type Group = keyof typeof WORKER_GROUPS;
const ALL_GROUPS = Object.keys(WORKER_GROUPS) as Group[];
// Past the longest webhook attempt, so that what was sent is settled.
const GRACE_MS = 15_000;
const LEAST_PRIORITY = 19;
/** What these do is written to the storage or read there; the others may run where there is none. */
const STORING: Group[] = ['barcodes', 'maintenance'];

async function main(): Promise<void> {
  const given = process.argv.slice(2);
  const unknown = given.filter((name) => !(ALL_GROUPS as string[]).includes(name));
  if (unknown.length > 0)
    throw new ConfigError([`"${unknown.join(', ')}" is no worker; known are ${ALL_GROUPS.join(', ')}`]);
  const groups = given.length === 0 ? ALL_GROUPS : (given as Group[]);
  const config = configFromEnvironment();
  // On top of what the process was started with: a visitor waits for `web`, somebody for a verdict, and nobody looks on while
  // barcodes are minted and webhooks delivered.
  const niceness = config.WORKER_NICENESS * (groups.includes('scans') ? 1 : 2);
  setPriority(Math.min(LEAST_PRIORITY, getPriority() + niceness));
  const name = groups.length === ALL_GROUPS.length ? 'workers' : `worker-${groups.join('-')}`;
  const core = await createCore(config, name, { isService: true });
  const stop = new AbortController();
  // Every attempt under way listens.
  setMaxListeners(0, stop.signal);
  const egress = {
    allowedCidrs: config.WEBHOOK_ALLOWED_CIDRS,
    ...(config.WEBHOOK_CA_FILE === null ? {} : { caFile: config.WEBHOOK_CA_FILE }),
  };
  const deps: WorkerDeps = {
    ...core,
    storage: await createStorage(config),
    links: createLinkSigner(config.PUBLIC_URL, deriveKey(config.API_KEY_PEPPER, 'download-links')),
    sender: createSender({ version: VERSION, ...egress }),
    mailTransport: createMailTransport({
      smtpUrl: config.SMTP_URL,
      folder: config.MAIL_DIR,
      from: config.MAIL_FROM,
    }),
    lookUpTxt: createLookUpTxt(config.DNS_SERVERS),
    providers: createProviderCalls(egress),
    randomUniform: Math.random,
    stopping: stop.signal,
  };
  const metrics = createMetrics(name);
  const heartbeat = startHeartbeat(core, name);
  if (groups.includes('maintenance')) registerGauges(deps, metrics);
  const metricsServer = await serveMetrics(metrics, config.METRICS_HOST, config.METRICS_PORT);
  const queues = runQueues(
    deps,
    createRegistry(deps),
    groups.flatMap((group) => [...WORKER_GROUPS[group]]),
    metrics,
  );
  const sweeps = groups.includes('maintenance') ? scheduleSweeps(deps) : null;
  core.log.info({ groups, version: VERSION }, 'working');
  if (STORING.some((group) => groups.includes(group))) void probeStorage(deps);

  closeWithGrace({ delay: GRACE_MS, logger: plainLogger(core.log) }, async ({ signal, err }) => {
    core.log[err ? 'fatal' : 'info']({ signal, ...(err ? { err } : {}) }, 'stopping');
    stop.abort();
    // All from now on: a queue that is not closing yet would hand this process the very wake-ups that it leaves to another.
    await Promise.all([queues.close(), sweeps?.stop(), heartbeat.stop()]);
    await Promise.all([deps.sender.close(), deps.providers.close()]);
    deps.mailTransport.close();
    metricsServer?.close();
    await core.close();
  });
}

main().catch((error: unknown) => {
  process.stderr.write(lastWords(error));
  process.exit(1);
});
