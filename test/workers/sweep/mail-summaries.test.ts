import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { changeSelf } from '../../../shared/accounts/profile.ts';
import { foldDeltas } from '../../../shared/analytics/delta-repository.ts';
import { rollUp } from '../../../shared/analytics/service.ts';
import { withTransaction } from '../../../shared/db.ts';
import { NIL_UUID } from '../../../shared/ids.ts';
import type { RenderedMail } from '../../../shared/mail/message.ts';
import { lastWeek, listSubscribers } from '../../../shared/summaries/service.ts';
import { mailSummaries } from '../../../workers/sweep/mail-summaries.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { addPerson, sentMails } from '../../support/mailed-people.ts';
import { ADDRESSES } from '../../support/places.ts';

/** A Monday in Tokyo at six in the morning, which is Sunday evening in UTC. */
const TOKYO_MONDAY = new Date('2027-03-07T21:00:00Z');
const DAY_MS = 86_400_000;

describe('summaries by mail', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
  });
  beforeEach(async () => {
    api.clock.set(new Date(TOKYO_MONDAY.getTime() - 5 * DAY_MS));
    await api.database.pool.query(`update users set summary_mails = 'never'`);
    org = await api.createOrganization();
    await api.database.pool.query(
      `update organizations set name = 'Oliveira', time_zone = 'Asia/Tokyo' where id = $1`,
      [org.uuid],
    );
  });
  after(() => api.close());

  /** Somebody who wants to be told since Wednesday. @returns their id */
  async function join(fields: Record<string, unknown> = {}): Promise<string> {
    const { id } = await addPerson(api, {
      org_id: org.uuid,
      summary_mails: 'weekly',
      summarized_until: api.clock.now(),
      ...fields,
    });
    return id;
  }

  /** Lets the summaries be posted and sent. */
  async function mailed(): Promise<RenderedMail[]> {
    await rollUp(api.deps.db);
    await mailSummaries(api.workerDeps);
    return sent();
  }

  async function sent(): Promise<RenderedMail[]> {
    return sentMails(api);
  }

  /** Three scans of one product, one of them suspicious by haste; on Wednesday. */
  async function scans(): Promise<{ productId: string; token: string }> {
    const { units, productId } = await org.mintUnits(2, { product: { name: 'Olive oil' } });
    for (const address of [ADDRESSES.DE, ADDRESSES.JP]) {
      await api.verify(units[0]!.token, address).expect(200);
      api.clock.advance(1_000);
    }
    await api.verify(units[1]!.token, ADDRESSES.DE).expect(200);
    await api.score();
    return { productId, token: units[1]!.token };
  }

  it('tell on Monday at six, in the organization’s zone, what the week came to, and once', async () => {
    await join();
    const { productId, token } = await scans();
    await api.http().post(`/v/${token}/reports`).send({ description: 'See http://evil.example' }).expect(201);
    api.clock.set(new Date(TOKYO_MONDAY.getTime() - 1));
    expect(await mailed()).to.deep.equal([]);
    api.clock.set(TOKYO_MONDAY);
    const [mail, ...more] = await mailed();
    expect(more).to.deep.equal([]);
    expect(mail!.subject).to.match(/^Oliveira: the week of 1\s?–\s?7 March 2027$/);
    const page = api.deps.config.PUBLIC_URL;
    const span = 'since=2027-03-01&until=2027-03-07';
    expect(mail!.unsubscribeUrl).to.equal(`${page}/app/settings/account`);
    for (const line of [
      'Scans: 3',
      `- Suspicious: 1\n  ${page}/app/scans?result=suspicious&isInternal=false&${span}`,
      '- Outside their markets: 0',
      '- Units scanned for the first time: 2',
      'New cases: 1\n- Open now: 1',
      `New reports of suspected fakes: 1\n- Open now: 1\n  ${page}/app/reports?status=open\n`,
      `Countries with most scans\n- Germany: 2\n  ${page}/app/scans?country=DE&isInternal=false&${span}\n- Japan: 1`,
      `- Olive oil: 3 · suspicious or outside its markets: 1\n  ${page}/app/scans?productId=${productId}&isInternal=false&${span}`,
    ])
      expect(mail!.text).to.include(line);
    expect(mail!.text).not.to.include('evil.example').and.not.to.include('week before');
    expect(await mailed()).to.deep.equal([]);
    api.clock.advance(6 * DAY_MS);
    expect(await mailed()).to.deep.equal([]);
    api.clock.advance(DAY_MS);
    const [next] = await mailed();
    expect(next!.text).to.include('Scans: 0\n- -100% on the week before');
    // And after two weeks without a scan, no more.
    api.clock.advance(7 * DAY_MS);
    expect(await mailed()).to.deep.equal([]);
  });

  it('go to those who want them, in their language, and not to who joined since or is disabled', async () => {
    const inGerman = await join({ language: 'de' });
    await join({ summary_mails: 'never' });
    await join({ disabled_at: api.clock.now() });
    await join({ summarized_until: TOKYO_MONDAY });
    await scans();
    api.clock.set(TOKYO_MONDAY);
    const mails = await mailed();
    const { rows } = await api.database.pool.query('select email from users where id = $1', [inGerman]);
    expect(mails.map(({ to }) => to)).to.deep.equal([rows[0].email]);
    expect(mails[0]!.subject).to.equal('Oliveira: die Woche vom 1.–7. März 2027');
  });

  it('count as open the reports, and the cases, that the linked lists show', async () => {
    await join();
    const { token } = await scans();
    for (const description of ['One', 'Two'])
      await api.http().post(`/v/${token}/reports`).send({ description }).expect(201);
    await api.database.pool.query(
      `update counterfeit_reports set status = 'investigating' where org_id = $1 and description = 'One'`,
      [org.uuid],
    );
    await api.database.pool.query(`update risk_cases set status = 'investigating' where org_id = $1`, [
      org.uuid,
    ]);
    api.clock.set(TOKYO_MONDAY);
    const [mail] = await mailed();
    expect(mail!.text)
      .to.include('New cases: 1\n- Open now: 1\n')
      .and.to.include('New reports of suspected fakes: 2\n- Open now: 1\n');
  });

  it('count the cases that were opened within the week, and tell of a week with a report alone', async () => {
    await join();
    const { units } = await org.mintUnits(1);
    await org.post('/counterfeit-reports', { channel: 'inspection', description: 'Seen' }).expect(201);
    api.clock.set(TOKYO_MONDAY);
    await org.post('/risk-cases', { productUnitId: units[0]!.id, note: 'Seized' }).expect(201);
    const [mail] = await mailed();
    expect(mail!.text)
      .to.include('Scans: 0')
      .and.to.include('New cases: 0\n- Open now: 1\n')
      .and.to.include('New reports of suspected fakes: 1\n');
  });

  it('are told to nobody of an organization that is blocked', async () => {
    await join();
    await scans();
    await api.database.pool.query(
      `update organizations set blocked_at = $2, block_reason = 'Imitations' where id = $1`,
      [org.uuid, api.clock.now()],
    );
    api.clock.set(TOKYO_MONDAY);
    expect(await mailed()).to.deep.equal([]);
  });

  it('tell of the last week alone where no worker ran for longer', async () => {
    await join();
    await scans();
    api.clock.set(new Date(TOKYO_MONDAY.getTime() + 7 * DAY_MS));
    const [mail, ...more] = await mailed();
    expect(more).to.deep.equal([]);
    expect(mail!.subject).to.match(/8\s?–\s?14 March 2027/);
    expect(mail!.text).to.include('Scans: 0');
  });

  it('tell of each organization its own, to each once, also where two workers tell at once and one mail fails', async () => {
    await join();
    await scans();
    const other = await api.createOrganization();
    for (let n = 0; n < 3; n += 1) await join({ org_id: other.uuid });
    await other.mintUnits(1).then(({ units }) => api.verify(units[0]!.token, ADDRESSES.US).expect(200));
    await api.score();
    api.clock.set(new Date(TOKYO_MONDAY.getTime() + 9 * 3_600_000));
    await rollUp(api.deps.db);
    let sealed = 0;
    const failingOnce = {
      ...api.workerDeps.secretBox,
      seal: (...args: Parameters<typeof api.workerDeps.secretBox.seal>) => {
        sealed += 1;
        if (sealed === 1) throw new Error('no key');
        return api.workerDeps.secretBox.seal(...args);
      },
    };
    await mailSummaries({ ...api.workerDeps, secretBox: failingOnce }).then(
      () => expect.fail('nobody heard of it'),
      (error: Error) => expect(error.message).to.equal('summaries were not posted to 1 of 4 people'),
    );
    const posted = await Promise.all([1, 2].map(() => mailSummaries(api.workerDeps)));
    expect(posted[0]! + posted[1]!).to.equal(1);
    const mails = await mailed();
    expect(mails).to.have.length(4);
    const told = mails.map(({ text }) => Number(/Scans: (\d)/.exec(text)![1]));
    expect(told.toSorted((a, b) => a - b)).to.deep.equal([1, 1, 1, 3]);
  });

  it('are not told again to whom another worker told them since this one looked', async () => {
    for (let n = 0; n < 3; n += 1) await join();
    await scans();
    api.clock.set(TOKYO_MONDAY);
    await rollUp(api.deps.db);
    const { waker } = api.workerDeps;
    const posted: number[] = [];
    let isFirst = true;
    const sendMail = async () => {
      if (!isFirst) return;
      isFirst = false;
      posted.push(await mailSummaries(api.workerDeps));
    };
    posted.push(await mailSummaries({ ...api.workerDeps, waker: { ...waker, sendMail } }));
    expect(posted).to.deep.equal([2, 1]);
    expect(await mailed()).to.have.length(3);
  });

  it('tell of no week again for the organization’s having moved to a zone where it ends later', async () => {
    const moveTo = (timeZone: string) =>
      api.database.pool.query('update organizations set time_zone = $2 where id = $1', [org.uuid, timeZone]);
    await join();
    const { token } = await scans();
    await moveTo('Pacific/Kiritimati');
    api.clock.set(TOKYO_MONDAY);
    expect(await mailed()).to.have.length(1);
    await moveTo('Pacific/Honolulu');
    for (let day = 0; day < 6; day += 1) {
      api.clock.advance(DAY_MS);
      expect(await mailed()).to.deep.equal([]);
    }
    api.clock.advance(2 * DAY_MS);
    expect((await mailed())[0]!.subject).to.match(/8\s?–\s?14 March 2027/);
    await api.verify(token, ADDRESSES.DE).expect(200);
    await api.score();
    await moveTo('Pacific/Kiritimati');
    api.clock.advance(6 * DAY_MS);
    expect((await mailed())[0]!.subject).to.match(/15\s?–\s?21 March 2027/);
  });

  for (const folding of [0, 1, 1_000])
    it(`count what nobody had folded into the roll-ups yet, ${folding} of it being folded at this moment`, async () => {
      await join();
      await scans();
      api.clock.set(TOKYO_MONDAY);
      const told = await withTransaction(api.database.pool, async ({ db }) => {
        await foldDeltas(db, folding);
        const mailing = mailSummaries(api.workerDeps);
        await Promise.race([mailing, setTimeout(300)]);
        return { mailing };
      });
      expect(await told.mailing).to.equal(1);
      expect((await sent())[0]!.text)
        .to.include('Scans: 3')
        .and.to.include('first time: 2');
    });

  it('are told to whom asks for them late on Sunday, a few hours later', async () => {
    const id = await join({ summary_mails: 'never' });
    await scans();
    api.clock.set(new Date(TOKYO_MONDAY.getTime() - 7 * 3_600_000));
    await changeSelf(api.deps, api.database.pool, id, { summaryMails: 'weekly' });
    api.clock.set(TOKYO_MONDAY);
    expect(await mailed()).to.have.length(1);
  });

  it('are read once for an organization, whose people came at different times', async () => {
    const other = await api.createOrganization();
    for (let n = 0; n < 4; n += 1) await join({ org_id: n % 2 === 0 ? org.uuid : other.uuid });
    const after = { org_id: NIL_UUID, id: NIL_UUID };
    const all = await listSubscribers(api.database.pool, after, 200);
    expect(new Set(all.slice(0, 2).map((row) => row.org_id)).size).to.equal(1);
    const rest = await listSubscribers(api.database.pool, all[0]!, 2);
    expect(rest.map(({ id }) => id)).to.deep.equal(all.slice(1, 3).map(({ id }) => id));
  });

  it('are told to everybody, however many there are', async () => {
    await scans();
    // Known to have been told already.
    const told = { summarized_until: TOKYO_MONDAY };
    await Promise.all(Array.from({ length: 200 }, () => join(told)));
    await join({ email: 'last@example.com' });
    api.clock.set(TOKYO_MONDAY);
    expect((await mailed()).map(({ to }) => to)).to.deep.equal(['last@example.com']);
  });

  it('are told to the others where an organization’s zone is none that this process knows', async () => {
    const other = await api.createOrganization();
    await api.database.pool.query(`update organizations set time_zone = 'Europe/Nowhere' where id = $1`, [
      other.uuid,
    ]);
    await join();
    await join({ org_id: other.uuid });
    await scans();
    api.clock.set(TOKYO_MONDAY);
    await rollUp(api.deps.db);
    await mailSummaries(api.workerDeps).then(
      () => expect.fail('nobody heard of it'),
      (error: Error) => expect(error.message).to.equal('summaries were not posted to 1 of 2 people'),
    );
    expect(await sent()).to.have.length(1);
  });

  it('begin with the week in which somebody asks for them, and tell none twice for being asked for again', async () => {
    await join({ summary_mails: 'never', summarized_until: new Date(0) });
    const id = await join({ summary_mails: 'never', summarized_until: new Date(0) });
    await scans();
    api.clock.set(TOKYO_MONDAY);
    await changeSelf(api.deps, api.database.pool, id, { summaryMails: 'weekly' });
    expect(await mailed()).to.deep.equal([]);
    api.clock.advance(7 * DAY_MS);
    await changeSelf(api.deps, api.database.pool, id, { name: 'Ana' });
    expect(await mailed()).to.have.length(1);
  });
});

describe('the week that a summary is of', () => {
  const weekIn = (timeZone: string, now: string) => {
    const { from, to, before } = lastWeek(timeZone, new Date(now));
    return [before.from, from, to].map((at) => at.toISOString());
  };

  it('begins and ends at the organization’s midnight, also where clocks are changed in it', () => {
    expect(weekIn('Europe/Berlin', '2026-11-02T05:00:00Z')).to.deep.equal([
      '2026-10-18T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
      '2026-11-01T23:00:00.000Z',
    ]);
    expect(weekIn('Europe/Berlin', '2026-11-02T04:59:59Z')[2]).to.equal('2026-10-25T23:00:00.000Z');
    expect(weekIn('America/Los_Angeles', '2026-11-02T14:00:00Z')[2]).to.equal('2026-11-02T08:00:00.000Z');
    expect(weekIn('UTC', '2026-11-08T23:59:59Z')[2]).to.equal('2026-11-02T00:00:00.000Z');
  });
});
