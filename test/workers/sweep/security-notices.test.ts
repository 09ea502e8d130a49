import { expect } from 'chai';
import { SECURITY_ACTIONS } from '../../../shared/audit/security-actions.ts';
import { OPERATIONS } from '../../../api/operations.ts';
import { en } from '../../../shared/mail/messages/en.ts';
import { mailSecurityNotices } from '../../../workers/sweep/mail-notices.ts';
import { eventually } from '../../support/eventually.ts';
import { createPeopleApi, type PeopleApi, type Person } from '../../support/people-api.ts';

const CONTACT = 'security@example.com';

describe('The security contact', () => {
  let api: PeopleApi;
  let owner: Person;

  before(async () => {
    api = await createPeopleApi({ RATE_LIMIT_SIGN_IN_PER_ACCOUNT: '2' });
  });
  after(() => api.close());
  beforeEach(async () => {
    owner = await api.person();
    await owner.patch('/organization', { securityContact: CONTACT }).expect(200);
    await told();
  });

  /** @returns what the maintenance worker sends to addresses of this kind. */
  const told = async () => {
    await mailSecurityNotices(api.deps);
    return (await api.mails()).filter(({ subject }) => subject.startsWith('Security of'));
  };
  const createKey = async (person: Person) =>
    (await person.post('/api-keys', { name: 'ERP', scopes: ['products.read'] }).expect(201)).body
      .id as string;

  it('is told of keys, once, in one mail: what, which, who, from where and when', async () => {
    const id = await createKey(owner);
    await owner.post(`/api-keys/${id}/rotate`).expect(200);
    await owner.post(`/api-keys/${id}/revoke`).set('X-Forwarded-For', '203.0.113.5').expect(200);
    const mails = await told();
    expect(mails.map(({ to }) => to)).to.deep.equal([CONTACT]);
    const lines = mails[0]!.text.split('\n\n').slice(1, 4);
    expect(lines[0]).to.match(
      new RegExp(`^An API key was created \\(${id}\\): by the user ${owner.email} from`),
    );
    expect(lines[1]).to.match(/^An API key was given a new secret/);
    expect(lines[2]).to.equal(
      `An API key was revoked (${id}): by the user ${owner.email} from 203.0.113.5, at ${api.clock.now().toISOString()}.`,
    );
    expect(await told()).to.deep.equal([]);
  });

  it('of several organizations is told of each by itself', async () => {
    const other = await api.person();
    await other.patch('/organization', { name: 'Another', securityContact: CONTACT }).expect(200);
    await told();
    const [id, otherId] = [await createKey(owner), await createKey(other)];
    const mails = await told();
    expect(mails).to.have.length(2);
    const { text } = mails.find(({ subject }) => subject.includes('Another'))!;
    expect(text).to.include(otherId).and.not.to.include(id);
  });

  it('is told of people: invitations, roles, removal', async () => {
    const viewer = await api.person('viewer', owner.orgUuid);
    await owner.post('/invitations', { email: 'new@example.com', role: 'owner' }).expect(201);
    await owner.patch(`/users/${viewer.userId}`, { role: 'owner' }).expect(200);
    await owner.delete(`/users/${viewer.userId}`).expect(204);
    const [mail] = await told();
    expect(mail!.subject).to.match(/: 3 entries$/);
    for (const action of ['invite', 'updateUser', 'removeUser'] as const)
      expect(mail!.text).to.include(en.securityActions[action]);
  });

  it('is told when guesses at a password reach the limit, and when a session’s token was copied', async () => {
    for (let i = 0; i < 3; i++) await api.signIn(owner.email, 'a wrong password', {}, `203.0.113.${i}`);
    const refresh = (cookie: string) => api.http().post('/api/v1/auth/refresh').set('Cookie', cookie);
    await refresh(owner.cookie).expect(200);
    api.clock.advance(61);
    await refresh(owner.cookie).expect(401);
    const mails = await eventuallyTold(2);
    expect(mails).to.match(
      /Guesses at a user’s password reached the limit \(user_\w+\): by somebody who did not/,
    );
    expect(mails).to.include(en.securityActions.sessionReplayed);
  });

  it('is told of being replaced, as its successor is', async () => {
    await owner.patch('/organization', { securityContact: 'other@example.com' }).expect(200);
    expect((await told()).map(({ to }) => to).sort()).to.deep.equal(['other@example.com', CONTACT]);
    await owner.patch('/organization', { securityContact: null }).expect(200);
    expect((await told()).map(({ to }) => to)).to.deep.equal(['other@example.com']);
  });

  it('is told in their language, where the address is a user’s of this organization; else in English', async () => {
    const colleague = await api.person('viewer', owner.orgUuid);
    await colleague.patch('/auth/me', { language: 'de' }).expect(200);
    const stranger = await api.person();
    await stranger.patch('/auth/me', { language: 'ja' }).expect(200);
    const toldAs = async (securityContact: string) => {
      await owner.patch('/organization', { securityContact }).expect(200);
      await mailSecurityNotices(api.deps);
      await api.mails();
      await createKey(owner);
      await mailSecurityNotices(api.deps);
      return (await api.mails()).find(({ to }) => to === securityContact)!;
    };
    const german = await toldAs(colleague.email);
    expect(german.subject).to.match(/^Sicherheit von .*: 1 Eintrag$/);
    expect(german.text).to.match(
      new RegExp(
        `Ein API-Schlüssel wurde angelegt \\(key_\\w+\\): von ${owner.email}, Adresse .*, am 20. November 2026 um`,
      ),
    );
    expect((await toldAs(stranger.email)).subject).to.match(/^Security of/);
  });

  it('is not told of daily business, nor of what changed nothing; and nobody is where there is none', async () => {
    await owner.patch('/organization', { name: 'Renamed' }).expect(200);
    await owner.post('/products', { name: 'Oil', sku: 'A' }).expect(201);
    await owner.patch(`/users/${owner.userId}`, { role: 'owner' }).expect(200);
    await createKey(await api.person());
    expect(await told()).to.deep.equal([]);
  });

  it('is told by actions that there are', () => {
    const operations = new Set(OPERATIONS.map(({ operationId }) => operationId));
    const others = [
      'sessionReplayed',
      'signInLimited',
      'secondFactorFailed',
      'lapseDomain',
      'joinBySingleSignOn',
    ];
    expect(SECURITY_ACTIONS.filter((action) => !operations.has(action))).to.deep.equal(others);
  });

  /** The entries of failed sign-ins are written beside the answer. */
  async function eventuallyTold(entries: number): Promise<string> {
    await eventually('the entries', async () => {
      const { rows } = await api.database.pool.query('select 1 from security_notices');
      return rows.length === entries;
    });
    return (await told()).map(({ text }) => text).join('\n');
  }
});
