import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { paceBodies, type Pace } from '../../api/pace.ts';

const MIN_BYTES = 1_000;

describe('the pace of bodies', () => {
  let server: Server;
  let pace: Pace;
  let clients: Socket[];
  const arrived = { bytes: 0 };
  let read: (req: IncomingMessage) => void;

  beforeEach(async () => {
    arrived.bytes = 0;
    clients = [];
    read = (req) => void req.on('data', (chunk: Buffer) => (arrived.bytes += chunk.length));
    server = createServer((req, res) => {
      read(req);
      req.on('end', () => res.end('done')).on('error', () => undefined);
    });
    pace = paceBodies(server, MIN_BYTES);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    for (const client of clients) client.destroy();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  /** A client that sends the head of an upload; resolves when the server has it. */
  const begin = async (length: number): Promise<Socket> => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    clients.push(client.on('error', () => undefined));
    client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
    await once(server, 'request');
    return client;
  };
  const send = async (client: Socket, bytes: number): Promise<void> => {
    const due = arrived.bytes + bytes;
    client.write(Buffer.alloc(bytes, 'x'));
    while (arrived.bytes < due) await new Promise(setImmediate);
  };

  it('lets a slow upload go on for as long as it goes on', async () => {
    const client = await begin(50 * MIN_BYTES);
    for (let look = 0; look < 50; look += 1) {
      pace.check();
      expect(pace.size).to.equal(1);
      await send(client, MIN_BYTES);
    }
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(answer.toString()).to.include('200 OK');
    pace.check();
    expect(pace.size).to.equal(0);
  });

  it('cuts a slow loris at the second look', async () => {
    const client = await begin(50 * MIN_BYTES);
    pace.check();
    await send(client, MIN_BYTES - 1);
    expect(client.destroyed).to.equal(false);
    pace.check();
    await once(client, 'close');
    expect(pace.size).to.equal(0);
  });

  it('blames nobody for what the service has not read yet', async () => {
    let slow: IncomingMessage | undefined;
    read = (req) => (slow = req);
    const client = await begin(10 * MIN_BYTES);
    client.write(Buffer.alloc(5 * MIN_BYTES, 'x'));
    while (slow!.readableLength === 0) {
      slow!.read(0);
      await new Promise(setImmediate);
    }
    for (let look = 0; look < 5; look += 1) pace.check();
    expect(client.destroyed).to.equal(false);
    expect(pace.size).to.equal(1);
    slow!.resume();
    client.write(Buffer.alloc(5 * MIN_BYTES, 'x'));
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(answer.toString()).to.include('200 OK');
  });

  it('does not watch what has no body', async () => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    clients.push(client);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(server, 'request');
    expect(pace.size).to.equal(0);
  });
});
