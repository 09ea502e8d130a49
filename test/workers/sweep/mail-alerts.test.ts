import { expect } from 'chai';
import { changeSelf } from '../../../shared/accounts/profile.ts';
import { listDue } from '../../../shared/alerts/service.ts';
import { withTransaction } from '../../../shared/db.ts';
import { decodeId, newUuid, NIL_UUID } from '../../../shared/ids.ts';
import type { RenderedMail } from '../../../shared/mail/message.ts';
import { addToOpenCases } from '../../../shared/risk-cases/repository.ts';
import { mailAlerts } from '../../../workers/sweep/mail-alerts.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { runAllBulkJobs } from '../../support/bulk-jobs.ts';
import { addPerson, sentMails } from '../../support/mailed-people.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

describe('alerts by mail', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
  });
  beforeEach(async () => {
    // What an earlier test left is not told any more.
    await api.database.pool.query(`update users set alert_mails = 'never'`);
    org = await api.createOrganization();
    await api.database.pool.query(`delete from users where org_id = $1`, [org.uuid]);
  });
  after(() => api.close());

  /** Somebody who joined `ago` before now. @returns their address */
  async function join(fields: Record<string, unknown> = {}, ago = 2 * DAY_MS): Promise<string> {
    const { email } = await addPerson(api, {
      org_id: org.uuid,
      alert_mails: 'daily',
      alerts_told_until: new Date(api.clock.now().getTime() - ago),
      ...fields,
    });
    return email;
  }

  async function copy(unit: TestUnit): Promise<void> {
    for (const from of ['141.20.1.1', '133.11.0.1']) await api.verify(unit.token, from).expect(200);
    await api.score();
  }

  const report = (unit: TestUnit) =>
    api.http().post(`/v/${unit.token}/reports`).send({ description: 'See http://evil.example' }).expect(201);

  /** Lets the alerts be posted and sent. */
  async function mailed(): Promise<RenderedMail[]> {
    await mailAlerts(api.workerDeps);
    return sentMails(api);
  }

  const receivers = async () => (await mailed()).map(({ to }) => to).toSorted();

  it('tell in one mail what is new of each kind, with links to it, and tell it once', async () => {
    const email = await join();
    const { units } = await org.mintUnits(6, { product: { name: 'Olive oil', markets: ['DE'] } });
    await copy(units[0]!);
    await report(units[1]!);
    const { body: sent } = await org
      .post('/consignments', {
        reference: 'PO-1',
        destination: { name: 'Schmidt' },
        units: { unitIds: [units[2]!.id] },
      })
      .expect(201);
    await runAllBulkJobs(api);
    await org.post(`/consignments/${sent.id}/dispatch`).expect(200);
    await org.post(`/consignments/${sent.id}/receive`, { missing: [units[2]!.serial] }).expect(200);
    expect(await mailed()).to.deep.equal([]);

    api.clock.advance(10 * MINUTE_MS);
    const [mail, ...others] = await mailed();
    expect(others).to.deep.equal([]);
    expect(mail!.to).to.equal(email);
    expect(mail!.subject).to.match(
      /^.+ – Units that look suspicious: 1 · Reports of suspected fakes: 1 · Receipts with discrepancies: 1$/,
    );
    const { body: cases } = await org.get('/risk-cases').expect(200);
    const { body: reports } = await org.get('/counterfeit-reports').expect(200);
    for (const part of [
      `- Olive oil · ${units[0]!.serial}\n  ${api.deps.config.PUBLIC_URL}/app/cases/${cases.data[0].id}`,
      `/app/reports/${reports.data[0].id}`,
      `- PO-1 · Schmidt\n  ${api.deps.config.PUBLIC_URL}/app/consignments/${sent.id}`,
      'at most one such mail a day',
      `${api.deps.config.PUBLIC_URL}/app/settings/account`,
    ])
      expect(mail!.text).to.include(part);
    expect(mail!.html).to.include(`<a href="${api.deps.config.PUBLIC_URL}/app/cases/${cases.data[0].id}"`);
    expect(mail!.text, 'all is listed').not.to.include('See all');
    expect(mail!.text + mail!.html, 'a stranger’s words').not.to.include('evil');

    api.clock.advance(DAY_MS);
    expect(await mailed()).to.deep.equal([]);
  });

  it('wait for ten minutes, so that one mail tells of a wave, and list the worst five of it', async () => {
    await join({ alert_mails: 'hourly' });
    const { units } = await org.mintUnits(7);
    await copy(units[0]!);
    api.clock.advance(9 * MINUTE_MS);
    for (const unit of units.slice(1)) await copy(unit);
    expect(await mailed()).to.deep.equal([]);
    api.clock.advance(MINUTE_MS);
    const { body } = await org.get('/risk-cases').expect(200);
    const worst = body.data[6];
    await api.database.pool.query('update risk_cases set max_score = 100 where id = $1', [
      decodeId('case', worst.id),
    ]);
    const [mail] = await mailed();
    expect(mail!.subject).to.match(/suspicious: 7$/);
    expect(/case_\w+/.exec(mail!.text)![0]).to.equal(worst.id);
    expect(mail!.text.match(/\/app\/cases\/case_/g)).to.have.length(5);
    expect(mail!.text).to.include(`See all:\n${api.deps.config.PUBLIC_URL}/app/cases?status=open\n`);
  });

  it('come to each person as often as they chose, and to nobody who chose never', async () => {
    const hourly = await join({ alert_mails: 'hourly' });
    const daily = await join({ alert_mails: 'daily' });
    await join({ alert_mails: 'never' });
    const { units } = await org.mintUnits(3);
    const next = async (unit: TestUnit, after: number) => {
      await report(unit);
      api.clock.advance(after);
      return receivers();
    };
    expect(await next(units[0]!, 11 * MINUTE_MS)).to.deep.equal([hourly, daily].toSorted());
    expect(await next(units[1]!, 30 * MINUTE_MS)).to.deep.equal([]);
    api.clock.advance(31 * MINUTE_MS);
    expect(await receivers()).to.deep.equal([hourly]);
    expect(await next(units[2]!, DAY_MS)).to.deep.equal([hourly, daily].toSorted());
  });

  it('leave out what somebody has taken or closed meanwhile, and what a colleague opened', async () => {
    await join();
    const { units } = await org.mintUnits(4);
    await copy(units[0]!);
    await copy(units[1]!);
    const { body } = await org.get('/risk-cases').expect(200);
    const [one, two] = body.data;
    await org.patch(`/risk-cases/${one.id}`, { status: 'investigating' }).expect(200);
    await org.patch(`/risk-cases/${two.id}`, { status: 'dismissed', closingReason: 'resold' }).expect(200);
    await org.post('/risk-cases', { productUnitId: units[2]!.id }).expect(201);
    const { body: filed } = await report(units[3]!);
    await org.patch(`/counterfeit-reports/${filed.reportId}`, { status: 'investigating' }).expect(200);
    api.clock.advance(HOUR_MS);
    expect(await mailed()).to.deep.equal([]);
  });

  it('tell of a receipt of more units than were sent without a word of missing ones', async () => {
    await join();
    const { units } = await org.mintUnits(1);
    const { body } = await org.post('/consignments', { units: { unitIds: [units[0]!.id] } }).expect(201);
    await runAllBulkJobs(api);
    await org.post(`/consignments/${body.id}/dispatch`).expect(200);
    await org.post(`/consignments/${body.id}/receive`, { receivedCount: 2 }).expect(200);
    api.clock.advance(HOUR_MS);
    const [mail] = await mailed();
    expect(mail!.subject).to.match(/ – Receipts with discrepancies: 1$/);
    expect(mail!.text).not.to.include('missing');
  });

  it('say nothing of a receipt that is as was sent', async () => {
    await join();
    const { units } = await org.mintUnits(1);
    const { body } = await org.post('/consignments', { units: { unitIds: [units[0]!.id] } }).expect(201);
    await runAllBulkJobs(api);
    await org.post(`/consignments/${body.id}/dispatch`).expect(200);
    await org.post(`/consignments/${body.id}/receive`, {}).expect(200);
    await report(units[0]!);
    api.clock.advance(HOUR_MS);
    expect((await mailed()).map(({ subject }) => subject.split(' – ')[1])).to.deep.equal([
      'Reports of suspected fakes: 1',
    ]);
  });

  it('reach everybody, however many there are', async () => {
    const emails: string[] = [];
    for (let person = 0; person < 201; person += 1) emails.push(await join());
    await report((await org.mintUnits(1)).units[0]!);
    api.clock.advance(HOUR_MS);
    expect(await mailAlerts(api.workerDeps)).to.equal(emails.length);
    await api.database.pool.query('delete from mails');
  });

  it('tell of a unit outside its markets when it first turns up there, and not at each scan', async () => {
    await join({ alert_mails: 'hourly' });
    const { units } = await org.mintUnits(2, { product: { name: 'Oil', markets: ['DE'] } });
    const sell = async (unit: TestUnit) => {
      await api.verify(unit.token, '133.11.0.1').expect(200);
      await api.score();
      api.clock.advance(HOUR_MS + 11 * MINUTE_MS);
    };
    await sell(units[0]!);
    const [mail] = await mailed();
    expect(mail!.text).to.include(`- Oil · ${units[0]!.serial} · Japan\n  `);
    expect(mail!.text).to.include(`/app/units/${units[0]!.id}`);
    expect(mail!.subject).to.match(/outside their markets: 1$/);
    await sell(units[0]!);
    expect(await mailed()).to.deep.equal([]);
    await sell(units[1]!);
    expect((await mailed()).map(({ text }) => text.includes(units[1]!.serial))).to.deep.equal([true]);
  });

  it('tell of a unit outside its markets whose scan was scored after a mail about something else', async () => {
    await join({ alert_mails: 'hourly' });
    const { units } = await org.mintUnits(2, { product: { name: 'Oil', markets: ['DE'] } });
    await report(units[0]!);
    await api.verify(units[1]!.token, '133.11.0.1').expect(200);
    api.clock.advance(11 * MINUTE_MS);
    expect((await mailed()).map(({ subject }) => subject.endsWith('suspected fakes: 1'))).to.deep.equal([
      true,
    ]);
    await api.score();
    api.clock.advance(HOUR_MS);
    expect((await mailed()).map(({ text }) => text.includes(units[1]!.serial))).to.deep.equal([true]);
  });

  it('tell of a unit outside its markets among a thousand scans of one that lives there', async () => {
    await join();
    const { units } = await org.mintUnits(2, { product: { name: 'Oil', markets: ['DE'] } });
    const sell = async (unit: TestUnit) => {
      await api.verify(unit.token, '133.11.0.1').expect(200);
      await api.score();
      api.clock.advance(DAY_MS);
    };
    await sell(units[0]!);
    expect(await mailed()).to.have.length(1);
    await sell(units[1]!);
    const at = new Date(api.clock.now().getTime() - HOUR_MS);
    await api.database.pool.query(
      `insert into events (id, org_id, type, data, created_at)
       select t.id, e.org_id, e.type, e.data || jsonb_build_object('at', $3::timestamptz), $3
         from unnest($2::uuid[]) as t (id),
              (select * from events where org_id = $1 and type = 'product.diverted' order by id limit 1) e`,
      [org.uuid, Array.from({ length: 1_001 }, newUuid), at],
    );
    const [mail] = await mailed();
    expect(mail!.subject).to.match(/outside their markets: 1$/);
    expect(mail!.text).to.include(units[1]!.serial);
  });

  it('tell of a case whose transaction took most of a minute while a mail about something else was posted', async () => {
    await join({ alert_mails: 'hourly' });
    const { pool } = api.database;
    const { units } = await org.mintUnits(2);
    await report(units[0]!);
    api.clock.advance(11 * MINUTE_MS);
    const unitId = decodeId('unit', units[1]!.id)!;
    const { rows } = await pool.query('select product_id, batch_id from product_units where id = $1', [
      unitId,
    ]);
    const { product_id: productId, batch_id: batchId } = rows[0];
    const scans = {
      scans: 1,
      maxScore: 90,
      signals: ['clone'],
      firstScanId: newUuid(),
      lastScanId: newUuid(),
    };
    await withTransaction(pool, async ({ db }) => {
      const suspicion = { id: newUuid(), orgId: org.uuid, unitId, productId, batchId, ...scans };
      await addToOpenCases(db, [suspicion], api.clock.now());
      api.clock.advance(45_000);
      expect((await mailed()).map(({ subject }) => subject.endsWith('suspected fakes: 1'))).to.deep.equal([
        true,
      ]);
    });
    api.clock.advance(HOUR_MS);
    expect((await mailed()).map(({ subject }) => subject.endsWith('suspicious: 1'))).to.deep.equal([true]);
  });

  it('come to the others where one cannot be posted', async () => {
    await join();
    const email = await join();
    await report((await org.mintUnits(1)).units[0]!);
    api.clock.advance(HOUR_MS);
    const { secretBox } = api.workerDeps;
    let sealed = 0;
    const failingOnce = {
      seal: (...args: Parameters<typeof secretBox.seal>) => {
        sealed += 1;
        if (sealed === 1) throw new Error('no entropy');
        return secretBox.seal(...args);
      },
    } as typeof secretBox;
    await mailAlerts({ ...api.workerDeps, secretBox: failingOnce }).then(
      () => expect.fail('nobody is told that one failed'),
      (error: Error) => expect(error.message).to.equal('alerts were not posted to 1 of 2 people'),
    );
    expect(await receivers())
      .to.have.length(2)
      .and.to.include(email);
  });

  it('are of one’s own organization, in one’s language, and come to nobody who cannot sign in', async () => {
    const email = await join({ language: 'de' });
    await join({ disabled_at: api.clock.now() });
    const other = await api.createOrganization();
    const { units } = await other.mintUnits(1);
    await report(units[0]!);
    api.clock.advance(HOUR_MS);
    expect(await mailed()).to.deep.equal([]);

    const own = await org.mintUnits(1);
    await report(own.units[0]!);
    api.clock.advance(HOUR_MS);
    const mails = await mailed();
    expect(mails.map(({ to }) => to)).to.deep.equal([email]);
    expect(mails[0]!.text).to.include('Meldungen vermuteter Fälschungen: 1\n');

    await report((await org.mintUnits(1)).units[0]!);
    await api.database.pool.query(
      `update organizations set blocked_at = now(), block_reason = 'imitation' where id = $1`,
      [org.uuid],
    );
    api.clock.advance(DAY_MS);
    expect(await mailed()).to.deep.equal([]);
  });

  it('look through what is not to be told once, and not each minute', async () => {
    await join();
    const { units } = await org.mintUnits(1);
    await copy(units[0]!);
    const { body } = await org.get('/risk-cases').expect(200);
    await org.patch(`/risk-cases/${body.data[0].id}`, { status: 'investigating' }).expect(200);
    api.clock.advance(2 * MINUTE_MS);
    const due = () => listDue(api.database.pool, api.clock.now(), NIL_UUID, 10);
    expect(await due()).to.have.length(1);
    expect(await mailed()).to.deep.equal([]);
    expect(await due()).to.deep.equal([]);
    // Nobody was mailed: the next thing is told as soon as it has waited.
    const { units: others } = await org.mintUnits(1);
    await report(others[0]!);
    api.clock.advance(11 * MINUTE_MS);
    expect(await mailed()).to.have.length(1);
  });

  it('tell whoever wanted none only of what comes from then on, and at once', async () => {
    const email = await join({ alert_mails: 'never' });
    const { rows } = await api.database.pool.query('select id from users where email = $1', [email]);
    const { units } = await org.mintUnits(3);
    await report(units[0]!);
    api.clock.advance(HOUR_MS);
    await changeSelf(api.deps, api.database.pool, rows[0].id, { alertMails: 'daily' });
    api.clock.advance(HOUR_MS);
    expect(await mailed()).to.deep.equal([]);
    await report(units[1]!);
    api.clock.advance(11 * MINUTE_MS);
    expect((await mailed()).map(({ subject }) => subject.endsWith('suspected fakes: 1'))).to.deep.equal([
      true,
    ]);

    // Another name, or another pace, forgets nothing that was not told.
    await report(units[2]!);
    api.clock.advance(HOUR_MS);
    await changeSelf(api.deps, api.database.pool, rows[0].id, { name: 'Ana' });
    await changeSelf(api.deps, api.database.pool, rows[0].id, { alertMails: 'hourly' });
    expect(await receivers()).to.deep.equal([email]);
  });

  it('are posted once where two processes look at the same moment', async () => {
    await join();
    await report((await org.mintUnits(1)).units[0]!);
    api.clock.advance(HOUR_MS);
    const posted = await Promise.all([1, 2, 3].map(() => mailAlerts(api.workerDeps)));
    expect(posted.reduce((sum, mails) => sum + mails)).to.equal(1);
  });
});
