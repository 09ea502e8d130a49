import { expect } from 'chai';
import { checkDueDomains, type CheckDeps } from '../../../shared/domains/check.ts';
import { createLookUpTxt } from '../../../shared/domains/dns.ts';
import { startNameServer, type NameServer } from '../../support/name-server.ts';
import { createPeopleApi, type PeopleApi, type Person } from '../../support/people-api.ts';

const DAY_SECONDS = 86_400;

describe('the domain of an organization', () => {
  let api: PeopleApi;
  let server: NameServer;
  let checkDeps: CheckDeps;
  let names = 0;

  before(async () => {
    api = await createPeopleApi();
    server = await startNameServer();
    checkDeps = { ...api.deps, lookUpTxt: createLookUpTxt([server.address]), leaseSeconds: 60 };
  });
  // No look at what another test left.
  afterEach(() => api.database.pool.query('delete from organization_domains'));
  after(async () => {
    await server.close();
    await api.close();
  });

  const newName = () => `brand-${++names}.example`;
  const challenge = (name: string) => `_touchstone-challenge.${name}`;
  /** All looks that are due, as the worker does them. */
  const look = async (deps = checkDeps) => {
    let looked = 0;
    for (let some = 1; some > 0; looked += some) some = await checkDueDomains(deps);
    return looked;
  };
  const nameOne = async (owner: Person, name = newName()) => {
    const { body } = await owner.put('/organization/domain', { name }).expect(200);
    return body as { name: string; record: { name: string; value: string } };
  };
  // Days go by in here, and a session ends after minutes.
  const readAs = async ({ email }: Person, path: string) => {
    const { body: session } = await api.signIn(email).expect(200);
    const request = api.http().get(`/api/v1${path}`).set('Authorization', `Bearer ${session.accessToken}`);
    return (await request.expect(200)).body;
  };
  const read = (owner: Person) => readAs(owner, '/organization/domain');
  const confirmed = async () => {
    const owner = await api.person('owner');
    const { name, record } = await nameOne(owner);
    server.zone.set(challenge(name), [record.value]);
    await look();
    return { owner, name, record };
  };
  const auditOf = async (owner: Person) =>
    ((await readAs(owner, '/audit-log')).data as { action: string }[])
      .map(({ action }) => action)
      .filter((action) => /Domain/.test(action));

  it('is pending until its record is there, and says what that has to be', async () => {
    const owner = await api.person('owner');
    await owner.get('/organization/domain').expect(404);
    expect((await readAs(owner, '/organization')).domain).to.equal(null);
    const name = newName();
    const { body } = await owner
      .put('/organization/domain', { name: ` ${name.toUpperCase()}. ` })
      .expect(200);
    expect(body).to.deep.include({
      name,
      displayName: name,
      status: 'pending',
      confirmedAt: null,
      problem: null,
      lastCheckedAt: null,
      isChecking: true,
    });
    expect(body.record).to.include({ type: 'TXT', name: challenge(name) });
    expect(body.record.value).to.match(/^touchstone=[0-9a-f]{40}$/);

    await look();
    const pending = await read(owner);
    expect(pending).to.include({ status: 'pending', problem: 'NO_RECORD', isChecking: false });
    expect((await readAs(owner, '/organization')).domain).to.deep.equal(pending);
    server.zone.set(challenge(name), ['v=spf1 -all', `${body.record.value}0`]);
    const asked = await owner.post('/organization/domain/check').expect(202);
    expect(asked.headers.location).to.equal('/api/v1/organization/domain');
    expect(asked.body.isChecking).to.equal(true);
    await look();
    expect(await read(owner)).to.include({ status: 'pending', problem: 'OTHER_RECORD' });

    server.zone.set(challenge(name), ['v=spf1 -all', body.record.value]);
    await owner.post('/organization/domain/check').expect(202);
    await look();
    const now = api.clock.now().toISOString();
    expect(await read(owner)).to.include({
      status: 'confirmed',
      confirmedAt: now,
      confirmedBy: 'dns',
      lastSeenAt: now,
      problem: null,
      lapsesAt: null,
    });
    expect(await auditOf(owner)).to.deep.equal(['confirmDomain', 'checkDomain', 'checkDomain', 'setDomain']);
  });

  it('is found by itself some time after the record was set', async () => {
    const owner = await api.person('owner');
    const { name, record } = await nameOne(owner);
    await look();
    server.zone.set(challenge(name), [record.value]);
    expect(await look()).to.equal(0);
    api.clock.advance(60);
    await look();
    expect(await read(owner)).to.include({ status: 'confirmed' });
  });

  it('refuses what is no domain, and changes nothing', async () => {
    const { owner, name } = await confirmed();
    for (const wrong of ['https://example.com', 'localhost', '192.0.2.1', '', 'a b.example']) {
      const { body } = await owner.put('/organization/domain', { name: wrong }).expect(422);
      expect(body.errors[0], wrong).to.include({ path: 'name', code: 'NOT_A_DOMAIN' });
    }
    await owner.put('/organization/domain', { name, status: 'confirmed' }).expect(422);
    await owner.put('/organization/domain', {}).expect(422);
    expect(await read(owner)).to.include({ name, status: 'confirmed' });
  });

  it('stays as it is where it is named again, and begins anew with another name', async () => {
    const { owner, name, record } = await confirmed();
    expect(await nameOne(owner, name.toUpperCase())).to.deep.include({ name, record, status: 'confirmed' });
    const other = await nameOne(owner);
    expect(other).to.include({ status: 'pending', confirmedAt: null, lastSeenAt: null });
    expect(other.record.value).not.to.equal(record.value);
    const again = await nameOne(owner, name);
    expect(again.record.value, 'the old record proves nothing any more').not.to.equal(record.value);
    await look();
    expect(await read(owner)).to.include({ status: 'pending', problem: 'OTHER_RECORD' });
  });

  it('is another’s only with a record of its own', async () => {
    const { owner, name, record } = await confirmed();
    const imitator = await api.person('owner');
    const claimed = await nameOne(imitator, name);
    expect(claimed.record.value).not.to.equal(record.value);
    await look();
    expect(await read(imitator)).to.include({ status: 'pending', problem: 'OTHER_RECORD' });
    expect(await read(owner)).to.include({ status: 'confirmed' });
    // A subsidiary: both records may stand side by side.
    server.zone.set(challenge(name), [record.value, claimed.record.value]);
    await imitator.post('/organization/domain/check').expect(202);
    await look();
    expect(await read(imitator)).to.include({ status: 'confirmed' });
    await imitator.delete('/organization/domain').expect(204);
    expect(await read(owner)).to.include({ status: 'confirmed' });
  });

  it('is for whoever manages the organization to change, and for all its people to see', async () => {
    const { owner, name } = await confirmed();
    const viewer = await api.person('viewer', owner.orgUuid);
    expect(await read(viewer)).to.include({ name });
    await viewer.put('/organization/domain', { name: newName() }).expect(403);
    await viewer.post('/organization/domain/check').expect(403);
    await viewer.delete('/organization/domain').expect(403);
    expect(await read(owner)).to.include({ name, status: 'confirmed' });
  });

  it('is gone when it is removed, once', async () => {
    const { owner } = await confirmed();
    await owner.delete('/organization/domain').expect(204);
    await owner.get('/organization/domain').expect(404);
    await owner.delete('/organization/domain').expect(404);
    await owner.post('/organization/domain/check').expect(404);
    expect(await auditOf(owner)).to.deep.equal(['removeDomain', 'confirmDomain', 'setDomain']);
  });

  it('counts for a week after its record is gone, of which administrators are told in their language', async () => {
    const { owner, name, record } = await confirmed();
    await api.database.pool.query('update users set language = $1 where id = $2', ['de', owner.userUuid]);
    await api.person('administrator', owner.orgUuid);
    await api.person('analyst', owner.orgUuid);
    await owner.patch('/organization', { securityContact: 'security@brand.example' }).expect(200);
    await api.mails();
    server.zone.delete(challenge(name));
    api.clock.advance(DAY_SECONDS);
    await look();
    const lapses = new Date(api.clock.now().getTime() + 7 * DAY_SECONDS * 1000).toISOString();
    expect(await read(owner)).to.include({ status: 'confirmed', problem: 'NO_RECORD', lapsesAt: lapses });
    const warned = await api.mails();
    expect(warned.map(({ to }) => to))
      .to.have.length(2)
      .and.include(owner.email);
    const german = warned.find(({ to }) => to === owner.email)!;
    expect(german.subject).to.equal(`Der Eintrag von ${name} ist fort`);
    expect(german.text).to.include(challenge(name)).and.include(record.value);

    for (let hours = 6; hours < 7 * 24; hours += 6) {
      api.clock.advance(6 * 3600);
      await look();
    }
    expect(await api.mails()).to.deep.equal([]);
    expect(await read(owner)).to.include({ status: 'confirmed' });
    api.clock.advance(6 * 3600);
    await look();
    expect(await read(owner)).to.include({ status: 'lapsed', confirmedAt: null, lapsesAt: null });
    expect((await api.mails()).map(({ subject }) => subject)).to.have.members([
      `${name} wird nicht mehr genannt`,
      `${name} is not named any more`,
    ]);
    expect((await auditOf(owner))[0]).to.equal('lapseDomain');
    server.zone.set(challenge(name), [record.value]);
    api.clock.advance(60);
    await look();
    expect(await read(owner)).to.include({ status: 'confirmed' });
  });

  it('is not said to have lost its record where name servers did not answer for a month', async () => {
    await confirmed();
    await api.mails();
    api.clock.advance(30 * DAY_SECONDS);
    await look({ ...checkDeps, lookUpTxt: async () => ({ problem: 'DNS_FAILED' }) });
    const [mail, ...others] = await api.mails();
    expect(others).to.deep.equal([]);
    expect(mail!.text).to.include('could not be found for too long').and.not.include('gone');
  });

  it('takes no look for the new name’s that began with the old one', async () => {
    const owner = await api.person('owner');
    const old = await nameOne(owner);
    server.zone.set(challenge(old.name), [old.record.value]);
    let replaced = '';
    await look({
      ...checkDeps,
      lookUpTxt: async (name) => {
        if (replaced === '') {
          replaced = newName();
          await nameOne(owner, replaced);
        }
        return checkDeps.lookUpTxt(name);
      },
    });
    expect(await read(owner)).to.include({ name: replaced, status: 'pending', problem: 'NO_RECORD' });
    expect(await auditOf(owner)).not.to.include('confirmDomain');
  });

  it('takes none that began before the domain was removed and another one named and claimed', async () => {
    const owner = await api.person('owner');
    const own = await nameOne(owner);
    server.zone.set(challenge(own.name), [own.record.value]);
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    const slow = checkDueDomains({
      ...checkDeps,
      lookUpTxt: async (name) => {
        isAsked();
        await held;
        return checkDeps.lookUpTxt(name);
      },
    });
    await asked;
    await owner.delete('/organization/domain').expect(204);
    const another = await nameOne(owner);
    // The other worker has claimed it, for the first time as the first one had its own, when the slow answer comes.
    await look({
      ...checkDeps,
      lookUpTxt: async (name) => {
        answer();
        await slow;
        return checkDeps.lookUpTxt(name);
      },
    });
    expect(await read(owner)).to.include({ name: another.name, status: 'pending', problem: 'NO_RECORD' });
    expect(await auditOf(owner)).not.to.include('confirmDomain');
  });

  it('is looked for 30 times in ten minutes for one organization, however often it is named anew', async () => {
    const [owner, other] = [await api.person('owner'), await api.person('owner')];
    for (let looks = 0; looks < 30; looks += 3) {
      await nameOne(owner);
      await owner.post('/organization/domain/check').expect(202);
      await owner.put('/organization/domain', { name: newName() }).expect(200);
      await owner.delete('/organization/domain').expect(204);
    }
    const refused = await owner.put('/organization/domain', { name: newName() }).expect(429);
    expect(refused.body.code).to.equal('RATE_LIMITED');
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 600);
    await owner.get('/organization/domain').expect(404);
    await nameOne(other);
  });

  it('looks once more where somebody asks during a look', async () => {
    const owner = await api.person('owner');
    const { name, record } = await nameOne(owner);
    let looks = 0;
    await look({
      ...checkDeps,
      lookUpTxt: async (asked) => {
        const answer = await checkDeps.lookUpTxt(asked);
        if (++looks === 1) {
          server.zone.set(challenge(name), [record.value]);
          api.clock.advance(1);
          await owner.post('/organization/domain/check').expect(202);
        }
        return answer;
      },
    });
    expect(looks).to.equal(2);
    expect(await read(owner)).to.include({ status: 'confirmed', isChecking: false });
  });

  it('is looked at by another worker where one died with it, and by no two at once', async () => {
    const owner = await api.person('owner');
    const { name, record } = await nameOne(owner);
    server.zone.set(challenge(name), [record.value]);
    const never = new Promise<never>(() => undefined);
    let isHeld = () => {};
    const held = new Promise<void>((resolve) => (isHeld = resolve));
    void checkDueDomains({
      ...checkDeps,
      lookUpTxt: () => {
        isHeld();
        return never;
      },
    });
    await held;
    expect(await look()).to.equal(0);
    api.clock.advance(61);
    expect(await look()).to.equal(1);
    expect(await read(owner)).to.include({ status: 'confirmed' });
  });

  it('goes on with the others where one cannot be settled', async () => {
    const [first, second] = [await api.person('owner'), await api.person('owner')];
    const [one, two] = [await nameOne(first), await nameOne(second)];
    for (const { name, record } of [one, two]) server.zone.set(challenge(name), [record.value]);
    const failing = {
      ...checkDeps,
      lookUpTxt: (name: string) =>
        name === challenge(one.name) ? Promise.reject(new Error('no look')) : checkDeps.lookUpTxt(name),
    };
    expect(await checkDueDomains(failing).catch((error: Error) => error.message)).to.equal('no look');
    expect(await read(second)).to.include({ status: 'confirmed' });
    expect(await read(first)).to.include({ status: 'pending', problem: null });
    api.clock.advance(61);
    await look();
    expect(await read(first)).to.include({ status: 'confirmed' });
  });
});
