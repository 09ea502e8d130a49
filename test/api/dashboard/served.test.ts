import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import express from 'express';
import request from 'supertest';
import { readDashboard } from '../../../api/dashboard/files.ts';
import { dashboard } from '../../../api/dashboard/routes.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

/** The body as it came, still compressed. */
const raw = (address: string, path: string, encoding: string) =>
  fetch(address + path, { headers: { 'Accept-Encoding': encoding } });

describe('the dashboard as it is served', () => {
  let api: TestApi;
  const built = readDashboard()!;
  /** Whichever name the build gave to what the page begins with. */
  const script = /<script[^>]* src="\/app\/assets\/([^"]+)"/.exec(built.page)![1]!;
  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  it('is one page at every address below /app, asked for again each time', async () => {
    for (const path of ['/app', '/app/', '/app/products/prod_1', '/app/no/such/place']) {
      const page = await request(api.server).get(path).expect(200);
      expect(page.type, path).to.equal('text/html');
      expect(page.headers['cache-control']).to.equal('no-cache');
      expect(page.text).to.include('<div id="root">').and.include('data-sign-up="open"');
    }
  });

  it('has a policy without a hole, with a new nonce for each answer, which every script of the page carries', async () => {
    const nonces = new Set<string>();
    for (let time = 0; time < 2; time += 1) {
      const page = await request(api.server).get('/app');
      const policy = page.headers['content-security-policy']!;
      expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'");
      expect(policy).not.to.match(/unsafe|https?:|\*/);
      const nonce = /script-src 'nonce-([\w-]{22})'/.exec(policy)![1]!;
      nonces.add(nonce);
      const scripts = page.text.match(/<script\b[^>]*>/g)!;
      expect(scripts.length).to.be.above(0);
      for (const tag of scripts) expect(tag).to.include(`nonce="${nonce}"`);
      expect(page.text).not.to.include('CSP_NONCE');
      // Nothing inline: every script is a file, no handler and no style in an attribute.
      expect(page.text).not.to.match(/<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=/);
    }
    expect(nonces.size).to.equal(2);
  });

  it('has files that never change, in the encoding that the browser takes', async () => {
    const { port } = api.server.address() as { port: number };
    const address = `http://127.0.0.1:${port}`;
    const plain = built.assets.get(script)!.bodies;
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await raw(address, `/app/assets/${script}`, accepted);
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('content-encoding')).to.equal(encoding);
      expect(answer.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      expect(answer.headers.get('vary')).to.include('Accept-Encoding');
      expect(answer.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
      expect(Buffer.from(await answer.arrayBuffer()).equals(plain.identity), accepted).to.equal(true);
      // `fetch` would ask for no answer of a cache.
      const again = await request(api.server)
        .get(`/app/assets/${script}`)
        .set({ 'Accept-Encoding': accepted, 'If-None-Match': answer.headers.get('etag')! });
      expect(again.status, accepted).to.equal(304);
    }
    expect(gunzipSync(plain.gzip!).equals(plain.identity)).to.equal(true);
    expect(brotliDecompressSync(plain.br!).equals(plain.identity)).to.equal(true);
  });

  it('answers 404 for a file that is not there, and for one outside of the folder', async () => {
    for (const name of ['none.js', '..%2Findex.html', '..%2F..%2Fpackage.json'])
      await request(api.server).get(`/app/assets/${name}`).expect(404);
  });

  it('says how to build it where it is not built', async () => {
    const app = express().use(dashboard({ SIGN_UP: 'open' }, null));
    app.use((error: Error, _req: express.Request, res: express.Response, _next: express.NextFunction) => {
      res.status(404).send(error.message);
    });
    const answer = await request(app).get('/app/products').expect(404);
    expect(answer.text).to.include('npm run build');
  });
});
