/** `npm start` runs this once, beside the processes: argument 1 is the organization's UUID; DEMO_PASSWORD is everybody's. */
import { createLinkSigner } from '../shared/barcode-jobs/download-link.ts';
import { systemClock } from '../shared/clock.ts';
import { configFromEnvironment } from '../shared/config.ts';
import { createStorage } from '../shared/storage/create-storage.ts';
import { createCore, deriveKey } from '../shared/wiring.ts';
import { makeSampleData } from './generate.ts';

const started = performance.now();
const config = { ...configFromEnvironment(), LOG_LEVEL: 'warn' as const };
const core = await createCore(config, 'sample-data');
try {
  const report = await makeSampleData({
    deps: {
      ...core,
      storage: await createStorage(config),
      links: createLinkSigner(config.PUBLIC_URL, deriveKey(config.API_KEY_PEPPER, 'download-links')),
      mailTransport: {
        send: () => Promise.reject(new Error('sample data sends no mail')),
        close: () => undefined,
      },
      stopping: new AbortController().signal,
    },
    orgId: process.argv[2]!,
    password: process.env['DEMO_PASSWORD']!,
    now: systemClock,
  });
  if (report.did === 'made') {
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${report.products} products, ${report.units} units, ${report.scans} scans in ${seconds} s`);
  }
} finally {
  await core.close();
}
