import { expect } from 'chai';
import { cellOf } from '../../../shared/analytics/service.ts';
import { encodeId } from '../../../shared/ids.ts';
import { profileOf, whileHeld } from '../../support/held-row.ts';
import { startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1';

describe('a position that a visitor gives', () => {
  let stand: Stand;
  let unit: MintedUnit;

  before(async () => {
    stand = await startStand();
  });
  after(() => stand?.close());
  beforeEach(async () => {
    stand.resetClock();
    unit = await stand.mintUnit();
  });

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(stand.origin + path, { method, headers: { 'user-agent': PHONE, ...headers } });
  const verify = (headers: Record<string, string> = {}, method = 'GET') =>
    get(`/v/${unit.token}`, headers, method);
  const cookieOf = (response: Response) => response.headers.get('set-cookie')!.split(';')[0]!;

  describe('POST position', () => {
    // Metz, for a visitor whose mobile network is taken to be around Saarbrücken.
    const at = { lat: 49.119, lon: 6.176, accuracyM: 30 };
    const visit = async (ip = '100.20.1.7') => {
      const response = await verify({ accept: HTML, 'x-forwarded-for': ip });
      const nonce = /data-nonce="([^"]+)"/.exec(await response.text())?.[1];
      return { nonce, cookie: cookieOf(response) };
    };
    const post = (body: unknown, token = unit.token) =>
      fetch(`${stand.origin}/v/${token}/position`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const stored = async () =>
      (
        await stand.database.pool.query(
          `select lat, lon, round(accuracy_km::numeric, 1)::float8 as accuracy_km, country, place_source, claimed_lat, claimed_lon,
                  round(claimed_accuracy_km::numeric, 1)::float8 as claimed_accuracy_km, assessment, scorings
             from scans where unit_id = $1`,
          [unit.unitId],
        )
      ).rows;

    it('adds the position to the scan just made, once, and has it scored again', async () => {
      const { nonce, cookie } = await visit();
      await stand.score();
      expect((await stored())[0]).to.include({ country: 'DE', assessment: 'final', scorings: 1 });
      stand.woken.length = 0;
      // Cut to 100 m also where it was not the page that sent it.
      expect((await post({ nonce, ...at, lat: 49.11934, lon: 6.17566 })).status).to.equal(204);
      expect(stand.woken).to.deep.equal(['scoreScans']);
      expect(await stored()).to.deep.equal([
        {
          lat: 49.119,
          lon: 6.176,
          // As far as the address is from the middle of the cell, 59.9 km, and what the position may be off that.
          accuracy_km: 67.8,
          country: 'FR',
          place_source: 'gps',
          claimed_lat: 49.119,
          claimed_lon: 6.176,
          claimed_accuracy_km: 0.1,
          assessment: 'preliminary',
          scorings: 1,
        },
      ]);
      expect(await stand.score()).to.equal(1);
      expect((await stored())[0]).to.include({ assessment: 'final', scorings: 2 });
      const { rows } = await stand.database.pool.query(
        `select count(*)::int as n from events where type = 'scan.recorded' and data->>'serial' = $1`,
        [unit.serial],
      );
      expect(rows[0]).to.deep.equal({ n: 1 });
      const second = await post({ nonce, lat: 1, lon: 1, accuracyM: 5 });
      expect([second.status, ((await second.json()) as { code: string }).code]).to.deep.equal([
        409,
        'CONFLICT',
      ]);
      expect((await stored())[0]).to.include({ lat: 49.119, scorings: 2 });
      const page = await (await verify({ accept: HTML, cookie })).text();
      expect(page).not.to.include('data-nonce');
    });

    it('keeps a position that the address contradicts beside the scan, for no rule and no figure', async () => {
      const { nonce, cookie } = await visit('198.51.100.7');
      await stand.score();
      const [before] = await stored();
      stand.woken.length = 0;
      expect((await post({ nonce, ...at })).status).to.equal(204);
      expect(stand.woken).to.deep.equal([]);
      expect(await stored()).to.deep.equal([
        { ...before, claimed_lat: 49.119, claimed_lon: 6.176, claimed_accuracy_km: 0.1 },
      ]);
      expect(before).to.include({ lat: 52.5, country: 'DE', place_source: 'ip-fixed', assessment: 'final' });
      const { body } = await stand.call('GET', `/api/v1/scans?unitId=${encodeId('unit', unit.unitId)}`);
      expect(body.data[0].place).to.include({ lat: 52.5, source: 'ip-fixed' });
      expect(body.data[0].claimedPosition).to.include({ lat: 49.119, lon: 6.176 });
      expect((await post({ nonce, ...at })).status).to.equal(409);
      expect(await (await verify({ accept: HTML, cookie })).text()).not.to.include('data-nonce');
    });

    it('moves the scan in the figures, and counts it no second time', async () => {
      const { nonce } = await visit();
      await stand.score();
      await post({ nonce, ...at });
      await stand.score();
      const { rows } = await stand.database.pool.query(
        `select kind, country, sum(amount)::int as amount from analytics_deltas
          where product_id = $1 group by kind, country having sum(amount) <> 0 order by kind`,
        [unit.productId],
      );
      expect(rows).to.deep.equal([
        { kind: 'first_scan', country: '', amount: 1 },
        { kind: 'scan', country: 'FR', amount: 1 },
      ]);
    });

    it('moves the visitor in what the rules remember of the unit', async () => {
      const places = async () =>
        (
          await stand.database.pool.query<{ countries: string[] }>(
            `select jsonb_path_query_array(profile, '$.places[*].country') as countries
               from unit_risk_profiles where unit_id = $1`,
            [unit.unitId],
          )
        ).rows[0]!.countries;
      const { nonce } = await visit();
      await stand.score();
      expect(await places()).to.deep.equal(['DE']);
      await post({ nonce, ...at });
      await stand.score();
      expect(await places()).to.deep.equal(['FR']);
    });

    it('leaves a scan at sea in the country of its address', async () => {
      const { nonce } = await visit();
      expect((await post({ nonce, lat: 54, lon: 4, accuracyM: 30 })).status).to.equal(204);
      expect((await stored())[0]).to.include({ lat: 54, place_source: 'gps', country: 'DE' });
    });

    it('waits for the scoring under way, and takes back what that has counted', async () => {
      const { nonce } = await visit();
      await whileHeld(stand.database.pool, profileOf(unit.unitId), async ({ holder, waiting, release }) => {
        const posted = post({ nonce, ...at });
        await waiting(1);
        await holder.query(`update scans set assessment = 'final', scorings = 1 where unit_id = $1`, [
          unit.unitId,
        ]);
        await release();
        expect((await posted).status).to.equal(204);
      });
      const { rows } = await stand.database.pool.query(
        `select country, amount from analytics_deltas where product_id = $1 and kind = 'scan'`,
        [unit.productId],
      );
      expect(rows).to.deep.equal([{ country: 'DE', amount: -1 }]);
    });

    it('is taken back from the cell of the map where it was counted, when a hidden code tells of copies', async () => {
      unit = await stand.mintUnit({ hiddenCode: true });
      const { nonce, cookie } = await visit();
      // Counted a tenth of a degree coarse: at 49.0, in the next cell.
      await post({ nonce, lat: 48.97, lon: 6.7, accuracyM: 30 });
      await stand.score();
      const enter = (headers: Record<string, string>) =>
        fetch(`${stand.origin}/v/${unit.token}/hidden-code`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify({ hiddenCode: unit.hiddenCode }),
        });
      for (const ip of ['198.51.1.1', '198.51.2.1', '198.51.3.1']) await enter({ 'x-forwarded-for': ip });
      await stand.score();
      await enter({ cookie, 'x-forwarded-for': '100.20.1.7' });
      await stand.score();
      expect((await stored()).filter(({ place_source: source }) => source === 'gps')[0]).to.include({
        lat: 48.97,
        scorings: 2,
      });
      const { rows } = await stand.database.pool.query(
        `select cell, sum(amount)::int as amount from analytics_deltas
          where product_id = $1 and kind = 'scan' group by cell having sum(amount) <> 0 order by cell`,
        [unit.productId],
      );
      expect(rows).to.deep.equal([
        { cell: cellOf(49, 6.7), amount: 1 },
        { cell: cellOf(52.5, 13.4), amount: 3 },
      ]);
    });

    it('refuses a nonce that is forged, of another unit, or too old, and changes nothing', async () => {
      const { nonce } = await visit();
      const before = await stored();
      const forged = Buffer.from(nonce!, 'base64url');
      forged[20]! ^= 1;
      const other = await stand.mintUnit();
      const attempts = [
        await post({ nonce: forged.toString('base64url'), ...at }),
        await post({ nonce: 'x', ...at }),
        await post({ nonce, ...at }, other.token),
        await post({ nonce, ...at }, 'hello'),
      ];
      stand.advance(11 * 60_000);
      attempts.push(await post({ nonce, ...at }));
      expect(attempts.map(({ status }) => status)).to.deep.equal([403, 403, 403, 403, 403]);
      expect((await post({ nonce, lat: 91, lon: 0, accuracyM: 1 })).status).to.equal(422);
      expect(await stored()).to.deep.equal(before);
    });

    it('is asked for on a page that is loaded again as long as it would be taken', async () => {
      const { nonce, cookie } = await visit();
      const reload = async () =>
        (await verify({ accept: HTML, cookie, 'x-forwarded-for': '100.20.1.7' })).text();
      stand.advance(10 * 60_000 - 1);
      expect(await reload()).to.include('data-nonce');
      stand.advance(1);
      expect(await reload()).not.to.include('data-nonce');
      expect(await stored()).to.have.length(1);
      stand.advance(1);
      expect((await post({ nonce, ...at })).status).to.equal(403);
    });

    it('takes one of two positions that arrive at once', async () => {
      const { nonce } = await visit();
      const both = await Promise.all([post({ nonce, ...at }), post({ nonce, ...at })]);
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([204, 409]);
    });
  });
});
