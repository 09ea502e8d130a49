import { expect } from 'chai';
import { createSingleSignOnStand, type SingleSignOnStand } from '../../support/single-sign-on-stand.ts';

describe('whom an organization’s provider stands for', () => {
  let stand: SingleSignOnStand;

  before(async () => {
    stand = await createSingleSignOnStand();
  });
  after(() => stand.close());

  const emailOf = async (token: string) => (await stand.me(token).expect(200)).body.email as string;

  it('is the person of the account there, also where its address becomes another member’s', async () => {
    const { owner } = await stand.organization();
    const other = await stand.api.person('administrator', owner.orgUuid);
    const bea = await stand.api.person('viewer', owner.orgUuid);
    stand.account('bea-1', bea.email);
    await stand.signIn(owner, 'bea-1');
    stand.account('bea-1', other.email);
    const { body } = await stand.signIn(owner, 'bea-1');
    expect(await emailOf(body.token.accessToken)).to.equal(bea.email);
  });

  it('is nobody who was disabled before the browser asked what came of it', async () => {
    const { owner } = await stand.organization();
    const bea = await stand.api.person('viewer', owner.orgUuid);
    stand.account('bea-2', bea.email);
    const { url, ticket } = await stand.begin(owner);
    await stand.comeBack(await stand.idp.visit(url, 'bea-2'), ticket);
    await stand.work();
    await owner.patch(`/users/${bea.userId}`, { disabled: true }).expect(200);
    const { body, headers } = await stand.finish(ticket).expect(200);
    expect(body).to.deep.equal({ status: 'refused', reason: 'DISABLED', token: null });
    expect(String(headers['set-cookie'])).not.to.contain('refresh');
  });

  it('is nobody whose invitation has no force any more', async () => {
    const { owner, domain } = await stand.organization();
    const inviter = await stand.api.person('administrator', owner.orgUuid);
    const email = `ines@${domain}`;
    await inviter.post('/invitations', { email, role: 'administrator' }).expect(201);
    await owner.patch(`/users/${inviter.userId}`, { role: 'viewer' }).expect(200);
    stand.account('ines', email);
    expect(await stand.reasonOf(owner, 'ines')).to.equal('NOT_A_MEMBER');
  });

  it('is whoever was removed once they are invited again, as somebody new', async () => {
    const { owner, domain } = await stand.organization();
    const email = `rui@${domain}`;
    stand.account('rui', email);
    await owner.post('/invitations', { email, role: 'administrator' }).expect(201);
    const before = await stand.me((await stand.signIn(owner, 'rui')).body.token.accessToken).expect(200);
    await owner.delete(`/users/${before.body.id}`).expect(204);
    expect(await stand.reasonOf(owner, 'rui')).to.equal('NOT_A_MEMBER');
    await owner.post('/invitations', { email, role: 'viewer' }).expect(201);
    const after = await stand.me((await stand.signIn(owner, 'rui')).body.token.accessToken).expect(200);
    expect(after.body).to.include({ email, role: 'viewer' });
    expect(after.body.id).not.to.equal(before.body.id);
  });

  it('is not known yet where it is another client, whose accounts may be other people’s', async () => {
    const { owner } = await stand.organization();
    const bea = await stand.api.person('viewer', owner.orgUuid);
    const rui = await stand.api.person('viewer', owner.orgUuid);
    stand.account('bea-3', bea.email);
    const { body } = await stand.signIn(owner, 'bea-3');
    await stand.configure(owner, { clientId: 'another' });
    await stand.me(body.token.accessToken).expect(401);
    await bea.get('/auth/me').expect(200);
    await stand.configure(owner);
    stand.account('bea-3', rui.email);
    const later = await stand.signIn(owner, 'bea-3');
    expect(await emailOf(later.body.token.accessToken)).to.equal(rui.email);
  });
});
