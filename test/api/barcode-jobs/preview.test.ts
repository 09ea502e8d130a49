import { expect } from 'chai';
import { PREVIEWS_PER_MINUTE } from '../../../api/barcode-jobs/preview.ts';
import { SAMPLE_TOKEN } from '../../../shared/barcodes/payload.ts';
import { parseToken, TOKEN_LENGTH } from '../../../shared/units/token.ts';
import { operationOf } from '../../support/document-client.ts';
import { countRows, createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { expectProblem } from '../../support/problem.ts';
import { readSymbol } from '../../support/read-symbol.ts';

describe('POST /api/v1/barcodes/preview', () => {
  let api: TestApi;
  let org: TestOrganization;
  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const preview = (body: object) => org.post('/barcodes/preview', body).responseType('blob');

  it('draws the real symbol of a sample that is no unit’s, and mints nothing', async () => {
    const before = await countRows(api.database);
    const answer = await preview({ as: 'png', scale: 6 }).expect(200);
    expect(answer.headers['content-type']).to.equal('image/png');
    const [symbol] = await readSymbol(answer.body as Buffer);
    expect(symbol!.text).to.equal(`HTTPS://VERIFY.EXAMPLE.COM/V/${SAMPLE_TOKEN}`);
    expect(answer.headers['x-barcode-reach']).to.equal('public');
    expect(SAMPLE_TOKEN).to.have.length(TOKEN_LENGTH);
    expect(parseToken(api.deps.config.TOKEN_KEYS, SAMPLE_TOKEN)).to.equal(null);
    expect(await countRows(api.database)).to.deep.equal(before);
  });

  it('is a picture or a sheet of a media type that the OpenAPI document lists', async () => {
    const documented = Object.keys(operationOf('previewBarcode').responses['200']!.content!);
    const answered = new Set<string>();
    for (const as of ['svg', 'png', 'sheet', 'sheet-svg']) {
      const { headers } = await preview({ as }).expect(200);
      answered.add(headers['content-type']!.split(';')[0]!);
    }
    expect([...answered].sort()).to.deep.equal(documented.sort());
  });

  it('holds the batch’s own GTIN, lot and expiry, and the serial that its first unit would have', async () => {
    const product = await org.createProduct({ gtin: '04012345123456' });
    const batch = await org.createBatch({ productId: product.id, lot: 'L7', expiresOn: '2027-05-31' });
    const serials = { source: 'sequential', prefix: 'A', first: 5, digits: 4 };
    const answer = await preview({
      batchId: batch.id,
      symbology: 'gs1-datamatrix',
      as: 'png',
      scale: 6,
      serials,
    }).expect(200);
    const payload = decodeURIComponent(answer.headers['x-barcode-payload']!);
    expect(payload)
      .to.include('0104012345123456')
      .and.include('17270531')
      .and.include('10L7')
      .and.include('21A0005');
    expect(answer.headers['x-barcode-reach']).to.equal('none');
  });

  it('says everything that is impossible, and why, with the paths of the request', async () => {
    const product = await org.createProduct();
    const answer = await org
      .post('/barcodes/preview', {
        productId: product.id,
        symbology: 'gs1-datamatrix',
        foreground: '#ffffff',
      })
      .expect(422);
    const { errors } = expectProblem(answer, 'VALIDATION_FAILED');
    expect(errors!.map(({ path, code, message }) => [path, code, message])).to.deep.include.members([
      ['symbology', 'GTIN_NEEDED', 'this symbology needs a product with a GTIN'],
      ['foreground', 'LOW_CONTRAST', 'must be darker than the background, by 4.5 to 1 or more'],
    ]);
    const thirteen = await org.createProduct({ gtin: '04012345123456' });
    const ean8 = await org.post('/barcodes/preview', { productId: thirteen.id, symbology: 'ean8' });
    expect(expectProblem(ean8, 'VALIDATION_FAILED').errors![0]).to.deep.include({
      path: 'symbology',
      message: 'gtin: must be a GTIN of 8 digits for this symbology',
    });
    const uploaded = await org.post('/barcodes/preview', { serials: { source: 'uploaded' } });
    expectProblem(uploaded, 'VALIDATION_FAILED');
    const layout = { pageWidth: 100, pageHeight: 100, columns: 9, rows: 9, labelWidth: 50, labelHeight: 50 };
    const sheet = await org.post('/barcodes/preview', { as: 'sheet', sheet: { layout } });
    expect(expectProblem(sheet, 'VALIDATION_FAILED').errors![0]!.path).to.match(/^sheet\.layout/);
  });

  it('draws a symbol as it is, whatever sheet is described beside it', async () => {
    const alone = await preview({ as: 'png' }).expect(200);
    const layout = { pageWidth: 100, pageHeight: 100, columns: 9, rows: 9, labelWidth: 50, labelHeight: 50 };
    const beside = await preview({ as: 'png', sheet: { layout } }).expect(200);
    expect((beside.body as Buffer).equals(alone.body as Buffer)).to.equal(true);
  });

  it('gives the first sheet as one page of labels', async () => {
    const product = await org.createProduct({ name: 'Olive oil' });
    const answer = await preview({
      as: 'sheet',
      productId: product.id,
      sheet: { layout: 'a4-avery-l7160', fields: ['product', 'serial'] },
    }).expect(200);
    expect(answer.headers['content-type']).to.equal('application/pdf');
    const pdf = (answer.body as Buffer).toString('latin1');
    expect(pdf.startsWith('%PDF-')).to.equal(true);
    expect(pdf.match(/\/Type ?\/Page\b/g)).to.have.length(1);
  });

  it('gives the first sheet as a picture too, with a place for each label and the same lines', async () => {
    const product = await org.createProduct({ name: 'Oil & <vinegar>' });
    const answer = await preview({
      as: 'sheet-svg',
      productId: product.id,
      sheet: { layout: 'a4-avery-l7160', fields: ['product', 'serial'] },
    }).expect(200);
    expect(answer.headers['content-type']).to.match(/^image\/svg\+xml/);
    const svg = (answer.body as Buffer).toString();
    expect(svg.match(/<use /g)).to.have.length(21);
    expect(svg).to.include('>Oil &#38; &#60;vinegar&#62;</text>');
    // The very modules of the symbol alone.
    const alone = (
      (await preview({ as: 'svg', productId: product.id }).expect(200)).body as Buffer
    ).toString();
    expect(svg).to.include(/d="(M4 4h[^"]+)"/.exec(alone)![1]!);
    const layout = { pageWidth: 100, pageHeight: 100, columns: 9, rows: 9, labelWidth: 50, labelHeight: 50 };
    expectProblem(
      await org.post('/barcodes/preview', { as: 'sheet-svg', sheet: { layout } }),
      'VALIDATION_FAILED',
    );
  });

  it('refuses a sheet that a job is refused, also where none was described', async () => {
    const product = await org.createProduct({ gtin: '04012345123456' });
    const batch = await org.createBatch({ productId: product.id, lot: 'L7', expiresOn: '2027-05-31' });
    for (const as of ['sheet', 'sheet-svg']) {
      const body = { as, batchId: batch.id, symbology: 'gs1-128' };
      const narrow = await org.post('/barcodes/preview', { ...body, sheet: { layout: 'letter-avery-5167' } });
      const { errors } = expectProblem(narrow, 'VALIDATION_FAILED');
      expect(errors!.map(({ path, code }) => [path, code])).to.deep.equal([
        ['sheet.layout', 'MODULE_TOO_NARROW'],
      ]);
      const lost = await org.post('/barcodes/preview', {
        as,
        batchId: batch.id,
        symbology: 'ean13',
        sheet: { layout: 'letter-avery-5167', fields: ['lot', 'expiry', 'serial'] },
      });
      expect(
        expectProblem(lost, 'VALIDATION_FAILED').errors!.map(({ path, code }) => [path, code]),
      ).to.deep.equal([['sheet.fields', 'LINES_DO_NOT_FIT']]);
      await preview({
        as,
        batchId: batch.id,
        symbology: 'ean13',
        sheet: { layout: 'letter-avery-5167' },
      }).expect(200);
      await preview({ as, batchId: batch.id }).expect(200);
    }
    await preview({ as: 'svg', batchId: batch.id, symbology: 'gs1-128' }).expect(200);
  });

  it('finds no batch of another organization', async () => {
    const other = await api.createOrganization();
    const batch = await other.createBatch();
    expectProblem(await org.post('/barcodes/preview', { batchId: batch.id }), 'NOT_FOUND');
  });

  it('is limited for each credential', async () => {
    const busy = await api.createOrganization();
    const ask = () => busy.post('/barcodes/preview', { symbology: 'ean13' });
    for (let n = 0; n < PREVIEWS_PER_MINUTE; n += 40) await Promise.all(Array.from({ length: 40 }, ask));
    const answer = await ask();
    expectProblem(answer, 'RATE_LIMITED');
    expect(Number(answer.headers['retry-after'])).to.be.within(1, 60);
    await org.post('/barcodes/preview', {}).expect(200);
  });
});
