import { expect } from 'chai';
import { newUuid } from '../../../shared/ids.ts';
import { learnHindsights } from '../../../shared/scans/learning.ts';
import { emptyProfile } from '../../../shared/risk/score.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { ADDRESSES } from '../../support/places.ts';

const DAY_MS = 86_400_000;

describe('an organization’s hindsight', () => {
  let api: TestApi;
  let org: TestOrganization;
  let unit: TestUnit;
  let orgId: string;

  before(async () => {
    api = await createTestApi();
  });
  beforeEach(async () => {
    org = await api.createOrganization();
    [unit] = (await org.mintUnits(1)).units as [TestUnit];
    orgId = await orgOf(unit);
  });
  afterEach(() => api.database.pool.query('delete from risk_looks'));
  after(() => api.close());

  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await api.database.pool.query<Row>(text, values)).rows;
  const orgOf = async ({ uuid }: TestUnit) =>
    (await query<{ org_id: string }>('select org_id from product_units where id = $1', [uuid]))[0]!.org_id;
  const CONTINENTS = [ADDRESSES.DE, ADDRESSES.US, ADDRESSES.JP];
  /** Somebody on another continent every other day. */
  const visit = async ({ token }: TestUnit, networks: readonly string[] = CONTINENTS) => {
    for (const from of networks) {
      await api.verify(token, from).expect(200);
      api.clock.advance(2 * DAY_MS);
    }
  };
  const looksOf = ({ uuid }: TestUnit) =>
    query<{ visitors: number; look: number[]; at: Date; org_id: string }>(
      'select visitors, look, at, org_id from risk_looks where unit_id = $1 order by visitors',
      [uuid],
    );
  const scansOf = ({ uuid }: TestUnit) =>
    query<{ risk_score: number; signals: { type: string; turnedOut?: number }[] }>(
      'select risk_score, signals from scans where unit_id = $1 order by id',
      [uuid],
    );

  /** The same look for as many other units of an organization, and what became of them. */
  async function remember(
    look: number[],
    units: number,
    {
      turned,
      decision = null,
      at = api.clock.now(),
    }: { turned: boolean; decision?: string | null; at?: Date },
    of = orgId,
  ) {
    const profile = JSON.stringify({ ...emptyProfile(), ...(turned ? { turned } : {}) });
    await query(
      `with made as (
         insert into unit_risk_profiles (unit_id, org_id, profile, decision, decided_at, state)
         select gen_random_uuid(), $1, $3, $4, case when $4::text is null then null else now() end,
                case when $4::text = 'confirmed' then 'confirmed' else 'clear' end
           from generate_series(1, $2) returning unit_id)
       insert into risk_looks (unit_id, visitors, org_id, at, look) select unit_id, 3, $1, $5, $6 from made`,
      [of, units, profile, decision, at, look],
    );
    await query(
      `insert into organization_audiences (org_id, chances, met) values ($1, 0, 0) on conflict do nothing`,
      [of],
    );
  }
  const versionOf = async (of = orgId) =>
    (
      await query<{ hindsight_version: string | null }>(
        'select hindsight_version from organization_audiences where org_id = $1',
        [of],
      )
    )[0]?.hindsight_version ?? null;
  /** A look that no copied unit ever had. */
  const harmless = (look: number[]) => look.map((value, i) => (i === 4 ? 2 : value * 0.8));

  it('begins with how a unit looked when each new visitor came, once, however often it is scored', async () => {
    await visit(unit, [...CONTINENTS, ADDRESSES.BR]);
    await Promise.all([api.score(), api.score()]);
    const looks = await looksOf(unit);
    // One stranger beside the owner says nothing of a unit.
    expect(looks.map(({ visitors, look }) => [visitors, look[4]])).to.deep.equal([
      [3, 3],
      [4, 4],
    ]);
    expect(looks.every((row) => row.org_id === orgId)).to.equal(true);
    // Who is known is no news.
    await visit(unit);
    await api.score();
    expect(await looksOf(unit)).to.deep.equal(looks);
  });

  it('looks as its history does once that is scored again because a scan has another position', async () => {
    await visit(unit, [...CONTINENTS, ADDRESSES.BR]);
    await api.score();
    const before = await looksOf(unit);
    expect(before.map(({ visitors }) => visitors)).to.deep.equal([3, 4]);
    const moveHome = async (nth: number) => {
      await query(
        `with s as (select id, country, lat, lon, row_number() over (order by id) as nth from scans where unit_id = $1),
           moved as (update scans set country = home.country, lat = home.lat, lon = home.lon, assessment = 'preliminary'
                       from s, s home where s.nth = $2 and home.nth = 1 and scans.id = s.id returning scans.id)
         update unit_risk_profiles set unscored_since = now(), unscored_from = (select id from moved) where unit_id = $1`,
        [unit.uuid, nth],
      );
      await api.score();
    };
    // Who came after that looks otherwise, too.
    await moveHome(2);
    const after = await looksOf(unit);
    expect(after.map(({ at }) => at)).to.deep.equal([before[1]!.at]);
    expect(after[0]!.look[0]).to.be.below(before[1]!.look[0]!);
    // The unit looks like nothing in particular.
    await moveHome(3);
    expect(await looksOf(unit)).to.deep.equal([]);
  });

  it('is told with the next scan once it is learned, to the organization alone', async () => {
    await visit(unit);
    await api.score();
    const look = (await looksOf(unit))[0]!.look;
    const past = new Date(api.clock.now().getTime() - 40 * DAY_MS);
    await remember(look, 80, { turned: true, at: past });
    await remember(harmless(look), 80, { turned: false, at: past });
    const before = (await scansOf(unit)).at(-1)!;
    expect(before.risk_score).to.be.within(45, 59);

    expect(await learnHindsights(api.workerDeps)).to.include({ organizations: 1, learned: 1 });
    const [other] = (await org.mintUnits(1)).units as [TestUnit];
    await visit(other, CONTINENTS.slice(0, 2));
    const answer = await api.verify(other.token, ADDRESSES.JP).expect(200);
    // The preliminary verdict knows it, too; what became of other units is not the public's.
    expect(answer.body).to.include({ result: 'suspicious' });
    expect(JSON.stringify(answer.body)).not.to.contain('turnedOut');
    await api.score();
    const after = (await scansOf(other)).at(-1)!;
    expect(after.risk_score).to.be.above(60);
    expect(after.signals[0]).to.have.property('turnedOut').that.is.above(0.8);

    // Another organization has a history of its own, or none.
    const stranger = await api.createOrganization();
    const [foreign] = (await stranger.mintUnits(1)).units as [TestUnit];
    await visit(foreign);
    await api.score();
    const [theirs] = (await scansOf(foreign)).slice(-1);
    expect(theirs!.risk_score).to.be.below(60);
    expect(theirs!.signals[0]).not.to.have.property('turnedOut');
  });

  it('is learned from its own units alone, and known of them alone', async () => {
    const look = [5, 5, 1, 4, 3, 0, 0, 48, 4, 50];
    const past = new Date(api.clock.now().getTime() - 40 * DAY_MS);
    await remember(look, 80, { turned: true, at: past });
    await remember(harmless(look), 80, { turned: false, at: past });
    const { uuid: stranger } = await api.createOrganization();
    await remember(look, 1, { turned: true, at: past }, stranger);
    expect(await learnHindsights(api.workerDeps)).to.include({ organizations: 2, learned: 1 });
    expect(await versionOf()).not.to.equal(null);
    expect(await versionOf(stranger)).to.equal(null);
  });

  it('takes a person’s word for more than the rules’', async () => {
    const look = [5, 5, 1, 4, 3, 0, 0, 48, 4, 50];
    const past = new Date(api.clock.now().getTime() - 40 * DAY_MS);
    await remember(look, 80, { turned: true, decision: 'dismissed', at: past });
    await remember(harmless(look), 80, { turned: false, at: past });
    expect(await learnHindsights(api.workerDeps)).to.include({ organizations: 1, learned: 0 });
    await query('update unit_risk_profiles set decision = $2 where org_id = $1 and decision is not null', [
      orgId,
      'confirmed',
    ]);
    api.clock.advance(DAY_MS);
    expect(await learnHindsights(api.workerDeps)).to.include({ organizations: 1, learned: 1 });
  });

  it('is learned once a day, from what is thirty days old, and stays where there is nothing new to learn from', async () => {
    const look = [5, 5, 1, 4, 3, 0, 0, 48, 4, 50];
    await remember(look, 80, { turned: true });
    await remember(harmless(look), 80, { turned: false });
    expect(await learnHindsights(api.workerDeps)).to.include({ organizations: 0 });
    api.clock.advance(31 * DAY_MS);
    expect(await learnHindsights(api.workerDeps)).to.include({ organizations: 1, learned: 1 });
    const version = await versionOf();
    expect(version).not.to.equal(null);
    expect(await learnHindsights(api.workerDeps)).to.include({ organizations: 0 });
    await query('update unit_risk_profiles set profile = $2 where org_id = $1', [orgId, emptyProfile()]);
    api.clock.advance(DAY_MS);
    expect(await learnHindsights(api.workerDeps)).to.include({ organizations: 1, learned: 0 });
    expect(await versionOf()).to.equal(version);
  });

  it('forgets looks with the scans: each organization as it keeps these, none longer than the installation', async () => {
    const look = [5, 5, 1, 4, 3, 0, 0, 48, 4, 50];
    const longer = await api.createOrganization();
    const other = await orgOf((await longer.mintUnits(1)).units[0] as TestUnit);
    await query('update organizations set scan_retention_days = 60 where id = $1', [orgId]);
    const ago = (days: number) => new Date(api.clock.now().getTime() - days * DAY_MS);
    for (const of of [orgId, other])
      for (const days of [59, 61, 731]) await remember(look, 1, { turned: false, at: ago(days) }, of);
    expect(await learnHindsights(api.workerDeps)).to.include({ forgotten: 3 });
    const left = await query<{ org_id: string; days: number }>(
      `select org_id, round(extract(epoch from $1::timestamptz - at) / 86400)::integer as days from risk_looks order by at`,
      [api.clock.now()],
    );
    expect(left.filter(({ org_id }) => org_id === orgId).map(({ days }) => days)).to.deep.equal([59]);
    expect(left.filter(({ org_id }) => org_id === other).map(({ days }) => days)).to.deep.equal([61, 59]);
  });

  it('forgets all of them however many came of age at once, also where statistics are of a time without any', async () => {
    await query(
      `insert into risk_looks (unit_id, visitors, org_id, at, look) values (gen_random_uuid(), 3, $1, $2, '{5,5,1,4,3,0,0,48,4,50}')`,
      [orgId, api.clock.now()],
    );
    await query('delete from risk_looks');
    await query('analyze risk_looks');
    await query(
      `insert into risk_looks (unit_id, visitors, org_id, at, look)
       select gen_random_uuid(), 3, $1, $2::timestamptz - interval '731 days', '{5,5,1,4,3,0,0,48,4,50}' from generate_series(1, 20001)`,
      [orgId, api.clock.now()],
    );
    expect(await learnHindsights(api.workerDeps)).to.include({ forgotten: 20_001 });
    expect(await query('select 1 from risk_looks')).to.deep.equal([]);
  });

  it('goes on without what cannot be found: a version that was replaced between two statements', async () => {
    await query(
      `insert into organization_audiences (org_id, chances, met, hindsight_version) values ($1, 0, 0, $2)`,
      [orgId, newUuid()],
    );
    await visit(unit);
    await api.score();
    expect((await scansOf(unit)).map(({ risk_score: score }) => score)).to.satisfy((scores: number[]) =>
      scores.every((score) => score < 60),
    );
  });
});
