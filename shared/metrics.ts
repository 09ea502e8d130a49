/** `/metrics` and `/healthz` of a process, on a port of their own. */
import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { untilListening } from './listening.ts';

export interface Metrics {
  registry: Registry;
  httpRequestSeconds: Histogram<'method' | 'route' | 'status'>;
  wakeUps: Counter<'queue' | 'outcome'>;
}

export function createMetrics(process: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    httpRequestSeconds: new Histogram({
      name: 'touchstone_http_request_seconds',
      help: 'Duration of HTTP requests',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers: [registry],
    }),
    wakeUps: new Counter({
      name: 'touchstone_wake_ups_total',
      help: 'Wake-ups served, by queue and outcome',
      labelNames: ['queue', 'outcome'],
      registers: [registry],
    }),
  };
}

/** @param port 0 serves nothing. @returns the server, or null. @throws StartError where it cannot listen. */
export async function serveMetrics(
  { registry }: Metrics,
  host: string,
  port: number,
): Promise<Server | null> {
  if (port === 0) return null;
  const server = createServer((req, res) => {
    if (req.url === '/healthz') {
      res.end('ok\n');
      return;
    }
    if (req.url !== '/metrics') {
      res.statusCode = 404;
      res.end();
      return;
    }
    void registry.metrics().then(
      (text) => {
        res.setHeader('Content-Type', registry.contentType);
        res.end(text);
      },
      () => {
        res.statusCode = 500;
        res.end();
      },
    );
  });
  await untilListening(server, port, host, 'METRICS_PORT, METRICS_HOST');
  return server;
}
