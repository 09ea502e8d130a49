import { createServer } from 'node:net';

/**
 * @returns a TCP port of 127.0.0.1 that nobody listens on. Somebody else may take it before it is used, so a
 *   caller whose server fails to bind asks again.
 */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('no port')),
      );
    });
  });
}
