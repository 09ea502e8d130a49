import { expect } from 'chai';
import type { Pool } from '../../../shared/db.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { scoreWaitingScans } from '../../../shared/scans/scoring.ts';
import { ADDRESSES } from '../../support/places.ts';

/** A pool whose server goes away before it commits. */
const goneAtCommit = (pool: Pool): Pool =>
  new Proxy(pool, {
    get: (target, name) =>
      name === 'connect'
        ? async () => {
            const client = await target.connect();
            const query = async (...args: unknown[]): Promise<unknown> => {
              if (args[0] === 'commit') throw Object.assign(new Error('terminating'), { code: '57P01' });
              return Reflect.apply(client.query, client, args);
            };
            return { query, release: () => client.release() };
          }
        : Reflect.get(target, name),
  });

describe('scoring', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  beforeEach(async () => {
    await api.score();
  });
  after(() => api.close());

  const eventTypes = async (unitId: string): Promise<string[]> =>
    (
      await api.database.pool.query<{ type: string }>(
        `select type from events where data->>'productUnitId' = $1 order by id`,
        [unitId],
      )
    ).rows.map(({ type }) => type);

  it('makes each scan final, with its event, and leaves nothing waiting', async () => {
    const { units } = await org.mintUnits();
    const { body } = await api.verify(units[0]!.token, ADDRESSES.DE).expect(200);
    expect(await api.score()).to.equal(1);
    expect((await org.get(`/scans/${body.scanId}`)).body).to.include({
      assessment: 'final',
      result: 'genuine',
    });
    expect(await eventTypes(units[0]!.id)).to.deep.equal(['scan.recorded']);
    expect(await api.score()).to.equal(0);
  });

  it('scores each scan exactly once, and tells of it once, with four scorers at a time', async () => {
    const { units } = await org.mintUnits(12);
    for (let round = 0; round < 3; round++) {
      await Promise.all(units.map(({ token }) => api.verify(token, ADDRESSES.DE).expect(200)));
    }
    const score = async () => {
      let scans = 0;
      for (;;) {
        const batch = await scoreWaitingScans(api.workerDeps, 2);
        if (batch.units === 0) return scans;
        scans += batch.scans;
      }
    };
    const counts = await Promise.all([score(), score(), score(), score()]);
    // A scorer passes over what others hold, so the last ones may be left for the next call.
    const rest = await api.score();
    expect(counts.reduce((sum, n) => sum + n, rest)).to.equal(36);
    const { rows } = await api.database.pool.query(
      `select count(*)::int as events, count(distinct data->>'scanId')::int as scans from events
        where type = 'scan.recorded' and data->>'productUnitId' = any($1)`,
      [units.map(({ id }) => id)],
    );
    expect(rows).to.deep.equal([{ events: 36, scans: 36 }]);
  });

  it('keeps everything waiting when the commit fails, and does it all at the next try', async () => {
    const { units } = await org.mintUnits();
    await api.verify(units[0]!.token).expect(200);
    const error = await scoreWaitingScans(
      { ...api.workerDeps, db: goneAtCommit(api.workerDeps.db) },
      200,
    ).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', '57P01');
    const { body } = await org.get(`/scans?unitId=${units[0]!.id}`);
    expect(body.data[0].assessment).to.equal('preliminary');
    expect(await api.score()).to.equal(1);
    expect(await eventTypes(units[0]!.id)).to.deep.equal(['scan.recorded']);
  });

  it('sets a unit aside that cannot be scored, says so, and scores all the others', async () => {
    const other = await api.createOrganization();
    const [{ units: bad }, { units: good }] = [await org.mintUnits(), await other.mintUnits(2)];
    // The oldest, so that every batch begins with it.
    for (const { token } of [...bad, ...good]) {
      await api.verify(token).expect(200);
      api.clock.advance(1_000);
    }
    await api.database.pool.query(
      `alter table events add constraint refuse check (data->>'productUnitId' <> '${bad[0]!.id}') not valid`,
    );
    api.logs.length = 0;
    expect(await api.score()).to.equal(2);
    for (const { id } of good) expect(await eventTypes(id)).to.deep.equal(['scan.recorded']);
    const errors = () => api.logs.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
    const pausesMs = () => errors().map(({ pauseMs }) => pauseMs);
    expect(errors().map(({ unitId, pauseMs }) => [unitId, pauseMs])).to.deep.equal([[bad[0]!.uuid, 60_000]]);

    api.clock.advance(59_000);
    await api.verify(good[0]!.token).expect(200);
    expect(await api.score(), 'passes over it meanwhile').to.equal(1);
    expect(pausesMs()).to.deep.equal([60_000]);

    // As long again as it has waited, and an hour at most.
    api.clock.advance(1_000);
    expect(await api.score()).to.equal(0);
    expect(pausesMs()).to.deep.equal([60_000, 63_000]);
    const now = api.clock.now();
    api.clock.advance(2 * 3_600_000);
    expect(await api.score()).to.equal(0);
    expect(pausesMs()).to.deep.equal([60_000, 63_000, 3_600_000]);

    await api.database.pool.query('alter table events drop constraint refuse');
    api.clock.advance(3_600_000);
    expect(await api.score()).to.equal(1);
    api.clock.set(now);
    expect(await eventTypes(bad[0]!.id)).to.deep.equal(['scan.recorded']);
  });

  it('gives the journey as the reason where the rule of copies is off and the threshold low', async () => {
    const setPolicy = (policy: object) =>
      api.http().put('/api/v1/risk-policies').set('X-Api-Key', org.key).send({ policy }).expect(200);
    await setPolicy({ thresholds: { medium: 10, suspicious: 20 }, clone: { enabled: false } });
    const { units } = await org.mintUnits();
    await api.verify(units[0]!.token, ADDRESSES.DE).expect(200);
    api.clock.advance(5 * 60_000);
    const { body } = await api.verify(units[0]!.token, ADDRESSES.JP).expect(200);
    expect(body.result).to.equal('suspicious');
    expect(body.risk.signals.map(({ type }: { type: string }) => type)).to.deep.equal(['impossible_travel']);
    expect(await api.score()).to.equal(2);
    expect(await eventTypes(units[0]!.id)).to.include('suspicious_scan.detected');
    await setPolicy({});
  });

  it('detects impossible travel with evidence, puts the unit under suspicion, and says so in an event', async () => {
    const { units } = await org.mintUnits();
    await api.verify(units[0]!.token, ADDRESSES.DE).expect(200);
    await api.score();
    api.clock.advance(20_000);
    const { body } = await api.verify(units[0]!.token, ADDRESSES.JP).expect(200);
    await api.score();
    const scan = (await org.get(`/scans/${body.scanId}`)).body;
    expect(scan).to.include({ result: 'suspicious', assessment: 'final' });
    const signal = scan.risk.signals.find(({ type }: { type: string }) => type === 'impossible_travel');
    expect(signal.from.country).to.equal('DE');
    expect(signal.to.country).to.equal('JP');
    expect(signal.distanceKm).to.be.within(8_500, 9_300);
    expect(signal.speedKmh).to.be.greaterThan(signal.thresholdKmh);
    expect(await eventTypes(units[0]!.id)).to.deep.equal([
      'scan.recorded',
      'scan.recorded',
      'suspicious_scan.detected',
    ]);
    const { rows } = await api.database.pool.query(
      'select state from unit_risk_profiles where unit_id = $1',
      [units[0]!.uuid],
    );
    expect(rows).to.deep.equal([{ state: 'suspect' }]);
  });

  it('says in its events which product it was, and in which case a suspicion is, so that nobody has to ask back', async () => {
    const { units } = await org.mintUnits(1, { product: { name: 'Aurelia 0.5 l', gtin: '4012345123456' } });
    await api.verify(units[0]!.token, ADDRESSES.DE).expect(200);
    api.clock.advance(20_000);
    await api.verify(units[0]!.token, ADDRESSES.JP).expect(200);
    await api.score();
    const { rows } = await api.database.pool.query<{ type: string; data: Record<string, unknown> }>(
      `select e.type, e.data, p.sku, b.lot from events e
         join products p on p.id = e.product_id join batches b on b.product_id = p.id
        where e.data->>'productUnitId' = $1 order by e.id`,
      [units[0]!.id],
    );
    expect(rows).to.have.length(3);
    for (const { data, ...of } of rows as any[]) {
      expect(data).to.include({
        productName: 'Aurelia 0.5 l',
        gtin: '04012345123456',
        sku: of.sku,
        lot: of.lot,
      });
    }
    const suspicion = rows.find(({ type }) => type === 'suspicious_scan.detected')!;
    const { body } = await org.get(`/risk-cases/${suspicion.data['caseId'] as string}`).expect(200);
    expect(body.productUnitId).to.equal(units[0]!.id);
  });

  it('scores scans that waited together as it would have one by one, in their order', async () => {
    const { units } = await org.mintUnits(2);
    const [together, alone] = units;
    for (const [index, from] of [ADDRESSES.DE, ADDRESSES.JP, ADDRESSES.US].entries()) {
      api.clock.advance(index * 10_000);
      await api.verify(alone!.token, from).expect(200);
      await api.score();
    }
    api.clock.advance(-30_000);
    for (const [index, from] of [ADDRESSES.DE, ADDRESSES.JP, ADDRESSES.US].entries()) {
      api.clock.advance(index * 10_000);
      await api.verify(together!.token, from).expect(200);
    }
    await api.score();
    const outcome = async (id: string) =>
      (await org.get(`/scans?unitId=${id}`)).body.data.map(
        ({ result, risk }: { result: string; risk: { score: number } }) => [result, risk.score],
      );
    expect(await outcome(together!.id)).to.deep.equal(await outcome(alone!.id));
  });

  it('tells of a diversion only for a unit that is otherwise good', async () => {
    const { units, batchId } = await org.mintUnits(2, { product: { markets: ['DE'] } });
    await api.verify(units[0]!.token, ADDRESSES.BR).expect(200);
    await api.score();
    expect(await eventTypes(units[0]!.id)).to.deep.equal(['scan.recorded', 'product.diverted']);
    await org.post(`/batches/${batchId}/recall`).expect(200);
    await api.verify(units[1]!.token, ADDRESSES.BR).expect(200);
    await api.score();
    expect(await eventTypes(units[1]!.id)).to.deep.equal(['scan.recorded']);
  });

  it('leaves a scan what its unit was at its time, however late it is scored', async () => {
    const { units } = await org.mintUnits();
    const scanned = async () => (await api.verify(units[0]!.token).expect(200)).body;
    const before = await scanned();
    await org.post(`/product-units/${units[0]!.id}/recall`).expect(200);
    api.clock.advance(3_600);
    const within = await scanned();
    await org.post(`/product-units/${units[0]!.id}/lift-recall`).expect(200);
    await api.score();
    const recorded = async ({ scanId }: { scanId: string }) =>
      (await org.get(`/scans/${scanId}`)).body.result;
    expect([await recorded(before), await recorded(within)]).to.deep.equal(['genuine', 'recalled']);
  });

  it('never takes a person’s judgement back', async () => {
    const { units } = await org.mintUnits();
    await api.verify(units[0]!.token).expect(200);
    await api.database.pool.query(`update unit_risk_profiles set state = 'confirmed' where unit_id = $1`, [
      units[0]!.uuid,
    ]);
    await api.score();
    const { rows } = await api.database.pool.query(
      'select state from unit_risk_profiles where unit_id = $1',
      [units[0]!.uuid],
    );
    expect(rows).to.deep.equal([{ state: 'confirmed' }]);
  });

  it('writes every event together with its dispatches', async () => {
    const endpoint = await org.createEndpoint({ events: ['scan.recorded'] });
    const deaf = await org.createEndpoint({ events: ['consignment.recalled'] });
    const { units } = await org.mintUnits();
    await api.verify(units[0]!.token).expect(200);
    await api.score();
    const { rows } = await api.database.pool.query(
      `select e.type, d.state, d.xmin::text = e.xmin::text as together from webhook_dispatches d join events e on e.id = d.event_id`,
    );
    expect(rows).to.deep.equal([{ type: 'scan.recorded', state: 'pending', together: true }]);
    for (const { id } of [endpoint, deaf]) await org.delete(`/webhook-endpoints/${id}`).expect(204);
  });
});
