import { expect } from 'chai';
import { mailAlerts } from '../../../workers/sweep/mail-alerts.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { runAllBulkJobs } from '../../support/bulk-jobs.ts';
import { addPerson, sentMails } from '../../support/mailed-people.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('each alert by mail', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    await api.database.pool.query(`update users set alert_mails = 'never'`);
    const told = new Date(api.clock.now().getTime() - MINUTE_MS);
    await addPerson(api, { org_id: org.uuid, alert_mails: 'hourly', alerts_told_until: told });
  });
  after(() => api.close());

  /** A case, a unit outside its markets, a report and a receipt with a discrepancy, all at this moment. */
  async function happen(): Promise<void> {
    const { units } = await org.mintUnits(3);
    for (const from of ['141.20.1.1', '133.11.0.1']) await api.verify(units[0]!.token, from).expect(200);
    await api.http().post(`/v/${units[1]!.token}/reports`).send({ description: 'A copy' }).expect(201);
    const { body } = await org.post('/consignments', { units: { unitIds: [units[2]!.id] } }).expect(201);
    await runAllBulkJobs(api);
    await org.post(`/consignments/${body.id}/dispatch`).expect(200);
    await org.post(`/consignments/${body.id}/receive`, { missing: [units[2]!.serial] }).expect(200);
    const { units: sold } = await org.mintUnits(1, { product: { markets: ['DE'] } });
    await api.verify(sold[0]!.token, '133.11.0.1').expect(200);
    await api.score();
  }

  /** @returns how many of each kind each mail tells of */
  async function mailed(): Promise<number[][]> {
    await mailAlerts(api.workerDeps);
    const mails = await sentMails(api);
    return mails.map(({ subject }) => [...subject.matchAll(/: (\d+)/g)].map(([, count]) => Number(count)));
  }

  it('is told once, also where it was as old as what is told begins to be, or younger', async () => {
    await happen();
    api.clock.advance(10 * MINUTE_MS);
    await happen();
    api.clock.advance(MINUTE_MS);
    expect(await mailed(), 'until a minute ago').to.deep.equal([[2, 2, 2, 2]]);
    api.clock.advance(HOUR_MS - MINUTE_MS / 2);
    await happen();
    api.clock.advance(MINUTE_MS / 2);
    expect(await mailed(), 'from then on').to.deep.equal([]);
    await happen();
    api.clock.advance(10 * MINUTE_MS);
    expect(await mailed()).to.deep.equal([[2, 2, 2, 2]]);
  });

  it('waits for the next mail where it is younger than a minute', async () => {
    await happen();
    api.clock.advance(HOUR_MS);
    await happen();
    expect(await mailed()).to.deep.equal([[1, 1, 1, 1]]);
    api.clock.advance(HOUR_MS);
    expect(await mailed()).to.deep.equal([[1, 1, 1, 1]]);
    api.clock.advance(HOUR_MS);
    expect(await mailed()).to.deep.equal([]);
  });

  it('waits no longer for one of another kind than for one of its own', async () => {
    const { units } = await org.mintUnits(1);
    await api.http().post(`/v/${units[0]!.token}/reports`).send({ description: 'A copy' }).expect(201);
    api.clock.advance(9 * MINUTE_MS);
    await happen();
    api.clock.advance(MINUTE_MS);
    expect(await mailed()).to.deep.equal([[1, 1, 2, 1]]);
  });
});
