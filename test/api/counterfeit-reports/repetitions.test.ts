import { expect } from 'chai';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { jpegWithPosition, smallPng } from '../../support/photos.ts';

describe('reports from one network', () => {
  let api: TestApi;
  let org: TestOrganization;
  let unit: TestUnit;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    unit = (await org.mintUnits(1)).units[0]!;
  });
  after(() => api.close());

  const post = (from: string) => api.http().post(`/v/${unit.token}/reports`).set('X-Forwarded-For', from);
  const read = async (id: string) => (await org.get(`/counterfeit-reports/${id}`).expect(200)).body;
  const events = async () =>
    (await org.get('/events?type=counterfeit_report.created&limit=200').expect(200)).body.data as any[];

  it('are one, told once, where they repeat it, however many come at once', async () => {
    const from = '203.0.113.9';
    const before = (await events()).length;
    const send = (description: string) => post(from).send({ description });
    const answers = await Promise.all([1, 2, 3].map(() => send('Same  words')));
    answers.push(await send('same words'));
    expect(new Set(answers.map(({ body }) => body.reportId)).size).to.equal(1);
    expect(await read(answers[0]!.body.reportId)).to.include({ repetitions: 3 });
    expect(await events()).to.have.length(before + 1);
  });

  it('are kept where they tell more, or come after a decision or a day later', async () => {
    const from = '203.0.113.44';
    const send = async (fields: object = {}) =>
      (
        await post(from)
          .send({ description: 'Fake', ...fields })
          .expect(201)
      ).body.reportId as string;
    const attach = async (photo: Buffer) => {
      const request = post(from).field('lang', 'en').field('description', 'Fake');
      await request.attach('photos', photo, 'a.png').expect(201);
    };
    const before = (await events()).length;
    const first = await send();
    const more = [
      { purchasedFrom: 'Stall 7' },
      { price: '5 EUR' },
      { brand: 'Olivaia' },
      { contactEmail: 'ada@example.com', contactConsent: true },
      { contactName: 'Ada', contactConsent: true },
    ];
    const ids = [first];
    for (const fields of more) {
      const id = await send(fields);
      expect(await send(fields)).to.equal(id);
      ids.push(id);
    }
    expect(new Set(ids).size).to.equal(6);
    for (const photo of [await smallPng(), await jpegWithPosition()]) {
      await attach(photo);
      await attach(photo);
    }
    expect(await events()).to.have.length(before + 8);
    expect(await send()).to.equal(first);

    await org.patch(`/counterfeit-reports/${first}`, { status: 'dismissed', resolution: 'spam' }).expect(200);
    const second = await send();
    expect(ids).not.to.include(second);
    expect(await send()).to.equal(second);
    api.clock.advance(86_400_000 + 1);
    const third = await send();
    expect([...ids, second]).not.to.include(third);
    expect(await events()).to.have.length(before + 10);
    expect(await read(first)).to.include({ repetitions: 1, status: 'dismissed' });
    expect(await read(second)).to.include({ repetitions: 1 });
  });
});
