/**
 * What one attempt costs over the bare HTTP client: the same signed bodies, to the same local HTTPS receiver, at the
 * same concurrency, first by a bare undici loop and then by `createSender`, in turns within one run.
 * Options: `--seconds N` per measurement (3), `--rounds N` (2), `--concurrency N` (32).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Agent } from 'undici';
import { createCertificateAuthority } from '../launcher/tls.ts';
import { numberOf } from './lib/options.ts';
import { temporaryFolder } from './lib/surroundings.ts';
import { createSender } from '../shared/webhooks/attempt.ts';
import { signatureHeader, standardWebhooksHeaders, generateSecret } from '../shared/webhooks/signature.ts';

export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '2' },
      concurrency: { type: 'string', default: '32' },
    },
  });
  const measure = {
    seconds: numberOf('--seconds', values.seconds),
    concurrency: numberOf('--concurrency', values.concurrency),
  };
  const rounds = numberOf('--rounds', values.rounds);
  const authority = createCertificateAuthority('Touchstone benchmark CA');
  const folder = temporaryFolder();
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, authority.caPem);
  const { certPem, keyPem } = authority.certFor(['localhost']);

  const receiver = spawn(
    process.execPath,
    ['--import=tsx', join(import.meta.dirname, 'support/https-receiver.ts'), certPem, keyPem],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const [port] = (await once(createInterface(receiver.stdout), 'line')) as [string];
  const url = `https://localhost:${port}/hooks`;

  const bare = new Agent({ connect: { ca: authority.caPem }, pipelining: 1 });
  const sender = createSender({ version: 'bench', allowedCidrs: ['127.0.0.0/8'], caFile });
  const secrets = [generateSecret()];
  const rates = { bare: [] as number[], ours: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    rates.bare.push(
      await perSecond(measure, async (n) => {
        const { headers, body } = signedRequest(secrets, n);
        const answer = await bare.request({
          origin: `https://localhost:${port}`,
          path: '/hooks',
          method: 'POST',
          headers,
          body,
        });
        await answer.body.dump();
        return answer.statusCode === 204;
      }),
    );
    rates.ours.push(
      await perSecond(measure, async (n) => (await sender.send({ url, ...signedRequest(secrets, n) })).ok),
    );
  }
  await Promise.all([bare.close(), sender.close()]);
  receiver.stdin.end();
  await once(receiver, 'exit');

  const result = {
    bare_per_s: Math.round(Math.max(...rates.bare)),
    ours_per_s: Math.round(Math.max(...rates.ours)),
    ratio: Number((Math.max(...rates.ours) / Math.max(...rates.bare)).toFixed(2)),
    rounds: { bare: rates.bare.map(Math.round), ours: rates.ours.map(Math.round) },
  };
  console.log(
    `bare undici ${result.bare_per_s}/s, createSender ${result.ours_per_s}/s, ratio ${result.ratio}`,
  );
  return result;
}

function signedRequest(secrets: string[], n: number): { headers: Record<string, string>; body: Buffer } {
  const id = `evt_${String(n).padStart(26, '0')}`;
  const body = Buffer.from(
    JSON.stringify({
      id,
      type: 'scan.recorded',
      createdAt: new Date(),
      data: { scanId: 'scan_x', country: 'DE' },
    }),
  );
  const seconds = Math.floor(Date.now() / 1000);
  return {
    headers: {
      'content-type': 'application/json',
      'x-service-event': 'scan.recorded',
      'x-service-event-id': id,
      'x-service-delivery': `dlv_${n}`,
      'x-service-signature': signatureHeader(secrets, seconds, body),
      ...standardWebhooksHeaders(secrets, id, seconds, body),
    },
    body,
  };
}

/** Runs `attempt` in `concurrency` loops; successes per second. @throws Error if none succeeded. */
async function perSecond(
  { seconds, concurrency }: { seconds: number; concurrency: number },
  attempt: (n: number) => Promise<boolean>,
): Promise<number> {
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  let started = 0;
  let succeeded = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < endAt) {
        started += 1;
        if (await attempt(started)) succeeded += 1;
      }
    }),
  );
  if (succeeded === 0) throw new Error('not one attempt succeeded');
  return (succeeded * 1000) / (performance.now() - startedAt);
}
