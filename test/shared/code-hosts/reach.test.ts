import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { obstacleOnTheWay } from '../../../shared/code-hosts/service.ts';

describe('the way to a host of codes', () => {
  let server: Server;
  let origin: string;
  let answer: RequestListener;
  const asked: (string | undefined)[] = [];

  before(async () => {
    server = createServer((req, res) => {
      asked.push(req.url);
      answer(req, res);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  const obstacle = async (body: unknown, status = 200) => {
    answer = (_req, res) => res.writeHead(status).end(JSON.stringify(body));
    const told = await obstacleOnTheWay(origin, 0);
    return told?.replace(`${origin}/.well-known/gs1resolver `, '') ?? null;
  };

  it('is free where the service describes itself by the very address', async () => {
    expect(await obstacle({ resolverRoot: origin })).to.equal(null);
    expect(asked).to.deep.equal(['/.well-known/gs1resolver']);
  });

  it('is not where it is answered for another address', async () => {
    expect(await obstacle({ resolverRoot: 'https://verify.example.com' })).to.match(
      /^is answered for https:\/\/verify\.example\.com: by another installation/,
    );
  });

  it('is not where something else answers, or leads elsewhere, or an error does', async () => {
    const other = 'and not as this service does';
    expect(await obstacle({ name: 'a shop' })).to.equal(`answers 200, ${other}`);
    expect(await obstacle({ resolverRoot: origin }, 503)).to.equal(`answers 503, ${other}`);
    answer = (req, res) =>
      req.url === '/elsewhere'
        ? res.end(JSON.stringify({ resolverRoot: origin }))
        : res.writeHead(302, { Location: '/elsewhere' }).end();
    expect(await obstacleOnTheWay(origin, 0)).to.include(`answers 302, ${other}`);
  });

  it('is not where nobody answers, which is told with the reason', async () => {
    answer = (req) => req.socket.destroy();
    expect(await obstacleOnTheWay(origin, 0)).to.match(/gs1resolver does not answer: (?!fetch failed).+/);
  });

  it('is not where no address of several answers, which is told with the reason', async () => {
    const { lookup } = dns;
    const both = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
    const lookUp = (_host: string, _options: object, found: (error: null, addresses: object[]) => void) =>
      found(null, both);
    dns.lookup = lookUp as unknown as typeof lookup;
    try {
      // Port 2: nobody listens there.
      expect(await obstacleOnTheWay('https://id.two.example:2', 0)).to.equal(
        'https://id.two.example:2/.well-known/gs1resolver does not answer: ECONNREFUSED',
      );
    } finally {
      dns.lookup = lookup;
    }
  });

  it('is looked at again while there is patience', async () => {
    let looks = 0;
    answer = (_req, res) =>
      res.end(JSON.stringify({ resolverRoot: looks++ === 0 ? 'https://x.example' : origin }));
    expect(await obstacleOnTheWay(origin, 60_000)).to.equal(null);
    expect(looks).to.equal(2);
  });
});
