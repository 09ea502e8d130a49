/** The story of people: keys, invitations, roles, passwords, sessions. */
import { expect } from 'chai';
import { totpCode, totpStep } from '../../../shared/accounts/totp.ts';
import { checkDomains } from '../../../workers/check-domains/processor.ts';
import { tellOfSingleSignOn } from './single-sign-on.ts';
import { PASSWORD, tokenIn, cookieOf, type Storyteller } from './storyteller.ts';

export async function tellOfPeople(story: Storyteller) {
  const { api, client, sign, mails, email } = story;
  await client.call('contact', { body: { name: 'Rui', email: 'rui@example.com', message: 'Hello' } });
  await sign('getMe');
  await sign('updateMe', undefined, { name: 'Ana M. Oliveira', language: 'fr' });
  const keys = await sign('listApiKeys');
  await sign('getApiKey', keys.data[0].id);
  const spare = await sign('createApiKey', undefined, { name: 'Spare', scopes: ['products.read'] });
  await sign('rotateApiKey', spare.id, { graceSeconds: 60 });
  await sign('revokeApiKey', spare.id);
  const invitation = await sign('invite', undefined, {
    email: 'rui@oliveira.example',
    role: 'administrator',
    language: 'es',
  });
  const accepted = await client.call('acceptInvitation', {
    body: { token: tokenIn((await mails()).at(-1)), name: 'Rui', password: PASSWORD },
  });
  const { userId } = accepted.body as { userId: string };
  await sign('getInvitation', invitation.id);
  const second = await sign('invite', undefined, { email: 'eva@oliveira.example', role: 'viewer' });
  await sign('revokeInvitation', second.id);
  await sign('listInvitations');
  await sign('listUsers');
  await sign('listPeople');
  await sign('listRoles');
  await sign('getUser', userId);
  await sign('updateUser', userId, { role: 'analyst' });
  await sign('getOrganization');
  const preview = await sign('previewBrand', undefined, { color: '#556b2f', message: 'Fresh from the mill' });
  await client.call('showBrandPreview', {
    ids: { token: (preview.url as string).split('/').at(-1)! },
    query: { result: 'recalled', lang: 'pt' },
  });
  await sign('updateOrganization', undefined, {
    brand: { color: '#556b2f', messages: { pt: 'Obrigado por verificar.' } },
    timeZone: 'Europe/Lisbon',
  });
  const { record } = await sign('setDomain', undefined, { name: 'oliveira.example' });
  await sign('checkDomain');
  const lookUpTxt = async () => ({ records: [record.value as string] });
  await checkDomains({ ...api.workerDeps, lookUpTxt })();
  await sign('getDomain');
  await tellOfSingleSignOn(story);
  await sign('removeDomain');
  await sign('setInternalNetworks', undefined, { networks: ['203.0.113.0/24', '2001:db8:4::7'] });
  await sign('getInternalNetworks');
  await sign('listAuditLog', undefined, undefined, { query: { action: 'invite' } });
  await sign('exportAuditLog');
  await sign('listRequestErrors');

  const { secret } = await sign('setUpTotp');
  const code = () => totpCode(secret as string, totpStep(api.clock.now()));
  await sign('confirmTotp', undefined, { code: code() });
  api.clock.advance(60_000);
  await sign('disableTotp', undefined, { password: PASSWORD, code: code() });
  await client.call('forgotPassword', { body: { email: 'rui@oliveira.example' } });
  const reset = (await mails()).findLast(({ text }) => text.includes('reset-password'));
  await client.call('checkLink', { body: { purpose: 'reset-password', token: tokenIn(reset) } });
  await client.call('resetPassword', {
    body: { token: tokenIn(reset), password: 'a better stone for gold' },
  });
  const rui = await client.call('signIn', {
    body: { email: 'rui@oliveira.example', password: 'a better stone for gold' },
  });
  const asRui = rui.body.accessToken as string;
  await client.call('changePassword', {
    as: asRui,
    body: { currentPassword: 'a better stone for gold', newPassword: 'an even better stone' },
  });
  await client.call('leaveOrganization', { as: asRui });
  const third = await sign('invite', undefined, { email: 'ivo@oliveira.example', role: 'viewer' });
  const ivo = await client.call('acceptInvitation', {
    body: { token: tokenIn((await mails()).at(-1)), password: PASSWORD },
  });
  expect(third.id).to.match(/^inv_/);
  await sign('removeUser', ivo.body.userId);

  const again = await client.call('signIn', { body: { email, password: PASSWORD } });
  const sessions = await sign('listSessions');
  const other = (sessions.data as any[]).find(({ isCurrent }) => !isCurrent);
  await sign('endSession', other.id);
  await client.call('signOut', { headers: { cookie: cookieOf(again, '__Host-touchstone-refresh') } });
  return { invitationId: invitation.id as string };
}
