import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { CATALOGUES } from '../../../api/verify/page/locales.ts';
import { startStand, type Stand } from '../../support/verification-stand.ts';

const GTIN = '09506000134352';
const UNIT = `/01/${GTIN}/21/S-1`;

describe('strange requests to GS1 Digital Links', () => {
  let stand: Stand;

  before(async () => {
    stand = await startStand();
    await stand.mintUnit({ gtin: GTIN, serial: 'S-1' });
  });
  after(() => stand?.close());

  /** As the target is written: `fetch` would tidy it, or refuse it. */
  async function ask(target: string, headers: Record<string, string> = {}, method = 'GET', body?: object) {
    const { port } = new URL(stand.origin);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path: target, headers, method }, resolve);
      sent.on('error', reject);
      if (body !== undefined) sent.setHeader('content-type', 'application/json');
      sent.end(body && JSON.stringify(body));
    });
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
  }

  const BELOW = [
    '',
    `/${GTIN}`,
    `/${GTIN}/10/L7`,
    `/${GTIN}/21/S-1`,
    `/${GTIN}/21/S-1?linkType=linkset`,
    '/x',
  ];

  it('get a problem document with 400 where the target is no URL', async () => {
    for (const below of BELOW) {
      const target = `http://x:99999/01${below}`;
      const { status, headers, body } = await ask(target);
      expect([target, status]).to.deep.equal([target, 400]);
      expect(headers['content-type']).to.include('application/problem+json');
      expect(headers['access-control-allow-origin']).to.equal('*');
      expect(JSON.parse(body)).to.include({ code: 'BAD_REQUEST' });
    }
  });

  it('get it as well where something is sent to such a target', async () => {
    for (const [below, body] of [
      ['/position', { nonce: 'x', lat: 49.1, lon: 6.2, accuracyM: 20 }],
      ['/reports', { description: 'The seal was broken.' }],
    ] as const) {
      const answer = await ask(`http://x:99999${UNIT}${below}`, {}, 'POST', body);
      expect([below, answer.status]).to.deep.equal([below, 400]);
      expect(JSON.parse(answer.body)).to.include({ code: 'BAD_REQUEST' });
    }
  });

  it('get a page with 400 where a browser asks', async () => {
    for (const below of BELOW) {
      const { status, headers, body } = await ask(`http://x:99999/01${below}`, { accept: 'text/html' });
      expect([below, status]).to.deep.equal([below, 400]);
      expect(headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(body).to.match(/^<!doctype html>/i);
    }
  });

  it('are answered where the target is a whole URL, as a proxy’s may be', async () => {
    const { status, body } = await ask(`http://verify.example${UNIT}`);
    expect(status).to.equal(200);
    expect(JSON.parse(body)).to.include({ result: 'genuine' });
    const unknown = await ask('http://verify.example/v/%ff');
    expect(unknown.status).to.equal(404);
    expect(JSON.parse(unknown.body)).to.include({ result: 'unknown' });
    for (const unread of [`/01/${GTIN}/21/%ff`, `/01/${GTIN}/21/%ff?lang=de`])
      expect([unread, (await ask(`http://verify.example${unread}`)).status]).to.deep.equal([unread, 400]);
  });

  it('make no scan for a page of another site, which may read the answer, however the target is written', async () => {
    const fromElsewhere = {
      'sec-fetch-mode': 'cors',
      'sec-fetch-site': 'cross-site',
      'sec-fetch-dest': 'empty',
    };
    for (const target of [UNIT, `HTTPS://verify.example:8443${UNIT}`]) {
      const { headers, body } = await ask(target, fromElsewhere);
      expect(headers['access-control-allow-origin'], target).to.equal('*');
      expect(JSON.parse(body), target).to.include({ scanId: null, result: 'genuine' });
    }
  });

  it('show a misread code as one that nobody knows, however the target is written', async () => {
    for (const misread of ['/01/09506000134353/21/S-1', `/01/${GTIN}/21/%ff`])
      for (const target of [misread, `http://verify.example${misread}`]) {
        const { status, headers, body } = await ask(target, { accept: 'text/html' });
        expect([target, status]).to.deep.equal([target, 400]);
        expect(headers['access-control-allow-origin']).to.equal('*');
        expect(body).to.include(CATALOGUES.en.verdicts.unknown.title);
      }
  });

  it('are read with what need not have been percent-encoded, wherever it stands', async () => {
    for (const target of [
      `/01/%30950600013435%32/21/S-1`,
      `/01/${GTIN}/%32%31/%53%2D1`,
      `/%30%31/${GTIN}/21/S-1`,
      `http://verify.example/01/${GTIN}/2%31/S-1`,
    ]) {
      const { status, body } = await ask(target);
      expect([target, status]).to.deep.equal([target, 200]);
      expect(JSON.parse(body)).to.include({ result: 'genuine' });
    }
  });

  it('name no other path than the one that is written: neither dots nor backslashes are tidied', async () => {
    for (const serial of ['..', '%2e%2e', '.%2E', '.']) {
      const { status, body } = await ask(`/01/${GTIN}/21/${serial}`);
      expect([serial, status]).to.deep.equal([serial, 404]);
      expect(JSON.parse(body)).to.include({ result: 'unknown' });
    }
    for (const target of [`/01/${GTIN}\\21\\S-1`, `/01/${GTIN}/21/x/../S-1`, `http://x\\01/${GTIN}`])
      expect([target, (await ask(target)).status]).to.deep.equal([target, 400]);
  });

  it('are answered whatever stands in parameters that are no resolver’s', async () => {
    for (const path of [UNIT, `/01/${GTIN}`, '/.well-known/gs1resolver'])
      for (const query of ['__proto__=1', '__proto__=1&__proto__=2', 'utm=%00', 'a=1&a=2&constructor=x']) {
        const target = `${path}?${query}`;
        const answers = [await ask(target), await ask(target, {}, 'HEAD')];
        expect([target, ...answers.map(({ status }) => status)]).to.deep.equal([target, 200, 200]);
      }
  });

  it('still heed the resolver’s own parameters beside them, and pass all on', async () => {
    const german = await ask(`${UNIT}?__proto__=1&lang=de`, { accept: 'text/html' });
    expect([german.status, german.headers['content-language']]).to.deep.equal([200, 'de']);
    const foreign = '__proto__=1&17=281231&x=%FF&flag&&y=a%20b&z=~&=1';
    const { body } = await ask(`${UNIT}?linkType=linkset&${foreign}`);
    const { linkset } = JSON.parse(body) as { linkset: [Record<string, any>] };
    expect(linkset[0]['https://gs1.org/voc/defaultLink'][0].href).to.equal(
      `http://localhost:3000${UNIT}?${foreign}`,
    );
    const way = await ask(`${UNIT}?${foreign}&link%54ype=gs1:pip`);
    expect([way.status, way.headers.location]).to.deep.equal([
      307,
      `http://localhost:3000/01/${GTIN}?${foreign}`,
    ]);
    expect((await ask(`${UNIT}?linkType=a&linkType=b`)).status).to.equal(404);
  });
});
