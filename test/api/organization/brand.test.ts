import { expect } from 'chai';
import { operationOf } from '../../support/document-client.ts';
import { checkOf } from '../../support/openapi-document.ts';
import { createPeopleApi, type PeopleApi } from '../../support/people-api.ts';
import { expectProblem } from '../../support/problem.ts';

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

  it('refuses addresses with a user name, which no page would show', async () => {
    const owner = await api.person('owner');
    const address = 'https://olivaia.example@evil.example/';
    const brand = { logoUrl: address, support: address };
    const { body } = await owner.patch('/organization', { brand }).expect(422);
    expect(
      (body.errors as { path: string; code: string }[]).map((one) => `${one.path} ${one.code}`),
    ).to.deep.equal(['brand.logoUrl URL_CREDENTIALS', 'brand.support URL_CREDENTIALS']);
  });

  it('is changed, as are the other settings, on condition that they are still as they were read', async () => {
    const owner = await api.person('owner');
    const read = (await owner.get('/organization').expect(200)).body;
    const german = {
      brand: { messages: { de: 'Danke.' } },
      expected: { brand: { messages: read.brand.messages }, retention: read.retention },
    };
    await owner.patch('/organization', german).expect(200);
    const late = await owner.patch('/organization', {
      name: 'Late',
      brand: { messages: { fr: 'Merci.' }, color: '#102030' },
      retention: { scansDays: 100 },
      expected: {
        name: read.name,
        brand: { messages: {}, color: read.brand.color },
        retention: { scansDays: read.retention.scansDays + 1 },
      },
    });
    const { errors = [] } = expectProblem(late, 'CONFLICT');
    expect(errors.map(({ path, code }) => [path, code])).to.deep.equal([
      ['brand.messages', 'CHANGED_MEANWHILE'],
      ['retention.scansDays', 'CHANGED_MEANWHILE'],
    ]);
    // Its answer may have been lost.
    await owner.patch('/organization', german).expect(200);
    const { body } = await owner.get('/organization').expect(200);
    expect(body).to.deep.include({ name: read.name, retention: read.retention });
    expect(body.brand).to.deep.equal({ ...read.brand, messages: { de: 'Danke.' } });
    expectProblem(await owner.patch('/organization', { expected: { name: read.name } }), 'VALIDATION_FAILED');
  });

  it('keeps messages by language, all of them at once, and refuses what is no language', async () => {
    const owner = await api.person('owner');
    const brandWith = async (messages: object) => {
      const { body } = await owner.patch('/organization', { brand: { messages } }).expect(200);
      return body.brand as object;
    };
    const other = await api.person('owner');
    expect((await owner.get('/organization')).body.brand.messages).to.deep.equal({});
    expect(await brandWith({ de: ' Danke. ', ar: 'شكرا' })).to.include({ message: null });
    const { body } = await owner.patch('/organization', { brand: { message: 'Thanks' } }).expect(200);
    expect(body.brand).to.deep.include({ message: 'Thanks', messages: { de: 'Danke.', ar: 'شكرا' } });
    const wrong = { german: 'Danke', fr: '' };
    const refused = await owner.patch('/organization', { brand: { messages: wrong } }).expect(422);
    expect((refused.body.errors as { path: string }[]).map(({ path }) => path)).to.have.members([
      'brand.messages.german',
      'brand.messages.fr',
    ]);
    expect(await brandWith({ fr: 'Merci' })).to.deep.include({ messages: { fr: 'Merci' } });
    expect(await brandWith({})).to.deep.include({ message: 'Thanks', messages: {} });
    expect((await other.get('/organization')).body.brand).to.deep.include({ message: null, messages: {} });
  });

  it('takes a colour with capitals, which the OpenAPI document allows too', async () => {
    const owner = await api.person('owner');
    const change = { brand: { color: '#1F6F4A' } };
    const { schema } = operationOf('updateOrganization').requestBody!.content['application/json']!;
    expect(checkOf(schema)(change)).to.deep.equal([]);
    const { body } = await owner.patch('/organization', change).expect(200);
    expect(body.brand.color).to.equal('#1f6f4a');
  });
});
