import { expect } from 'chai';
import { decodeId, encodeId, newUuid } from '../../../shared/ids.ts';
import { forgetOldContacts, forgetReporters } from '../../../shared/counterfeit-reports/retention.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { smallPng } from '../../support/photos.ts';
import { expectProblem } from '../../support/problem.ts';

describe('counterfeit reports', () => {
  let api: TestApi;
  let org: TestOrganization;
  let unit: TestUnit;
  let address = 1;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    unit = (await org.mintUnits(1, { batch: { lot: 'L1' } })).units[0]!;
  });
  after(() => api.close());

  /** From a network of its own, unless told otherwise. */
  const post = (to: string, from = `198.51.${(address += 1)}.7`) =>
    api.http().post(to).set('X-Forwarded-For', from);
  const file = async (fields: object = {}) => {
    const { body } = await post(`/v/${unit.token}/reports`)
      .send({ description: `Blurred print ${address}`, ...fields })
      .expect(201);
    return body.reportId as string;
  };
  const read = async (id: string) => (await org.get(`/counterfeit-reports/${id}`).expect(200)).body;
  const events = async () =>
    (await org.get('/events?type=counterfeit_report.created&limit=200').expect(200)).body.data as any[];

  it('files a report about a code, with the reporter’s own scan, and tells it once', async () => {
    const from = '192.0.2.50';
    const scan = (await api.verify(unit.token, from)).body;
    const report = {
      description: 'The seal was broken',
      purchasedFrom: 'Market stall, Lyon',
      price: '12 EUR',
      contactEmail: 'ada@example.com',
      contactConsent: true,
    };
    const { body } = await post(`/v/${unit.token}/reports`, from).send(report).expect(201);
    expect(body.status).to.equal('open');
    expect(await read(body.reportId)).to.deep.include({
      status: 'open',
      productUnitId: unit.id,
      serial: unit.serial,
      lot: 'L1',
      scanId: scan.scanId,
      description: 'The seal was broken',
      purchasedFrom: 'Market stall, Lyon',
      price: '12 EUR',
      contact: { name: null, email: 'ada@example.com' },
      photos: [],
      notes: [],
    });
    const told = (await events()).filter((event) => event.data.reportId === body.reportId);
    expect(told).to.have.length(1);
    expect(told[0].data).to.include({
      productUnitId: unit.id,
      scanId: scan.scanId,
      photoCount: 0,
      hasContact: true,
      lot: 'L1',
    });
    const product = (await org.get(`/products/${told[0].data.productId}`).expect(200)).body;
    expect(told[0].data).to.include({ productName: product.name, sku: product.sku, gtin: product.gtin });
    expect(JSON.stringify(told)).not.to.include('ada@example.com');
  });

  it('takes the page’s form and answers with a page of thanks in its language and with its brand', async () => {
    await api.database.pool.query(
      `update organizations set logo_url = 'https://cdn.example/logo.png', brand_color = '#123abc' where id = $1`,
      [org.uuid],
    );
    const { headers, text } = await post(`/v/${unit.token}/reports`)
      .type('form')
      .set('Accept', 'text/html,application/xhtml+xml,*/*;q=0.8')
      .send({ lang: 'de', description: 'Seltsam', purchasedFrom: '', contactEmail: '' })
      .expect(201);
    expect(headers['content-type']).to.match(/^text\/html/);
    expect(headers['content-security-policy']).to.include("default-src 'none'");
    expect(text).to.include('<html lang="de"');
    expect(text).to.include('src="https://cdn.example/logo.png"').and.include('#123abc');
    expect(text).to.not.include('Touchstone');
    expect(headers['content-security-policy']).to.include('https://cdn.example');
  });

  it('answers a program’s form, with photos or without, with the report’s id', async () => {
    for (const accept of ['application/json', '*/*']) {
      const sent = post(`/v/${unit.token}/reports`).set('Accept', accept).field('description', accept);
      const { body } = await sent.attach('photos', await smallPng(), 'a.png').expect(201);
      expect((await org.get(`/counterfeit-reports/${body.reportId}`).expect(200)).body.description).to.equal(
        accept,
      );
    }
  });

  it('refuses a form with more fields than any form of ours has', async () => {
    const fields = Array.from({ length: 51 }, (_, n) => `field${n}=x`).join('&');
    for (const to of [`/v/${unit.token}/reports`, '/counterfeit-reports'])
      expectProblem(await post(to).type('form').send(fields), 'PAYLOAD_TOO_LARGE');
  });

  it('believes no form with the hidden field filled in, and does not say so', async () => {
    const { rows: before } = await api.database.pool.query('select count(*) from counterfeit_reports');
    const send = (form: Record<string, string>) =>
      post(`/v/${unit.token}/reports`).type('form').set('Accept', 'text/html').send(form).expect(201);
    const { text } = await send({ description: 'Buy pills', website: 'https://spam.example' });
    const { rows } = await api.database.pool.query('select count(*) from counterfeit_reports');
    expect(rows).to.deep.equal(before);
    expect(text).to.equal((await send({ description: 'Somebody sold me this' })).text);
  });

  it('keeps contact details from JSON only with consent', async () => {
    const body = { description: 'x', contactEmail: 'a@example.com' };
    const problem = expectProblem(await post(`/v/${unit.token}/reports`).send(body), 'VALIDATION_FAILED');
    expect(problem.errors![0]!.path).to.equal('contactConsent');
  });

  it('answers an unknown code as a known one, and gives the report to no organization', async () => {
    const token = '0'.repeat(24);
    for (const [path, code] of [
      [token, token],
      ['%00%22a%20b%22', '"a b"'],
    ]) {
      const { body } = await post(`/v/${path}/reports`).send({ description: 'Unknown code' }).expect(201);
      expect(Object.keys(body)).to.deep.equal(['reportId', 'status']);
      expectProblem(await org.get(`/counterfeit-reports/${body.reportId}`), 'NOT_FOUND');
      const { rows } = await api.database.pool.query(
        'select org_id, code from counterfeit_reports where id = $1',
        [decodeId('rep', body.reportId)],
      );
      expect(rows).to.deep.equal([{ org_id: null, code }]);
    }
  });

  it('gives reports without a code to the operator’s inbox, and loses none where that is no organization', async () => {
    const config = api.deps.config as { REPORT_INBOX_ORG: string | null };
    const send = async () =>
      (await post('/counterfeit-reports').send({ description: 'No code', brand: 'Olivaia' }).expect(201)).body
        .reportId as string;
    try {
      config.REPORT_INBOX_ORG = org.uuid;
      expect(await read(await send())).to.include({ brand: 'Olivaia', productUnitId: null });
      config.REPORT_INBOX_ORG = newUuid();
      const { rows } = await api.database.pool.query(
        'select org_id, brand from counterfeit_reports where id = $1',
        [decodeId('rep', await send())],
      );
      expect(rows).to.deep.equal([{ org_id: null, brand: 'Olivaia' }]);
      const inbox = encodeId('org', config.REPORT_INBOX_ORG);
      expect(
        api.logs.filter((line) => line.includes('names no organization') && line.includes(inbox)),
      ).to.have.length(1);
    } finally {
      config.REPORT_INBOX_ORG = null;
    }
  });

  it('caps the reports of one network in a day', async () => {
    const from = '45.33.32.77';
    const send = (n: number) => post('/counterfeit-reports', from).send({ description: `Report ${n}` });
    for (let n = 0; n < 20; n += 1) await send(n).expect(201);
    expectProblem(await send(20), 'RATE_LIMITED');
    // What it said before is still a repetition, not a new one.
    await send(3).expect(201);
  });

  describe('for staff', () => {
    it('are filtered by status, unit and resolution', async () => {
      const id = await file();
      await org.patch(`/counterfeit-reports/${id}`, { status: 'dismissed', resolution: 'spam' }).expect(200);
      const ids = async (query: string) =>
        (await org.get(`/counterfeit-reports?${query}`).expect(200)).body.data.map((one: any) => one.id);
      expect(await ids(`status=dismissed&resolution=spam&unitId=${unit.id}`)).to.deep.equal([id]);
      expect(await ids('status=investigating')).to.deep.equal([]);
    });

    it('close with a resolution that fits, and open again', async () => {
      const id = await file();
      const patch = (change: object) => org.patch(`/counterfeit-reports/${id}`, change);
      expect(expectProblem(await patch({ status: 'confirmed' }), 'VALIDATION_FAILED').errors).to.deep.equal([
        {
          path: 'resolution',
          code: 'REQUIRED',
          message: 'is needed: one of counterfeit, tampered, grey_market, stolen',
        },
      ]);
      expectProblem(await patch({ status: 'confirmed', resolution: 'spam' }), 'VALIDATION_FAILED');
      expectProblem(await patch({ status: 'investigating', resolution: 'spam' }), 'VALIDATION_FAILED');
      const closed = (await patch({ status: 'confirmed', resolution: 'counterfeit' }).expect(200)).body;
      expect(closed).to.include({ status: 'confirmed', resolution: 'counterfeit' });
      expect(closed.closedAt).not.to.equal(null);
      // Of two who decide at once one hears of the other; who corrects knowingly is heard, at a time of its own.
      const correction = { status: 'dismissed', resolution: 'spam' };
      const stale = await patch({ ...correction, expectedStatus: 'open' });
      expect(expectProblem(stale, 'CONFLICT').detail).to.equal(
        'the report is "confirmed" by now, not "open": read it again',
      );
      await api.database.pool.query(
        `update counterfeit_reports set closed_at = closed_at - interval '1 day' where id = $1`,
        [decodeId('rep', id)],
      );
      const corrected = (await patch({ ...correction, expectedStatus: 'confirmed' }).expect(200)).body;
      expect(corrected).to.include({ ...correction, closedAt: closed.closedAt });
      const opened = (await patch({ status: 'investigating' }).expect(200)).body;
      expect(opened).to.include({ status: 'investigating', resolution: null, closedAt: null });
    });

    it('are assigned to members of the organization alone, who may still work', async () => {
      const id = await file();
      const [member, stranger] = [newUuid(), newUuid()];
      const other = await api.createOrganization();
      for (const [user, orgId] of [
        [member, org.uuid],
        [stranger, other.uuid],
      ])
        await api.database.pool.query(
          `insert into users (id, org_id, email, password_digest, role) values ($1, $2, $3, 'x', 'analyst')`,
          [user, orgId, `${user}@example.com`],
        );
      const patch = (assigneeId: string | null) => org.patch(`/counterfeit-reports/${id}`, { assigneeId });
      expect((await patch(encodeId('user', member)).expect(200)).body.assigneeId).to.equal(
        encodeId('user', member),
      );
      for (const nobody of [newUuid(), stranger])
        expectProblem(await patch(encodeId('user', nobody)), 'VALIDATION_FAILED');
      expect((await patch(null).expect(200)).body.assigneeId).to.equal(null);
      await api.database.pool.query('update users set disabled_at = now() where id = $1', [member]);
      expectProblem(await patch(encodeId('user', member)), 'VALIDATION_FAILED');
    });

    it('are changed with the assignee that they have, also where that one has left since', async () => {
      const id = await file();
      const member = newUuid();
      await api.database.pool.query(
        `insert into users (id, org_id, email, password_digest, role) values ($1, $2, $3, 'x', 'analyst')`,
        [member, org.uuid, `${member}@example.com`],
      );
      const assigneeId = encodeId('user', member);
      await org.patch(`/counterfeit-reports/${id}`, { assigneeId }).expect(200);
      await api.database.pool.query('update users set disabled_at = now() where id = $1', [member]);
      const changed = { status: 'investigating', assigneeId };
      expect((await org.patch(`/counterfeit-reports/${id}`, changed).expect(200)).body).to.include(changed);
    });

    it('keep notes with their author', async () => {
      const id = await file();
      const { body } = await org
        .post(`/counterfeit-reports/${id}/notes`, { text: 'Called the shop' })
        .expect(200);
      expect(body.notes).to.have.length(1);
      expect(body.notes[0].author).to.match(/^key_/);
      const { rows } = await api.database.pool.query(
        'select before, after from audit_log where resource = $1 order by id',
        [id],
      );
      const { text, ...noted } = body.notes[0];
      expect(rows).to.deep.equal([{ before: {}, after: { note: { ...noted, characters: text.length } } }]);
    });

    it('keep the note of a decision with it, and none where it is refused', async () => {
      const id = await file();
      const patch = (change: object) => org.patch(`/counterfeit-reports/${id}`, change);
      const dismissal = { status: 'dismissed', resolution: 'genuine' };
      const stale = { ...dismissal, expectedStatus: 'investigating', note: 'Too late' };
      expectProblem(await patch(stale), 'CONFLICT');
      expectProblem(await patch({ expectedStatus: 'open' }), 'VALIDATION_FAILED');
      const { body } = await patch({ ...dismissal, note: 'The shop sent the invoice' }).expect(200);
      expect(body).to.include(dismissal);
      expect(body.notes.map(({ text }: { text: string }) => text)).to.deep.equal([
        'The shop sent the invoice',
      ]);
      expect(body.notes[0].author).to.match(/^key_/);
      expect((await patch({ note: 'And called' }).expect(200)).body).to.deep.include({
        ...dismissal,
        closedAt: body.closedAt,
      });
    });

    it('show the newest notes where there are too many', async () => {
      const id = await file();
      await api.database.pool.query(
        `insert into counterfeit_report_notes (id, org_id, report_id, author, text, created_at)
         select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, $2, 'key_x', 'note ' || n, now() from generate_series(1, 500) n`,
        [org.uuid, decodeId('rep', id)],
      );
      const { body } = await org.post(`/counterfeit-reports/${id}/notes`, { text: 'the newest' }).expect(200);
      expect(body.notes.map(({ text }: { text: string }) => text)).to.have.length(500);
      expect(body.notes[0].text).to.equal('note 2');
      expect(body.notes.at(-1).text).to.equal('the newest');
    });

    it('name the cases of their unit, which name them', async () => {
      const [own, other] = (await org.mintUnits(2)).units as [TestUnit, TestUnit];
      const id = (await post(`/v/${own.token}/reports`).send({ description: 'Blurred print' })).body.reportId;
      const cases = [newUuid(), newUuid()];
      for (const [index, unitId] of [own.uuid, other.uuid].entries())
        await api.database.pool.query(
          `insert into risk_cases (id, org_id, unit_id, product_id, batch_id, suspicious_scans, max_score, signals,
                                   first_scan_id, last_scan_id, opened_at, updated_at)
           select $1, org_id, id, product_id, batch_id, 1, 80, '{clone}', $1, $1, $3, $3 from product_units where id = $2`,
          [cases[index], unitId, api.clock.now()],
        );
      expect((await read(id)).riskCases).to.deep.equal([
        { id: encodeId('case', cases[0]!), status: 'open', openedAt: api.clock.now().toISOString() },
      ]);
      const linked = (await org.get(`/risk-cases/${encodeId('case', cases[0]!)}`).expect(200)).body.reports;
      expect(linked[0]).to.deep.include({ id, status: 'open' });
      const unlinked = (await org.get(`/risk-cases/${encodeId('case', cases[1]!)}`).expect(200)).body;
      expect(unlinked.reports).to.deep.equal([]);
    });

    it('are exported as CSV without formulas and without contact details', async () => {
      await file({
        description: '=HYPERLINK("x")',
        contactEmail: 'canary@example.com',
        contactConsent: true,
      });
      const { text, headers } = await org.get('/counterfeit-reports.csv').expect(200);
      expect(headers['content-type']).to.match(/^text\/csv/);
      expect(text).to.include(`"'=HYPERLINK(""x"")"`);
      expect(text).not.to.include('canary@example.com');
    });

    it('begin no formula either where a spreadsheet parts cells by semicolons, and heeds no quotes amid them', async () => {
      await file({ description: "Fake;=1+cmd|'/C calc'!A0;x" });
      await file({ description: 'Bought online\n=1+1;-2; -3;@SUM(A1), see "receipt"' });
      await file({ description: 'Quoted;"=1+1;""-2' });
      const { text } = await org.get('/counterfeit-reports.csv').expect(200);
      expect(text).to.include(`,"Quoted;""'=1+1;""""'-2",`);
      expect(text).to.include(`,Fake;'=1+cmd|'/C calc'!A0;x,`);
      expect(text).to.include(`,"Bought online\n'=1+1;'-2; -3;'@SUM(A1), see ""receipt""",`);
    });

    it('are hidden from other organizations and from keys without the scope', async () => {
      const id = await file();
      const other = await api.createOrganization();
      expectProblem(await other.get(`/counterfeit-reports/${id}`), 'NOT_FOUND');
      expectProblem(await other.patch(`/counterfeit-reports/${id}`, { status: 'open' }), 'NOT_FOUND');
      expectProblem(await other.post(`/counterfeit-reports/${id}/notes`, { text: 'x' }), 'NOT_FOUND');
      expect((await other.get('/counterfeit-reports')).body.data).to.deep.equal([]);
      expect((await other.get('/counterfeit-reports.csv')).text.split('\n')).to.have.length(2);
      const key = await org.createKey('reports.read');
      const denied = await api
        .http()
        .patch(`/api/v1/counterfeit-reports/${id}`)
        .set('X-Api-Key', key)
        .send({ status: 'open' });
      expectProblem(denied, 'INSUFFICIENT_SCOPE');
    });

    it('forget the network of their reporter in time, and with it what a repetition is told by', async () => {
      const from = '192.0.2.77';
      const say = async () =>
        (await post(`/v/${unit.token}/reports`, from).send({ description: 'The same twice' }).expect(201))
          .body.reportId as string;
      const id = await say();
      expect(await say()).to.equal(id);
      const kept = async () =>
        (
          await api.database.pool.query(
            'select network_id is not null as network, fingerprint is not null as fingerprint from counterfeit_reports where id = $1',
            [decodeId('rep', id)],
          )
        ).rows[0];
      api.clock.advance(400 * 86_400_000);
      await forgetReporters(api.workerDeps, 400);
      expect(await kept()).to.deep.equal({ network: true, fingerprint: true });
      api.clock.advance(1);
      expect(await forgetReporters(api.workerDeps, 400)).to.be.at.least(1);
      expect(await kept()).to.deep.equal({ network: false, fingerprint: false });
      expect(await forgetReporters(api.workerDeps, 400)).to.equal(0);
      expect(await read(id)).to.include({ description: 'The same twice', repetitions: 1 });
    });

    it('lose their contact details when these have served their time', async () => {
      const id = await file({ contactEmail: 'old@example.com', contactName: 'Ada', contactConsent: true });
      await forgetOldContacts(api.workerDeps, 365);
      expect((await read(id)).contact).not.to.equal(null);
      const fingerprint = async () =>
        (
          await api.database.pool.query('select fingerprint from counterfeit_reports where id = $1', [
            decodeId('rep', id),
          ])
        ).rows[0].fingerprint as Buffer;
      const comparedBy = await fingerprint();
      api.clock.advance(366 * 86_400_000);
      expect(await forgetOldContacts(api.workerDeps, 365)).to.be.at.least(1);
      // A guess could be tried against what they were part of.
      expect(await fingerprint()).not.to.deep.equal(comparedBy);
      const erased = await read(id);
      expect(erased.contact).to.equal(null);
      expect(erased.contactErasedAt).not.to.equal(null);
    });
  });
});
