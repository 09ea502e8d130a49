import { once } from 'node:events';
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { tokenForJson } from '../../../api/verify/fast-lane.ts';
import { mintTokens } from '../../../shared/units/token.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { ADDRESSES } from '../../support/places.ts';

/** What is of one request alone. */
const OWN_HEADERS = ['x-request-id', 'ratelimit', 'date', 'content-length'];

const rest = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name)));

describe('the fast lane', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  /** An Accept header that only Express can read, for the same JSON. */
  const THROUGH_EXPRESS = 'application/json;q=0.9';
  const get = (token: string, accept: string) =>
    api.http().get(`/v/${token}`).set('Accept', accept).set('X-Forwarded-For', ADDRESSES.DE);

  it('answers as Express does: status, headers, and body', async () => {
    const { units } = await org.mintUnits();
    const otherKey = Buffer.alloc(32, 9);
    const { token: forged } = mintTokens([{ id: 'other', bytes: otherKey }], 1, (size) =>
      Buffer.alloc(size, 7),
    )[0]!;
    for (const token of [units[0]!.token, forged, 'nonsense']) {
      const fast = await get(token, 'application/json');
      const slow = await get(token, THROUGH_EXPRESS);
      expect(fast.status).to.equal(slow.status);
      expect(rest(fast.headers), token).to.deep.equal(rest(slow.headers));
      const { scanId: _, scan: __, ...mine } = fast.body;
      const { scanId: ___, scan: ____, ...theirs } = slow.body;
      expect(mine).to.deep.equal(theirs);
      expect(fast.headers['ratelimit']).to.match(/^"verify"; r=\d+; t=\d+$/);
    }
  });

  it('counts, takes over a request id, and logs the pattern of the path in place of the code', async () => {
    const { units } = await org.mintUnits();
    const { token } = units[0]!;
    api.logs.length = 0;
    const { headers } = await get(`${token}?utm_source=box`, '*/*')
      .set('X-Request-Id', 'trace-1')
      .expect(200);
    expect(headers['x-request-id']).to.equal('trace-1');
    const line = api.logs.find((entry) => entry.includes('trace-1'));
    expect(JSON.parse(line!)).to.include({ route: '/v/:token', method: 'GET', status: 200 });
    expect(api.logs.join('')).not.to.include(token);
  });

  it('takes a code printed in capitals, and no other path', () => {
    const tokenOf = (url: string) => tokenForJson({ method: 'GET', url, headers: {} } as IncomingMessage);
    expect(tokenOf('/v/0ab')).to.equal('0ab');
    expect(tokenOf('/V/0AB?utm_source=box')).to.equal('0AB');
    for (const url of ['/v/', '/v/0ab/', '/v/0ab/position', '/vv/0ab', '/x/v/0ab', 'http://x/v/0ab'])
      expect(tokenOf(url), url).to.equal(null);
  });

  it('takes a code below a whole URL, as a proxy’s may be', async () => {
    const { units } = await org.mintUnits();
    const { express } = api.app;
    const { handle } = express as unknown as { handle: unknown };
    Object.assign(express, {
      handle: (_req: IncomingMessage, res: ServerResponse) => res.end('"by Express"'),
    });
    try {
      const { port } = api.server.address() as AddressInfo;
      const path = `http://verify.example/v/${units[0]!.token}?utm_source=box`;
      const sent = request({ port, path, headers: { accept: '*/*' } }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      expect(await json(answer)).to.include({ result: 'genuine' });
    } finally {
      Object.assign(express, { handle });
    }
  });

  it('leaves pages and HEAD to the other one', async () => {
    const { units } = await org.mintUnits();
    const { text } = await get(units[0]!.token, 'text/html').expect(200).expect('Content-Type', /html/);
    expect(text).to.match(/^<!doctype html>/i);
    const { body } = await api.verify(units[0]!.token);
    await api.http().head(`/v/${units[0]!.token}`).expect(200);
    expect((await api.verify(units[0]!.token)).body.scan.count).to.equal(body.scan.count + 1);
  });

  it('lets the stack answer what fails: the limit, with its headers and one line in the log', async () => {
    const limited = await createTestApi({ env: { RATE_LIMIT_VERIFY_PER_MINUTE: '1' } });
    try {
      const ask = () =>
        limited.http().get('/v/x').set('Accept', 'application/json').set('X-Request-Id', 'again');
      await ask().expect(404);
      limited.logs.length = 0;
      const { body, headers } = await ask().expect(429);
      expect(body).to.include({ code: 'RATE_LIMITED', requestId: 'again' });
      expect(headers['content-type']).to.match(/problem\+json/);
      expect(headers).to.include.keys(
        'retry-after',
        'ratelimit',
        'ratelimit-policy',
        'content-security-policy',
      );
      expect(headers['ratelimit']).to.match(/^"verify"; r=0; t=\d+$/);
      expect(headers['x-request-id']).to.equal('again');
      const lines = limited.logs.filter((entry) => entry.includes('again'));
      expect(lines).to.have.length(1);
    } finally {
      await limited.close();
    }
  });

  it('records nothing for who is refused, and does not even look up for who is known to be', async () => {
    const limited = await createTestApi({ env: { RATE_LIMIT_VERIFY_PER_MINUTE: '2' } });
    try {
      const { units } = await (await limited.createOrganization()).mintUnits();
      const { verifier } = limited.deps;
      let lookUps = 0;
      limited.deps.verifier = {
        ...verifier,
        verify: (...asked) => {
          lookUps += 1;
          return verifier.verify(...asked);
        },
      };
      const ask = (from: string) => limited.verify(units[0]!.token, from).set('Accept', 'application/json');
      for (const status of [200, 200, 429]) await ask(ADDRESSES.DE).expect(status);
      expect(lookUps).to.equal(3);
      for (let again = 0; again < 3; again += 1) await ask(ADDRESSES.DE).expect(429);
      expect(lookUps).to.equal(3);
      // Another visitor is none of it.
      expect((await ask(ADDRESSES.BR).expect(200)).body.scan.count).to.equal(3);
      expect(lookUps).to.equal(4);
    } finally {
      await limited.close();
    }
  });
});
