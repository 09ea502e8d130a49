import { expect } from 'chai';
import { hostOf, parseCodeAddress } from '../../../shared/code-hosts/address.ts';
import { createSites } from '../../../shared/code-hosts/sites.ts';
import {
  addCodeHost,
  currentCodeOrigin,
  forgetCodeHost,
  getCodeHosts,
  useCodeHost,
} from '../../../shared/code-hosts/service.ts';
import { AppError } from '../../../shared/errors.ts';
import { newUuid } from '../../../shared/ids.ts';
import { withTransaction } from '../../../shared/db.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { whileHeld } from '../../support/held-row.ts';

describe('addresses of organizations’ own', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  const stand = () => {
    const state = { now: 0, reads: 0, isAway: false };
    const db = {
      query: (...args: unknown[]) => {
        state.reads += 1;
        if (state.isAway) return Promise.reject(new Error('Postgres is away'));
        return (api.deps.db.query as (...query: unknown[]) => unknown)(...args);
      },
    } as typeof api.deps.db;
    const { log } = api.deps;
    const sites = createSites({ db, log, publicUrl: 'https://verify.example.com', nowMs: () => state.now });
    return { state, sites };
  };

  it('are an https origin, and http for the machine’s own names alone', () => {
    const read = (text: string) => parseCodeAddress(text);
    expect(read(' https://id.example.com/ ')).to.deep.equal({
      host: 'id.example.com',
      url: 'https://id.example.com',
    });
    expect(read('HTTPS://ID.EXAMPLE.COM')).to.deep.equal({
      host: 'id.example.com',
      url: 'HTTPS://ID.EXAMPLE.COM',
    });
    expect(read('https://Id.Example.com:443')).to.include({
      host: 'id.example.com',
      url: 'https://id.example.com',
    });
    expect(read('https://müller.example:8443')).to.deep.equal({
      host: 'xn--mller-kva.example:8443',
      url: 'https://xn--mller-kva.example:8443',
    });
    expect(read('http://127.0.0.1:3000').host).to.equal('127.0.0.1:3000');
    expect(read('http://id.localhost:3000').host).to.equal('id.localhost:3000');
    for (const wrong of [
      '',
      'id.example.com',
      'http://id.example.com',
      'http://127.0.0.1.example.com',
      'https://id.example.com/x',
      'https://id.example.com?',
      'https://id.example.com/#x',
      'https://id.example.com/#',
      'https://user@id.example.com',
      'ftp://id.example.com',
      `https://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example.com`,
      'https://id.example.com.',
      'http://id.localhost:443',
    ])
      expect(() => read(wrong), wrong)
        .to.throw()
        .with.nested.property('options.errors[0].code', 'NOT_A_WEB_ADDRESS');
  });

  it('are known from the Host header however it is written', () => {
    for (const header of [
      'id.example.com',
      'ID.Example.com',
      'id.example.com.',
      'id.example.com:443',
      'id.example.com.:80',
      'id.example.com:',
      'id.example.com:0443',
    ])
      expect(hostOf(header), header).to.equal('id.example.com');
    expect(hostOf('id.example.com:8443')).to.equal('id.example.com:8443');
    expect(hostOf('id.example.com.:08443')).to.equal('id.example.com:8443');
    expect(hostOf('[::1]:8443')).to.equal('[::1]:8443');
    expect(hostOf('[::1]')).to.equal('[::1]');
    expect(hostOf(undefined)).to.equal('');
  });

  it('are read once in five seconds for any number of requests, and never for the service’s own', async () => {
    const { state, sites } = stand();
    await Promise.all(Array.from({ length: 20 }, () => sites.of('verify.example.com')));
    expect(state.reads).to.equal(0);
    await Promise.all(Array.from({ length: 20 }, (_, i) => sites.of(`host-${i}.example`)));
    state.now = 4_999;
    await sites.of('id.example.com');
    expect(state.reads).to.equal(1);
    state.now = 5_000;
    await sites.of('id.example.com');
    expect(state.reads).to.equal(2);
  });

  it('stay what they were while Postgres is away, which is asked again after a second', async () => {
    const org = await api.createOrganization();
    const address = parseCodeAddress('https://id.away.example');
    await addCodeHost(api.deps, api.deps.db, org.uuid, address);
    await useCodeHost(api.deps, api.deps.db, org.uuid, address);
    const { state, sites } = stand();
    const known = { url: 'https://id.away.example', orgId: org.uuid };
    expect(await sites.of('id.away.example')).to.include(known);
    Object.assign(state, { now: 5_000, isAway: true });
    expect(await sites.of('id.away.example')).to.include(known);
    expect(await sites.codesUrlOf(org.uuid)).to.equal('https://id.away.example');
    expect(state.reads).to.equal(2);
    Object.assign(state, { now: 6_000, isAway: false });
    expect(await sites.of('id.away.example')).to.include(known);
    expect(state.reads).to.equal(3);
  });

  it('are asked for by each request while they never were read', async () => {
    const org = await api.createOrganization();
    const address = parseCodeAddress('https://id.late.example');
    await addCodeHost(api.deps, api.deps.db, org.uuid, address);
    const { state, sites } = stand();
    state.isAway = true;
    expect(await sites.of('id.late.example')).to.include({ orgId: null });
    state.isAway = false;
    expect(await sites.of('id.late.example')).to.include({ orgId: org.uuid });
  });

  it('are nothing that a probe of the process waits for', async () => {
    const { of } = api.deps.sites;
    api.deps.sites.of = () => new Promise(() => undefined);
    try {
      const { body } = await api.http().get('/healthz').timeout(2_000).expect(200);
      expect(body).to.deep.equal({ status: 'ok' });
    } finally {
      api.deps.sites.of = of;
    }
  });

  it('belong to one organization, and one that nobody added cannot be used', async () => {
    const [one, two] = [await api.createOrganization(), await api.createOrganization()];
    const address = parseCodeAddress('https://id.one.example');
    expect(await addCodeHost(api.deps, api.deps.db, one.uuid, address)).to.equal(true);
    expect(await addCodeHost(api.deps, api.deps.db, one.uuid, address)).to.equal(false);
    const failureOf = (work: Promise<unknown>) =>
      work.then(
        () => null,
        (error: Error) => error.message,
      );
    const inCapitals = parseCodeAddress('HTTPS://ID.ONE.EXAMPLE');
    expect(await failureOf(addCodeHost(api.deps, api.deps.db, two.uuid, inCapitals))).to.equal(
      'id.one.example is another organization’s',
    );
    expect(await failureOf(forgetCodeHost(api.deps, api.deps.db, two.uuid, 'id.one.example'))).to.equal(
      'id.one.example is no host of this organization’s codes',
    );
    expect(
      await failureOf(
        useCodeHost(api.deps, api.deps.db, two.uuid, parseCodeAddress('https://id.one.example')),
      ),
    ).to.equal('id.one.example is no host of this organization’s codes');
    const { rows } = await api.database.pool.query(
      'select org_id, url, is_current from code_hosts where host = $1',
      ['id.one.example'],
    );
    expect(rows).to.deep.equal([{ org_id: one.uuid, url: 'https://id.one.example', is_current: false }]);
    await addCodeHost(api.deps, api.deps.db, one.uuid, parseCodeAddress('https://müller.example:8443'));
    const changes = await api.database.pool.query(
      `select count(*)::integer as told from audit_log where org_id = $1 and action = 'changeCodeAddress'`,
      [one.uuid],
    );
    expect(changes.rows, 'one of each host').to.deep.equal([{ told: 2 }]);
    for (const given of ['müller.example:8443', 'ID.one.example.'])
      expect(await failureOf(forgetCodeHost(api.deps, api.deps.db, one.uuid, given)), given).to.equal(null);
  });

  it('are shown in small letters where symbols hold them in capitals', async () => {
    const { uuid } = await api.createOrganization();
    const address = parseCodeAddress('HTTPS://ID.CAPITALS.EXAMPLE');
    await addCodeHost(api.deps, api.deps.db, uuid, address);
    const { codesUrl } = await useCodeHost(api.deps, api.deps.db, uuid, address);
    expect(codesUrl).to.equal('HTTPS://ID.CAPITALS.EXAMPLE');
    expect(await currentCodeOrigin(api.deps.db, uuid)).to.equal('https://id.capitals.example');
  });

  it('are nothing of an organization that there is not', async () => {
    const { db } = api.deps;
    const nobody = newUuid();
    const address = parseCodeAddress('https://id.nobody.example');
    for (const work of [
      () => getCodeHosts(db, nobody),
      () => addCodeHost(api.deps, db, nobody, address),
      () => useCodeHost(api.deps, db, nobody, null),
    ]) {
      const error = await work().catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(AppError).and.include({ code: 'NOT_FOUND' });
    }
  });

  it('are decided one after the other, so that the audit log tells each change from what was before', async () => {
    const org = await api.createOrganization();
    const { pool } = api.database;
    for (const host of ['a.both.example', 'b.both.example'])
      await addCodeHost(api.deps, api.deps.db, org.uuid, parseCodeAddress(`https://${host}`));
    const choose = (host: string) =>
      withTransaction(pool, ({ db }) =>
        useCodeHost(api.deps, db, org.uuid, parseCodeAddress(`https://${host}`)),
      );
    const row = { text: 'select 1 from organizations where id = $1 for update', values: [org.uuid] };
    await whileHeld(pool, row, async ({ waiting, release }) => {
      const first = choose('a.both.example');
      await waiting(1);
      const second = choose('b.both.example');
      await waiting(2);
      await release();
      await Promise.all([first, second]);
    });
    const { rows } = await pool.query(
      `select before ->> 'codesUrl' as before, after ->> 'codesUrl' as after from audit_log
        where org_id = $1 and action = 'changeCodeAddress' and after ? 'codesUrl' order by id`,
      [org.uuid],
    );
    expect(rows).to.deep.equal([
      { before: null, after: 'https://a.both.example' },
      { before: 'https://a.both.example', after: 'https://b.both.example' },
    ]);
  });
});
