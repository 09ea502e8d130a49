import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createMetrics, serveMetrics } from '../../shared/metrics.ts';
import { lastWords } from '../../shared/start-error.ts';
import { freePort } from '../../launcher/free-port.ts';

describe('metrics', () => {
  it('are served on a port of their own, which has nothing else', async () => {
    const metrics = createMetrics('web');
    metrics.httpRequestSeconds.observe({ method: 'GET', route: '/v/:token', status: '200' }, 0.003);
    const port = await freePort();
    const server = await serveMetrics(metrics, '127.0.0.1', port);
    try {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const line = text.split('\n').find((one) => one.startsWith('touchstone_http_request_seconds_count'));
      for (const label of ['method="GET"', 'route="/v/:token"', 'status="200"', 'process="web"'])
        expect(line).to.include(label);
      expect(line).to.match(/ 1$/);
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).to.equal(200);
      expect((await fetch(`http://127.0.0.1:${port}/api/v1/products`)).status).to.equal(404);
    } finally {
      server!.closeAllConnections();
      server!.close();
    }
  });

  it('name their settings where the port is taken or the address another machine’s, without a stack', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    try {
      for (const [host, reason] of [
        ['127.0.0.1', `listen EADDRINUSE: address already in use 127.0.0.1:${port}`],
        ['192.0.2.1', `listen EADDRNOTAVAIL: address not available 192.0.2.1:${port}`],
      ] as const) {
        const error = await serveMetrics(createMetrics('web'), host, port).catch((thrown: unknown) => thrown);
        expect(lastWords(error)).to.equal(`METRICS_PORT, METRICS_HOST: ${reason}\n`);
      }
    } finally {
      taken.close();
    }
  });

  it('are served nowhere by default', async () => {
    expect(await serveMetrics(createMetrics('web'), '127.0.0.1', 0)).to.equal(null);
  });
});
