/** The process `web`. */
import closeWithGrace from 'close-with-grace';
import { createLinkSigner } from '../shared/barcode-jobs/download-link.ts';
import { createSites } from '../shared/code-hosts/sites.ts';
import { configFromEnvironment } from '../shared/config.ts';
import { CALLER_LOCK_MS, createPool, KEYED_LOOK_UPS } from '../shared/db.ts';
import { startHeartbeat } from '../shared/installation/heartbeats.ts';
import { untilListening } from '../shared/listening.ts';
import { plainLogger } from '../shared/logger.ts';
import { createMetrics, serveMetrics } from '../shared/metrics.ts';
import { openPlaces } from '../shared/places/places.ts';
import { createRequestErrorLog } from '../shared/request-errors/service.ts';
import { createTurns } from '../shared/scans/turns.ts';
import { createVerifier } from '../shared/scans/verifier.ts';
import { lastWords } from '../shared/start-error.ts';
import { createStorage } from '../shared/storage/create-storage.ts';
import { probeStorage } from '../shared/storage/probe.ts';
import { VERSION } from '../shared/version.ts';
import { createResolver } from '../shared/egress/resolve-host.ts';
import { createUrlVetting } from '../shared/webhooks/url-vetting.ts';
import { createCore, deriveKey } from '../shared/wiring.ts';
import { createApp } from './app.ts';
import type { ApiDeps } from './deps.ts';
import { drainable } from './drain.ts';
import { createHttpServer } from './server.ts';

const GRACE_MS = 15_000;
// A busy client sends again within this time and hears that the connection ends.
const NOTICE_MS = 500;
// Two batches of look-ups, two of scans, and visits that come back. Of its own, so that no report can hold up a scan.
const VERIFIER_CONNECTIONS = 6;
// Nobody at a shelf waits longer. Two look-ups that are never answered would hold up all others.
const VERIFIER_ANSWER_MS = 10_000;

async function main(): Promise<void> {
  const config = configFromEnvironment();
  const core = await createCore(config, 'web', { lockMs: CALLER_LOCK_MS, isService: true });
  const verifierPool = createPool({
    databaseUrl: config.DATABASE_URL,
    max: VERIFIER_CONNECTIONS,
    applicationName: 'touchstone-web-verifier',
    settings: KEYED_LOOK_UPS,
    answerMs: VERIFIER_ANSWER_MS,
    lockMs: CALLER_LOCK_MS,
    onError: (error) => core.log.warn({ err: error }, 'idle Postgres connection lost'),
  });
  const deps: ApiDeps = {
    ...core,
    storage: await createStorage(config),
    links: createLinkSigner(config.PUBLIC_URL, deriveKey(config.API_KEY_PEPPER, 'download-links')),
    vetWebhookUrl: createUrlVetting({
      allowedCidrs: config.WEBHOOK_ALLOWED_CIDRS,
      resolve: createResolver(),
    }),
    unitTurns: createTurns(null),
    requestErrors: createRequestErrorLog(core),
    sites: createSites({
      ...core,
      db: verifierPool,
      publicUrl: config.PUBLIC_URL,
      nowMs: () => performance.now(),
    }),
    verifier: createVerifier({
      ...core,
      db: verifierPool,
      tokenKeys: config.TOKEN_KEYS,
      networkKey: deriveKey(config.API_KEY_PEPPER, 'networks'),
      places: await openPlaces(),
      sameScanMs: config.SCAN_SESSION_SECONDS * 1000,
      turns: createTurns({ redis: core.redis, prefix: config.QUEUE_PREFIX }),
    }),
  };
  const metrics = createMetrics('web');
  const heartbeat = startHeartbeat(core, 'web');
  const metricsServer = await serveMetrics(metrics, config.METRICS_HOST, config.METRICS_PORT);
  const server = createHttpServer(createApp(deps, metrics), core.log);
  const drain = drainable(server, NOTICE_MS);
  await untilListening(server, config.PORT, config.HOST, 'PORT, HOST');
  core.log.info({ address: server.address(), version: VERSION }, 'listening');
  void probeStorage(deps);

  closeWithGrace({ delay: GRACE_MS, logger: plainLogger(core.log) }, async ({ signal, err }) => {
    core.log[err ? 'fatal' : 'info']({ signal, ...(err ? { err } : {}) }, 'stopping');
    await drain();
    await heartbeat.stop();
    await deps.requestErrors.flush();
    metricsServer?.close();
    await verifierPool.end();
    await core.close();
  });
}

main().catch((error: unknown) => {
  process.stderr.write(lastWords(error));
  process.exit(1);
});
