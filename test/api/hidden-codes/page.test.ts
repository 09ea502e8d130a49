import { expect } from 'chai';
import request from 'supertest';
import { startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const BERLIN = '198.51.100.7';
const TOKYO = '203.0.113.5';

describe('the page that answers a hidden code', () => {
  let stand: Stand;
  let unit: MintedUnit;
  let page: string;

  before(async () => {
    stand = await startStand();
  });
  after(() => stand?.close());
  beforeEach(async () => {
    unit = await stand.mintUnit({ hiddenCode: true });
    page = `/v/${unit.token}`;
  });

  /** As a browser's window asks. */
  const navigate = (ip: string, cookie: string, asked: request.Test) =>
    asked
      .redirects(0)
      .set('Accept', 'text/html,*/*;q=0.8')
      .set('Accept-Language', 'en')
      .set('Sec-Fetch-Mode', 'navigate')
      .set('X-Forwarded-For', ip)
      .set('Cookie', cookie);
  const open = (path: string, ip = BERLIN, cookie = '') =>
    navigate(ip, cookie, request(stand.origin).get(path));
  const send = (fields: object, ip = BERLIN, cookie = '', path = `${page}/hidden-code`) =>
    navigate(ip, cookie, request(stand.origin).post(path)).type('form').send(fields);
  /** @returns the cookie that the page gave */
  const visit = async (ip = BERLIN): Promise<string> =>
    (await open(page, ip)).headers['set-cookie']![0]!.split(';')[0]!;

  it('tells who comes after a hundred others, too', async () => {
    for (let n = 0; n < 100; n += 1) await send({ hiddenCode: unit.hiddenCode }, `203.${n}.113.5`);
    const cookie = await visit();
    const { status, headers } = await send({ hiddenCode: unit.hiddenCode }, BERLIN, cookie);
    expect({ status, to: headers.location }).to.deep.equal({ status: 303, to: `${page}/hidden-code` });
    expect((await open(headers.location!, BERLIN, cookie)).text).to.include('Hidden code: entered before');
  });

  it('leads a stranger who opens its address to the unit’s page, as one scan', async () => {
    await send({ hiddenCode: unit.hiddenCode }, BERLIN, await visit());
    const { status, headers } = await open(`${page}/hidden-code?lang=fr`, TOKYO);
    expect({ status, to: headers.location }).to.deep.equal({ status: 303, to: `${page}?lang=fr` });
    await open(headers.location!, TOKYO);
    const { rows } = await stand.database.pool.query(
      'select country from scans where unit_id = $1 order by at, id',
      [unit.unitId],
    );
    expect(rows).to.deep.equal([{ country: 'DE' }, { country: 'JP' }]);
  });

  it('is below each address of a GS1 Digital Link, and leads back to that, in the language asked for', async () => {
    unit = await stand.mintUnit({ hiddenCode: true, gtin: '09506000134352', lot: 'L7' });
    for (const path of [
      `/01/09506000134352/21/${unit.serial}`,
      `/01/09506000134352/10/L7/21/${unit.serial}`,
    ]) {
      const { status, headers } = await open(`${path}/hidden-code?lang=nl%26x`);
      expect({ status, to: headers.location }).to.deep.equal({ status: 303, to: `${path}?lang=nl%26x` });
      const cookie = (await open(path)).headers['set-cookie']![0]!.split(';')[0]!;
      const sent = await send({ hiddenCode: unit.hiddenCode }, BERLIN, cookie, `${path}/hidden-code`);
      expect(sent.headers.location).to.equal(`${path}/hidden-code`);
      expect((await open(sent.headers.location!, BERLIN, cookie)).status).to.equal(200);
    }
  });

  it('makes a visitor of who brings no cookie, who is known by it', async () => {
    const { status, headers } = await send({ hiddenCode: unit.hiddenCode });
    expect(status).to.equal(200);
    const cookie = headers['set-cookie']![0]!.split(';')[0]!;
    expect((await open(`${page}/hidden-code`, BERLIN, cookie)).status).to.equal(200);
  });

  it('is for who sends the form and takes a page: programs get JSON', async () => {
    const fields = { hiddenCode: unit.hiddenCode };
    const form = await send(fields).set('Accept', 'application/json');
    expect(form.body).to.include({ outcome: 'first' });
    const json = await send(fields).type('json');
    expect(json.body).to.include({ outcome: 'first' });
    expect([form, json].map(({ headers }) => headers['set-cookie'])).to.deep.equal([undefined, undefined]);
  });

  it('is the right one’s alone to lead to, and only in a browser’s window', async () => {
    const cookie = await visit();
    const right = { hiddenCode: unit.hiddenCode };
    expect((await send(right, BERLIN, cookie).set('Sec-Fetch-Mode', 'cors')).status).to.equal(200);
    const { status, headers } = await send({ ...right, lang: 'nl' }, BERLIN, cookie);
    expect(status).to.equal(303);
    expect(headers).to.include({ location: `${page}/hidden-code?lang=nl`, 'cache-control': 'no-store' });
    const told = await open(headers.location!, BERLIN, cookie);
    expect(told.headers['content-language']).to.equal('nl');
    unit = await stand.mintUnit({ hiddenCode: true, status: 'minted' });
    const unnoted = { path: `/v/${unit.token}/hidden-code`, cookie: await visit() };
    const checked = await send({ hiddenCode: unit.hiddenCode }, BERLIN, unnoted.cookie, unnoted.path);
    expect(checked.status, 'that it would not tell').to.equal(200);
    const wrong = await send({ hiddenCode: '0000-0000' }, BERLIN, cookie);
    expect(wrong.status).to.equal(200);
    expect(wrong.text).to.include('0000-0000').and.include(`href="${page}/hidden-code?lang=nl"`);
    const stranger = await send({ hiddenCode: '0000-0000' });
    expect(stranger.text).to.include(`href="${page}?lang=nl"`).and.not.include('data-again');
  });

  it('is in the form’s language, also where the code is nobody’s', async () => {
    const fields = { hiddenCode: '0000-0000', lang: 'nl' };
    expect((await send(fields)).headers['content-language']).to.equal('nl');
    const unknown = await send(fields, BERLIN, '', '/v/NOSUCHCODE/hidden-code');
    expect(unknown.status).to.equal(404);
    expect(unknown.headers['content-language']).to.equal('nl');
  });
});
