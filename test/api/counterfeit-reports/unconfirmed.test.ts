import { expect } from 'chai';
import { confirmDomainByOperator } from '../../../shared/domains/service.ts';
import { sendDueMails } from '../../../shared/mail/sending.ts';
import type { RenderedMail } from '../../../shared/mail/message.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

describe('reports about codes of an organization that nobody has confirmed', () => {
  const env = { CONTACT_EMAIL: 'operator@touchstone.example' };
  const opened: TestApi[] = [];
  const start = async (more: Record<string, string> = {}) => {
    const api = await createTestApi({ env: { ...env, ...more } });
    opened.push(api);
    return api;
  };
  after(() => Promise.all(opened.map((api) => api.close())));

  const mailsOf = async (api: TestApi) => {
    const caught: RenderedMail[] = [];
    const mailTransport = {
      send: async (_id: string, mail: RenderedMail) => void caught.push(mail),
      close: () => undefined,
    };
    while ((await sendDueMails({ ...api.deps, mailTransport, leaseSeconds: 60 })).sent > 0);
    return caught;
  };
  const report = (api: TestApi, token: string, description = 'The seal is another.') =>
    api
      .http()
      .post(`/v/${token}/reports`)
      .send({
        description,
        brand: 'Olivaia',
        contactName: 'Ada',
        contactEmail: 'ada@mail.example',
        contactConsent: true,
      })
      .expect(201);

  it('are mailed to the operator, once each, without whom they are from', async () => {
    const api = await start();
    const org = await api.createOrganization();
    const { units } = await org.mintUnits();
    const { body } = await report(api, units[0]!.token);
    await report(api, units[0]!.token);
    const [mail, ...others] = await mailsOf(api);
    expect(others).to.deep.equal([]);
    expect(mail).to.include({ to: 'operator@touchstone.example' });
    for (const part of [org.id, body.reportId as string, 'Olivaia', 'The seal is another.'])
      expect(mail!.text).to.include(part);
    expect(mail!.text).not.to.match(/Ada|ada@/);
    await confirmDomainByOperator(api.deps, api.deps.db, org.uuid, 'olivaia.example');
    await report(api, units[0]!.token, 'Another one');
    expect(await mailsOf(api)).to.deep.equal([]);
  });

  it('are the organization’s alone where the operator makes all of them, and where nobody is to be mailed', async () => {
    for (const more of [{ SIGN_UP: 'closed' }, { CONTACT_EMAIL: '' }]) {
      const api = await start(more);
      const { units } = await (await api.createOrganization()).mintUnits();
      await report(api, units[0]!.token);
      expect(await mailsOf(api)).to.deep.equal([]);
    }
  });
});
