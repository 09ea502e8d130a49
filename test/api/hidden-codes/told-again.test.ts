import { expect } from 'chai';
import { newCookie, startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const BERLIN = '198.51.100.7';

describe('the page that tells again what a hidden code said', () => {
  let stand: Stand;
  let unit: MintedUnit;

  before(async () => {
    stand = await startStand();
  });
  after(() => stand?.close());
  beforeEach(async () => {
    stand.resetClock();
    unit = await stand.mintUnit({ hiddenCode: true });
  });

  const open = (token: string, cookie?: string) =>
    fetch(`${stand.origin}/v/${token}/hidden-code`, {
      headers: { accept: 'text/html', 'x-forwarded-for': BERLIN, ...(cookie && { cookie }) },
      redirect: 'manual',
    });
  const enter = (cookie: string, hiddenCode = unit.hiddenCode) =>
    fetch(`${stand.origin}/v/${unit.token}/hidden-code`, {
      method: 'POST',
      headers: {
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': BERLIN,
        cookie,
      },
      body: `hiddenCode=${hiddenCode}`,
    });
  const scanCount = async () =>
    (
      await stand.database.pool.query('select count(*)::int as n from scans where unit_id = $1', [
        unit.unitId,
      ])
    ).rows[0].n;

  it('leads a browser without a cookie to the unit’s page, and leaves the scan to that', async () => {
    for (const token of [unit.token, 'NOSUCHCODE']) {
      const response = await open(token);
      expect(response.status).to.equal(303);
      expect(response.headers.get('location')).to.equal(`/v/${token}`);
      expect(response.headers.get('cache-control')).to.equal('no-store');
    }
    expect(await scanCount()).to.equal(0);
  });

  it('is none for programs', async () => {
    const response = await fetch(`${stand.origin}/v/${unit.token}/hidden-code`, {
      headers: { accept: 'application/json', cookie: newCookie() },
      redirect: 'manual',
    });
    expect(response.status).to.equal(405);
    expect(await scanCount()).to.equal(0);
  });

  it('tells who typed it, on another day, too, and nobody else in the same network', async () => {
    const [buyer, neighbour] = [newCookie(), newCookie()];
    expect((await enter(buyer)).status).to.equal(200);
    expect((await open(unit.token, buyer)).status).to.equal(200);
    const response = await open(unit.token, neighbour);
    expect(response.status).to.equal(303);
    expect(response.headers.get('location')).to.equal(`/v/${unit.token}`);
    stand.advance(86_400_000);
    expect((await open(unit.token, buyer)).status).to.equal(200);
    expect((await open(unit.token, neighbour)).status).to.equal(303);
  });

  it('tells who typed a wrong one during their visit, and nobody else in the same network', async () => {
    const [buyer, neighbour] = [newCookie(), newCookie()];
    await enter(buyer, '0000-0000');
    const told = await open(unit.token, buyer);
    expect(told.status).to.equal(200);
    expect(await told.text()).to.include('class="told wrong"');
    expect((await open(unit.token, neighbour)).status).to.equal(303);
    stand.advance(86_400_000);
    expect((await open(unit.token, buyer)).status).to.equal(303);
  });
});
