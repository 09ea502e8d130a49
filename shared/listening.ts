import { once } from 'node:events';
import type { Server } from 'node:net';
import { reasonOf, StartError } from './start-error.ts';

/**
 * Resolves when the server takes connections.
 * @param settings of the two, for whoever runs the process.
 * @throws StartError where the port is taken, or the address is none of this machine's.
 */
export async function untilListening(
  server: Server,
  port: number,
  host: string,
  settings: string,
): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new StartError(`${settings}: ${reasonOf(error)}`, { cause: error });
  }
}
