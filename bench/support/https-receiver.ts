/**
 * A webhook receiver for benchmarks, run as a process of its own so that it takes the other core: answers every POST
 * with 204 once the body is read, but to `/hung` never. Prints its port on the first line. Told `report`, it prints when
 * each event came first, as JSON of [event id, milliseconds since 1970], and forgets them. Ends with its standard input.
 */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

const [cert, key] = process.argv.slice(2);
const receipts = new Map<string, number>();
const server = createServer({ cert, key, keepAlive: true, keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  request.on('end', () => {
    if (request.url === '/hung') return;
    if (request.url === '/noted') {
      const id = request.headers['x-service-event-id'] as string;
      if (!receipts.has(id)) receipts.set(id, Date.now());
    }
    response.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
createInterface(process.stdin)
  .on('line', () => {
    console.log(JSON.stringify([...receipts]));
    receipts.clear();
  })
  .on('close', () => process.exit());
