/** A customer's webhook receiver: real HTTPS on this machine, every signature checked as our own package advises. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServerCertificate } from '../launcher/tls.ts';
import type * as WebhookVerify from '../packages/webhook-verify/index.js';
import { packageRoot } from '../shared/package-root.ts';

export interface WebhookReceiver {
  url: string;
  /** Shown once, when the endpoint is created. */
  useSecret(secret: string): void;
  /** Events whose signature was good, in the order of arrival. */
  readonly events: readonly WebhookVerify.WebhookEvent[];
  /** Why deliveries were refused. */
  readonly refusals: readonly string[];
  close(): Promise<void>;
}

export async function startWebhookReceiver({ certPem, keyPem }: ServerCertificate): Promise<WebhookReceiver> {
  // The package is plain JavaScript and no part of the build, so it is found from the root and not from here.
  const packageFile = path.join(packageRoot, 'packages', 'webhook-verify', 'index.js');
  const { verifyWebhook } = (await import(pathToFileURL(packageFile).href)) as typeof WebhookVerify;
  const events: WebhookVerify.WebhookEvent[] = [];
  const refusals: string[] = [];
  let secret = '';
  const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      try {
        const event = verifyWebhook(Buffer.concat(chunks), request.headers, secret);
        if (request.headers['x-service-event-id'] !== event.id) throw new Error('header and body disagree');
        events.push(event);
        response.writeHead(204).end();
      } catch (error) {
        refusals.push((error as Error).message);
        response.writeHead(400).end();
      }
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/touchstone`,
    useSecret: (given) => {
      secret = given;
    },
    events,
    refusals,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
