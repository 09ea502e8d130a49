import { expect } from 'chai';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { fetchArtifacts, imagesOf } from '../../support/artifacts.ts';
import { expectProblem } from '../../support/problem.ts';
import { readSymbol } from '../../support/read-symbol.ts';

describe('one unit’s symbol', () => {
  let api: TestApi;
  let org: TestOrganization;
  let unit: TestUnit;
  let jobId: string;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    const minted = await org.mintUnits(1, {
      product: { gtin: '09506000134352' },
      batch: { lot: 'L1', expiresOn: '2027-12-31' },
      job: { scale: 5, formats: ['png', 'svg'] },
    });
    unit = minted.units[0]!;
    jobId = minted.jobId;
  });
  after(() => api.close());

  const image = (format: string, query = '') =>
    org
      .get(`/product-units/${unit.id}/barcode.${format}${query}`)
      .buffer(true)
      .parse((res, done) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => done(null, Buffer.concat(chunks)));
      });

  it('is the very picture that the job made', async () => {
    const made = imagesOf(await fetchArtifacts(api, org, jobId));
    for (const [format, type] of [
      ['png', 'image/png'],
      ['svg', 'image/svg+xml'],
    ] as const) {
      const { body, headers } = await image(format, '?scale=5').expect(200);
      expect(headers['content-type']).to.equal(type);
      expect(body.equals(made.get(`1-${unit.serial}.${format}`)), format).to.equal(true);
    }
  });

  it('takes a job’s options, and reads back', async () => {
    const { body } = await image(
      'png',
      '?symbology=gs1-datamatrix&scale=6&dpi=300&quietZone=4&text=true&foreground=%23001122',
    ).expect(200);
    const [read] = await readSymbol(body);
    expect(read!.text.slice(read!.text.startsWith('\x1d') ? 1 : 0)).to.equal(
      `01095060001343521727123110L1\x1d21${unit.serial}`,
    );
  });

  it('is asked for anew, as codes may lead elsewhere by now, and sent where it is another', async () => {
    const first = await image('png').expect(200);
    expect(first.headers['cache-control']).to.equal('private, no-cache');
    const etag = first.headers['etag']!;
    expect((await image('png', '?scale=5').expect(200)).headers['etag']).not.to.equal(etag);
    const again = await image('png').set('If-None-Match', etag).expect(304);
    expect(again.body.length).to.equal(0);
  });

  it('refuses what cannot be made, with paths', async () => {
    for (const [query, path] of [
      ['symbology=runes', 'query.symbology'],
      ['symbology=ean8', 'query.symbology'],
      ['symbology=interleaved2of5', 'query.symbology'],
      ['scale=0', 'query.scale'],
      ['scale=two', 'query.scale'],
      ['quietZone=', 'query.quietZone'],
      ['foreground=%23ffff00', 'query.foreground'],
      ['symbology=datamatrix-url&errorCorrection=H', 'query.errorCorrection'],
      ['colour=red', 'query.colour'],
    ]) {
      const answer = await org.get(`/product-units/${unit.id}/barcode.png?${query}`);
      expect(
        expectProblem(answer, 'VALIDATION_FAILED').errors!.map((error) => error.path),
        query,
      ).to.deep.equal([path]);
    }
  });

  it('is for the organization alone, and in no third format', async () => {
    const stranger = await api.createOrganization();
    expectProblem(await stranger.get(`/product-units/${unit.id}/barcode.png`), 'NOT_FOUND');
    expectProblem(await org.get(`/product-units/${unit.id}/barcode.gif`), 'NOT_FOUND');
  });
});
