import { expect } from 'chai';
import { decodeId } from '../../../shared/ids.ts';
import { scheduleSweeps } from '../../../workers/sweep/schedule.ts';
import { housekeep } from '../../../workers/sweep/sweep.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';

const DAY_MS = 24 * 3600_000;
const MESSAGE = { name: 'Ada', email: 'ada@example.com', message: 'Good day.' };

const failureOf = (run: Promise<unknown>): Promise<Error> =>
  run.then(
    () => expect.fail('nobody heard of it'),
    (error: Error) => error,
  );

describe('housekeeping', () => {
  let api: TestApi;
  let org: TestOrganization;

  beforeEach(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  afterEach(() => api.close());

  it('goes on with the other steps where one fails, and fails at the end', async () => {
    const { units, jobId } = await org.mintUnits();
    const { body } = await org.post('/scan-exports', {}).expect(202);
    await org.post(`/scan-exports/${body.id}/cancel`).expect(200);
    const { body: report } = await api
      .http()
      .post(`/v/${units[0]!.token}/reports`)
      .send({ description: 'Odd', contactEmail: 'ada@example.com', contactConsent: true })
      .expect(201);
    const { REPORT_CONTACT_DAYS, SCAN_PSEUDONYM_DAYS } = api.workerDeps.config;
    api.clock.advance((Math.max(REPORT_CONTACT_DAYS, SCAN_PSEUDONYM_DAYS) + 1) * DAY_MS);
    const refuse = () => Promise.reject(new Error('read-only file system'));
    const storage = { ...api.workerDeps.storage, remove: refuse, removeAll: refuse };
    const logged = api.logs.length;
    expect((await failureOf(housekeep({ ...api.workerDeps, storage }))).message).to.equal(
      'steps failed: expiredJobs, expiredExports',
    );
    const { rows } = await api.database.pool.query(
      'select contact_email, network_id from counterfeit_reports where id = $1',
      [decodeId('rep', report.reportId)],
    );
    expect(rows).to.deep.equal([{ contact_email: null, network_id: null }]);
    const lines = api.logs.slice(logged).map((line) => JSON.parse(line));
    expect(lines.map(({ step, err }) => [step, /read-only file system/.test(err.message)])).to.deep.equal([
      ['expiredJobs', true],
      ['expiredExports', true],
    ]);
    expect((await org.get(`/barcode-jobs/${jobId}`)).body.artifacts).to.deep.equal([]);
    expect(await housekeep(api.workerDeps)).to.deep.include({ expiredJobs: 1 });
  });

  it('deletes nothing on a machine whose clock is far ahead of Postgres’s, and says so', async () => {
    await api.http().post('/contact').send(MESSAGE).expect(202);
    api.clock.advance((api.workerDeps.config.REPORT_CONTACT_DAYS + 1) * DAY_MS);
    const left = async () => (await api.database.pool.query('select 1 from contact_messages')).rows.length;
    const round = async (aheadMs: number) => {
      const logged = api.logs.length;
      await scheduleSweeps(api.workerDeps, () => Date.now() + aheadMs).stop();
      const lines = api.logs.slice(logged).map((line) => JSON.parse(line));
      return lines.find(({ msg }) => msg?.startsWith('housekeeping'));
    };
    const refused = await round(2 * 3600_000);
    expect(refused.msg).to.equal('housekeeping failed');
    expect(refused.err.message).to.match(/clock \(20.*Z\) is ahead of Postgres's/);
    expect(await left()).to.equal(1);
    // A day behind deletes later, and a minute ahead is no fault.
    for (const aheadMs of [-DAY_MS, 60_000]) {
      expect((await round(aheadMs)).msg).to.equal('housekeeping done');
      expect(await left()).to.equal(0);
    }
  });

  it('deletes messages of the contact form that have served their time', async () => {
    const messages = async () =>
      (await api.database.pool.query('select email from contact_messages')).rows.map(({ email }) => email);
    const write = (email: string) =>
      api.http().post('/contact').send({ name: 'Ada', email, message: 'Good day.' }).expect(202);
    await write('old@example.com');
    api.clock.advance(1);
    await write('young@example.com');
    api.clock.advance(api.workerDeps.config.REPORT_CONTACT_DAYS * DAY_MS);
    expect(await housekeep(api.workerDeps)).to.include({ contactMessages: 1 });
    expect(await messages()).to.deep.equal(['young@example.com']);
  });

  it('drops no month of scans that was not made coarse', async () => {
    const { pool } = api.database;
    const months = async () =>
      (await pool.query(`select 1 from pg_class where relname ~ '^scans_\\d{4}_\\d{2}$'`)).rowCount;
    const before = await months();
    api.clock.advance((api.workerDeps.config.SCAN_RETENTION_DAYS + 400) * DAY_MS);
    await pool.query('alter table retention_marks rename to lost_marks');
    expect((await failureOf(housekeep(api.workerDeps))).message).to.equal(
      'steps failed: scans, eventsMadeCoarse, nfcTaps',
    );
    const ahead = 4;
    expect(await months()).to.equal(before! + ahead);
    await pool.query('alter table lost_marks rename to retention_marks');
    expect((await housekeep(api.workerDeps)).scans.droppedPartitions).to.equal(before);
    expect(await months()).to.equal(ahead);
  });
});
