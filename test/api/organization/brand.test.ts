import { expect } from 'chai';
import { createPeopleApi, type PeopleApi } from '../../support/people-api.ts';

describe('the brand of an organization', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  after(() => api.close());

  it('takes addresses whose scheme is in capitals, and shows it in small letters', async () => {
    const owner = await api.person('owner');
    const brand = { logoUrl: 'HTTPS://CDN.example/Logo.svg', support: 'Http://olivaia.example/Help' };
    const { body } = await owner.patch('/organization', { brand }).expect(200);
    expect(body.brand).to.include({
      logoUrl: 'https://CDN.example/Logo.svg',
      support: 'http://olivaia.example/Help',
    });
  });
});
