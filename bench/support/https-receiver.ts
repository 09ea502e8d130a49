/**
 * A webhook receiver for benchmarks, run as a process of its own so that it takes the other core: answers every POST
 * with 204 once the body is read. Prints its port on the first line; ends with its standard input.
 */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const [cert, key] = process.argv.slice(2);
const server = createServer({ cert, key, keepAlive: true, keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => process.exit());
