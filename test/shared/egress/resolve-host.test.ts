import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { expect } from 'chai';
import { createResolver } from '../../../shared/egress/resolve-host.ts';

const RECORDS: Record<string, { 1?: number[]; 28?: number[] }> = {
  'both.example': { 1: [93, 184, 216, 34], 28: [0x26, 0x06, ...Array.from({ length: 13 }, () => 0), 1] },
  'four.example': { 1: [93, 184, 216, 35] },
};

let server: Socket;
let asked: string[];
let servers: string[];

/** A name server for A (1) and AAAA (28) of {@link RECORDS}; silent about `silent.example`, and NXDOMAIN otherwise. */
async function startNameServer(): Promise<void> {
  asked = [];
  server = createSocket('udp4');
  server.on('message', (query, peer) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.subarray(at + 1, at + 1 + length).toString());
      at += 1 + length;
    }
    const question = query.subarray(12, at + 5);
    const type = query.readUInt16BE(at + 1) as 1 | 28;
    const name = labels.join('.').toLowerCase();
    asked.push(`${name} ${type}`);
    if (name === 'silent.example') return;
    const data = RECORDS[name]?.[type];
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    // QR, RD, RA; and NXDOMAIN for a name without any record.
    head.writeUInt16BE(RECORDS[name] ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(data ? 1 : 0, 6);
    const answer = data
      ? Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data])
      : Buffer.alloc(0);
    server.send(Buffer.concat([head, question, answer]), peer.port, peer.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  servers = [`127.0.0.1:${server.address().port}`];
}

describe('the webhook resolver', () => {
  beforeEach(startNameServer);
  afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

  const never = () => Promise.reject(new Error('the system was asked'));

  it('gives all addresses of both families, and asks DNS itself', async () => {
    const resolve = createResolver({ servers, systemLookup: never });
    expect(await resolve('both.example')).to.deep.equal(['93.184.216.34', '2606::1']);
    expect(await resolve('four.example')).to.deep.equal(['93.184.216.35']);
  });

  it('asks once for all who want the same name at the same time', async () => {
    const resolve = createResolver({ servers, systemLookup: never });
    await Promise.all(Array.from({ length: 50 }, () => resolve('both.example')));
    expect(asked.sort()).to.deep.equal(['both.example 1', 'both.example 28']);
    await resolve('both.example');
    expect(asked).to.have.length(4);
  });

  it('falls back to the system for a name that DNS does not know', async () => {
    const resolve = createResolver({ servers, systemLookup: (name) => Promise.resolve([`system:${name}`]) });
    expect(await resolve('hosts-file.example')).to.deep.equal(['system:hosts-file.example']);
  });

  it('does not hand a silent name server on to the system, whose threads it would hold', async () => {
    const resolve = createResolver({ servers, timeoutMs: 50, systemLookup: never });
    const error: unknown = await resolve('silent.example').catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'ETIMEOUT');
  });

  it('knows localhost without asking anybody', async () => {
    const resolve = createResolver({ servers, systemLookup: never });
    expect(await resolve('localhost')).to.deep.equal(['127.0.0.1', '::1']);
    expect(await resolve('hooks.localhost')).to.deep.equal(['127.0.0.1', '::1']);
    expect(asked).to.deep.equal([]);
  });
});
