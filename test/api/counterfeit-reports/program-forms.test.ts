import { expect } from 'chai';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { smallPng } from '../../support/photos.ts';
import { expectProblem } from '../../support/problem.ts';

const CONTACT = { description: 'x', contactEmail: 'ada@example.com' };

describe('a report by the form of a program', () => {
  let api: TestApi;
  let org: TestOrganization;
  let unit: TestUnit;
  let address = 1;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    unit = (await org.mintUnits(1)).units[0]!;
  });
  after(() => api.close());

  const post = () =>
    api
      .http()
      .post(`/v/${unit.token}/reports`)
      .set('X-Forwarded-For', `198.51.${(address += 1)}.7`)
      .set('Accept', 'application/json');
  const contactOf = async (reportId: string) =>
    (await org.get(`/counterfeit-reports/${reportId}`).expect(200)).body.contact;
  /** As each kind of form has it: fields of text, with a photo or without. */
  const forms: Record<string, (fields: Record<string, string>) => Promise<any>> = {
    urlencoded: async (fields) => post().type('form').send(fields),
    multipart: async (fields) =>
      post()
        .field(fields)
        .attach('photos', await smallPng(), 'a.png'),
  };

  for (const [kind, send] of Object.entries(forms)) {
    it(`may say whether the reporter agrees to be asked, in the words of its language (${kind})`, async () => {
      for (const contactConsent of ['true', 'True']) {
        const { status, body } = await send({ ...CONTACT, contactConsent });
        expect(status, JSON.stringify(body)).to.equal(201);
        expect(await contactOf(body.reportId)).to.deep.equal({ name: null, email: 'ada@example.com' });
      }
      for (const contactConsent of ['false', 'False'])
        expect((await send({ description: 'x', contactConsent })).status).to.equal(201);
    });

    it(`keeps no contact details where it says that they do not (${kind})`, async () => {
      const problem = expectProblem(await send({ ...CONTACT, contactConsent: 'false' }), 'VALIDATION_FAILED');
      expect(problem.errors).to.deep.include({
        path: 'contactConsent',
        code: 'CONSENT_NEEDED',
        message: 'must be true where contact details are given',
      });
      expectProblem(await send({ ...CONTACT, contactConsent: 'constructor' }), 'VALIDATION_FAILED');
    });
  }
});
