import { expect } from 'chai';
import { createPeopleApi, type PeopleApi } from '../../support/people-api.ts';

describe('Previews of the brand', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  after(() => api.close());

  it('show the consumers’ page with a draft under any verdict, and change nothing', async () => {
    const owner = await api.person('owner');
    await owner.patch('/organization', { brand: { support: 'care@olivaia.example' } }).expect(200);
    const made = await owner
      .post('/organization/brand-preview', {
        logoUrl: 'https://cdn.olivaia.example/logo.svg',
        color: '#1F6F4A',
        message: 'Pressed <b>cold</b>',
      })
      .expect(201);
    const page = await api
      .http()
      .get(made.body.url as string)
      .query({ result: 'suspicious', lang: 'de' })
      .expect(200);
    expect(page.text).to.include('lang="de"').and.include('verdict suspicious').and.include('#1f6f4a');
    expect(page.text).to.include('Pressed &lt;b&gt;cold&lt;/b&gt;').and.include('care@olivaia.example');
    // Looked at in a frame of the dashboard, with the logo, without a script.
    expect(page.text).not.to.include('<script');
    expect(page.get('Content-Security-Policy'))
      .to.include("frame-ancestors 'self'")
      .and.include('https://cdn.olivaia.example');
    const { body } = await owner.get('/organization').expect(200);
    expect(body.brand).to.deep.include({ color: null, message: null, logoUrl: null });
    const log = await owner.get('/audit-log?action=previewBrand').expect(200);
    expect(log.body.data).to.deep.equal([]);
  });

  it('show what those are told who read another language than the page has', async () => {
    const owner = await api.person('owner');
    const draft = { message: 'Thanks', messages: { fi: 'Kiitos', de: 'Danke' } };
    const made = await owner.post('/organization/brand-preview', draft).expect(201);
    const shown = async (lang: string) => {
      const page = api
        .http()
        .get(made.body.url as string)
        .set('Accept-Language', 'de')
        .query({ lang });
      return /<p [^>]*>(?:Thanks|Kiitos|Danke)<\/p>/.exec((await page.expect(200)).text)?.[0];
    };
    expect(await shown('fi')).to.equal('<p lang="fi" dir="ltr">Kiitos</p>');
    expect(await shown('fr')).to.equal('<p dir="auto">Thanks</p>');
    expect(await shown('de')).to.equal('<p lang="de" dir="ltr">Danke</p>');
  });

  it('show a draft that a process has kept which knew no messages', async () => {
    const owner = await api.person('owner');
    const made = await owner.post('/organization/brand-preview', { message: 'Thanks' }).expect(201);
    const token = (made.body.url as string).split('/').at(-1)!;
    const [key] = await api.deps.redis.keys(`*:brand-preview:${token}`);
    const { messages: _, ...older } = JSON.parse((await api.deps.redis.get(key!))!) as { messages: object };
    await api.deps.redis.set(key!, JSON.stringify(older));
    const page = await api
      .http()
      .get(made.body.url as string)
      .expect(200);
    expect(page.text).to.include('<p dir="auto">Thanks</p>');
  });

  it('take what the settings take, from those who may change them, and end', async () => {
    const owner = await api.person('owner');
    await owner.post('/organization/brand-preview', { color: 'green' }).expect(422);
    const analyst = await api.person('analyst', owner.orgUuid);
    await analyst.post('/organization/brand-preview', {}).expect(403);
    await api.http().get('/brand-previews/unknown').expect(404);
    const made = await owner.post('/organization/brand-preview', {}).expect(201);
    const key = (await api.deps.redis.keys('*:brand-preview:*')).find((name) =>
      (made.body.url as string).endsWith(name.split(':').at(-1)!),
    );
    expect(await api.deps.redis.ttl(key!)).to.be.within(890, 900);
  });
});
