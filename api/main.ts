/** The process `web`. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import closeWithGrace from 'close-with-grace';
import { createLinkSigner } from '../shared/barcode-jobs/download-link.ts';
import { ConfigError, configFromEnvironment } from '../shared/config.ts';
import { createPool, KEYED_LOOK_UPS } from '../shared/db.ts';
import { createMetrics, serveMetrics } from '../shared/metrics.ts';
import { openPlaces } from '../shared/places/places.ts';
import { createVerifier } from '../shared/scans/verifier.ts';
import { createStorage } from '../shared/storage/create-storage.ts';
import { VERSION } from '../shared/version.ts';
import { createResolver } from '../shared/webhooks/resolve-host.ts';
import { createCore, deriveKey } from '../shared/wiring.ts';
import { createApp } from './app.ts';
import type { ApiDeps } from './deps.ts';
import { drainable } from './drain.ts';
import { paceBodies } from './pace.ts';

const GRACE_MS = 15_000;
// A busy client sends again within this time and hears that the connection ends.
const NOTICE_MS = 500;
// Two batches of look-ups, two of scans, and visits that come back. Of its own, so that no report can hold up a scan.
const VERIFIER_CONNECTIONS = 6;

// A body comes at 2 KB/s at least, or has come whole at the second look.
const PACE_MS = 15_000;
const MIN_BODY_BYTES = 30_000;

/** Limits against slow and hoarding clients; behind a proxy these are the proxy's. */
function protect(server: Server): void {
  server.headersTimeout = 10_000;
  // Long enough for a list of a million units over a poor line; what comes too slowly is cut long before (pace.ts), and
  // JSON bodies have half a minute (middleware/json-body.ts).
  server.requestTimeout = 3_600_000;
  const pace = paceBodies(server, MIN_BODY_BYTES);
  const looks = setInterval(() => pace.check(), PACE_MS);
  server.once('close', () => clearInterval(looks));
  // Longer than a proxy keeps its idle connections (60 s is usual), so that it never sends into a closing one.
  server.keepAliveTimeout = 65_000;
  server.maxConnections = 10_000;
}

async function main(): Promise<void> {
  const config = configFromEnvironment();
  const core = await createCore(config, 'web');
  const verifierPool = createPool({
    databaseUrl: config.DATABASE_URL,
    max: VERIFIER_CONNECTIONS,
    applicationName: 'touchstone-web-verifier',
    settings: KEYED_LOOK_UPS,
    onError: (error) => core.log.warn({ err: error }, 'idle Postgres connection lost'),
  });
  const deps: ApiDeps = {
    ...core,
    storage: await createStorage(config),
    links: createLinkSigner(config.PUBLIC_URL, deriveKey(config.API_KEY_PEPPER, 'download-links')),
    resolve: createResolver(),
    verifier: createVerifier({
      ...core,
      db: verifierPool,
      tokenKeys: config.TOKEN_KEYS,
      networkKey: deriveKey(config.API_KEY_PEPPER, 'networks'),
      places: await openPlaces(),
      sameScanMs: config.SCAN_SESSION_SECONDS * 1000,
    }),
  };
  const metrics = createMetrics('web');
  const metricsServer = await serveMetrics(metrics, config.METRICS_HOST, config.METRICS_PORT);
  const server = createServer(createApp(deps, metrics));
  protect(server);
  const drain = drainable(server, NOTICE_MS);
  server.listen(config.PORT, config.HOST);
  await once(server, 'listening');
  core.log.info({ address: server.address(), version: VERSION }, 'listening');

  closeWithGrace(
    { delay: GRACE_MS, logger: { error: (text: unknown) => core.log.error(text) } },
    async ({ signal, err }) => {
      core.log[err ? 'fatal' : 'info']({ signal, ...(err ? { err } : {}) }, 'stopping');
      await drain();
      metricsServer?.close();
      await verifierPool.end();
      await core.close();
    },
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError ? error.message : (error as Error).stack}\n`);
  process.exit(1);
});
