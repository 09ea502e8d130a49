import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { boundedBody } from '../../api/bounded-body.ts';
import { AppError } from '../../shared/errors.ts';

const MOST = 100_000;

describe('a body that has a most', () => {
  let server: Server;
  let port: number;
  /** Addresses of the requests, asked for once they are answered. */
  let addresses: (string | undefined)[];

  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    let bytes = 0;
    res.on('finish', () => addresses.push(req.socket.remoteAddress));
    try {
      for await (const chunk of boundedBody(req, MOST, 'too much', req.url === '/brief' ? 20 : undefined))
        bytes += chunk.length;
      res.end(String(bytes));
    } catch (error) {
      res.statusCode = error instanceof AppError ? 413 : 500;
      res.end((error as AppError).options.detail);
    }
  };

  before(async () => {
    server = createServer((req, res) => void answer(req, res));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  beforeEach(() => {
    addresses = [];
  });
  after(() => new Promise((resolve) => server.close(resolve)));

  const send = async (bytes: number) => {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: Buffer.alloc(bytes) });
    return [response.status, await response.text()];
  };

  it('is read whole up to it', async () => {
    expect(await send(MOST)).to.deep.equal([200, String(MOST)]);
  });

  it('is refused beyond, with an answer that a client gets who is still sending, and a request that is whole', async () => {
    for (const bytes of [MOST + 1, 2_000_000, 20_000_000])
      expect(await send(bytes), `${bytes} bytes`).to.deep.equal([413, 'too much']);
    expect(addresses).to.deep.equal(['127.0.0.1', '127.0.0.1', '127.0.0.1']);
  });

  it('is taken for a while longer, and not for ever', async () => {
    const client = connect(port, '127.0.0.1');
    client.on('error', () => undefined);
    client.write('POST /brief HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n');
    client.write(Buffer.alloc(MOST + 1));
    const [head] = (await once(client, 'data')) as [Buffer];
    expect(head.toString()).to.match(/^HTTP\/1\.1 413 /);
    // It goes on sending now and then, and is cut.
    const more = setInterval(() => client.write('x'), 5);
    // Not `once`, which an error rejects: it is how the client learns of the end.
    await new Promise((resolve) => client.once('close', resolve));
    clearInterval(more);
  });
});
