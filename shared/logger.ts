/** Structured logs. Whatever may carry a secret is redacted here, once, by path. */
import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

const SECRET_PATHS = [
  'req.headers.authorization',
  'req.headers.cookie',
  'req.headers["x-api-key"]',
  'res.headers["set-cookie"]',
  '*.secret',
  '*.password',
  '*.key',
  'secret',
  'password',
  'key',
];

/** @param name of the process, e.g. `web` or `worker-scans`. */
export function createLogger(name: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    name,
    level,
    base: { pid: process.pid },
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
  return destination ? pino(options, destination) : pino(options);
}
