import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { expect } from 'chai';
import { SYMBOLOGY_NAMES } from '../../../shared/barcode-jobs/options.ts';
import { decodeId } from '../../../shared/ids.ts';
import { createTestApi, countRows, type TestApi, type TestOrganization } from '../../support/api.ts';
import { codesOf, fetchArtifacts, imagesOf } from '../../support/artifacts.ts';
import { expectProblem } from '../../support/problem.ts';
import { readSymbol } from '../../support/read-symbol.ts';

const GS = '\x1d';
/** A decoder shows the leading FNC1 as a separator. */
const withoutFnc1 = (text = '') => (text.startsWith(GS) ? text.slice(1) : text);

/** Of the check digits that each length needs. */
const GTINS = {
  any: '09506000134352',
  ean13: '9506000134352',
  ean8: '96385074',
  upca: '036000291452',
  itf14: '15400141288763',
};

/** @returns what stands on each page of a PDF. */
const pagesOf = (pdf: string): string[] =>
  [...pdf.matchAll(/stream\r?\n([^]*?)\r?\nendstream/g)].map(([, stream]) =>
    inflateSync(Buffer.from(stream!, 'latin1')).toString('latin1'),
  );

describe('what a barcode job makes', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi({ env: { MINT_CHUNK_UNITS: '4' } });
    org = await api.createOrganization();
  });
  after(() => api.close());

  const batchWith = async (gtin: string, quantity = 2) => {
    const product = await org.createProduct({ gtin });
    return org.createBatch({ productId: product.id, quantity, lot: 'L-42', expiresOn: '2027-12-31' });
  };
  const run = async (batchId: string, fields: Record<string, unknown>) => {
    const job = await org.startJob(batchId, { scale: 3, ...fields });
    await api.runJob(job.id);
    return fetchArtifacts(api, org, job.id);
  };

  const expected: Record<string, (code: { serial: string; address: string }) => string> = {
    qr: ({ address }) => address,
    'datamatrix-url': ({ address }) => address,
    'gs1-digital-link': ({ serial }) =>
      `https://verify.example.com/01/09506000134352/10/L-42/21/${serial}?17=271231`,
    'gs1-datamatrix': ({ serial }) => `01095060001343521727123110L-42${GS}21${serial}`,
    'gs1-128': ({ serial }) => `01095060001343521727123110L-42${GS}21${serial}`,
    ean13: () => GTINS.ean13,
    ean8: () => GTINS.ean8,
    upca: () => `0${GTINS.upca}`,
    itf14: () => GTINS.itf14,
  };

  for (const symbology of SYMBOLOGY_NAMES) {
    it(`makes ${symbology} for each unit, which a decoder reads back`, async () => {
      const gtin = GTINS[symbology as keyof typeof GTINS] ?? GTINS.any;
      const batch = await batchWith(gtin);
      const serials =
        symbology === 'interleaved2of5' ? { source: 'sequential', first: 5, digits: 8 } : undefined;
      const artifacts = await run(batch.id, { symbology, serials });
      const codes = codesOf(artifacts);
      const images = [...imagesOf(artifacts)];
      expect(images.map(([name]) => name)).to.deep.equal(
        codes.map(({ serial }, index) => `${index + 1}-${serial}.png`),
      );
      for (const [index, [, png]] of images.entries()) {
        const [read] = await readSymbol(png);
        const payload = (expected[symbology] ?? (({ serial }) => serial))(codes[index]!);
        expect(withoutFnc1(read?.text), symbology).to.equal(payload);
      }
    });
  }

  const refused: [string, Record<string, string>, string, string, string, string][] = [
    [
      'Digital Link with a lot that clients remove from it, and other symbols of it',
      { lot: '..' },
      'gs1-digital-link',
      'DOT_SEGMENT',
      'lot: must not be "." or "..", which clients remove from a GS1 Digital Link',
      'gs1-datamatrix',
    ],
    [
      'expiry in a GS1 symbol that scanners would take for one of another century',
      { expiresOn: '9999-12-31' },
      'gs1-datamatrix',
      'EXPIRY_NOT_GS1',
      'expiresOn: must be at most 49 years back and 50 ahead, as GS1 writes two digits of a year',
      'qr',
    ],
  ];
  for (const [what, fields, symbology, code, message, taken] of refused) {
    it(`prints no ${what}`, async () => {
      const product = await org.createProduct({ gtin: GTINS.any });
      const { id } = await org.createBatch({ productId: product.id, quantity: 1, ...fields });
      const start = (one: string) => org.post(`/batches/${id}/barcode-jobs`, { symbology: one });
      const { errors } = expectProblem(await start(symbology), 'VALIDATION_FAILED');
      expect(errors).to.deep.equal([{ path: 'symbology', code, message }]);
      await start(taken).expect(202);
    });
  }

  it('packs every format, in parts of a fixed number of units, with checksums of all of them', async () => {
    const batch = await batchWith(GTINS.any, 10);
    const artifacts = await run(batch.id, {
      formats: ['png', 'svg', 'eps', 'zpl', 'pdf'],
      text: true,
      sheet: {
        layout: { pageWidth: 100, pageHeight: 100, columns: 1, rows: 2, labelWidth: 60, labelHeight: 30 },
        fields: ['product', 'serial'],
      },
    });
    expect([...artifacts.keys()].sort()).to.deep.equal([
      'codes.csv',
      'codes.ndjson',
      'images-0001.zip',
      'images-0002.zip',
      'images-0003.zip',
      'labels-0001.pdf',
      'labels-0001.zpl',
      'labels-0002.pdf',
      'labels-0002.zpl',
      'labels-0003.pdf',
      'labels-0003.zpl',
      'manifest.json',
    ]);
    for (const { name, bytes, sha256 } of artifacts.values())
      expect(createHash('sha256').update(bytes).digest('hex'), name).to.equal(sha256);
    const manifest = JSON.parse(artifacts.get('manifest.json')!.bytes.toString());
    expect(manifest).to.deep.include({ units: 10, symbology: 'qr' });
    expect(manifest.files.map((file: { name: string }) => file.name)).to.have.members(
      [...artifacts.keys()].filter((name) => name !== 'manifest.json'),
    );
    const codes = codesOf(artifacts);
    expect([...imagesOf(artifacts).keys()]).to.deep.equal(
      codes.flatMap(({ serial }, index) =>
        ['png', 'svg', 'eps'].map((format) => `${String(index + 1).padStart(2, '0')}-${serial}.${format}`),
      ),
    );
    const zpl = artifacts.get('labels-0001.zpl')!.bytes.toString();
    expect(zpl.match(/\^XA/g)).to.have.length(4);
    const pdf = artifacts.get('labels-0001.pdf')!.bytes.toString('latin1');
    expect(pdf.match(/\/Type ?\/Page\b/g)).to.have.length(2);
    const pages = pagesOf(pdf);
    expect(pages[0]).to.contain('Olive oil').and.contain(codes[0]!.serial).and.contain(codes[1]!.serial);
  });

  it('prints on all labels what the product was called when the job was created', async () => {
    const printed = async (afterwards: (jobId: string) => Promise<unknown>) => {
      const product = await org.createProduct({ sku: 'OO-1' });
      const batch = await org.createBatch({ productId: product.id, quantity: 1 });
      const fields = ['product', 'sku', 'brand'];
      const job = await org.startJob(batch.id, {
        formats: ['pdf'],
        sheet: { layout: 'a4-avery-l7160', fields },
      });
      const renamed = { name: 'Olive oil, cold pressed', sku: `LONG-${'0'.repeat(50)}`, brand: 'Olivaia' };
      await org.patch(`/products/${product.id}`, renamed).expect(200);
      await afterwards(job.id);
      await api.runJob(job.id);
      const artifacts = await fetchArtifacts(api, org, job.id);
      // Free for the next.
      await org.patch(`/products/${product.id}`, { sku: `OO-${product.id}` }).expect(200);
      return pagesOf(artifacts.get('labels-0001.pdf')!.bytes.toString('latin1'))[0];
    };
    const page = await printed(async () => undefined);
    expect(page).to.contain('Olive oil').and.contain('OO-1');
    expect(page).not.to.contain('cold pressed');
    // As an earlier release left it.
    const forget = async (jobId: string) => {
      await api.database.pool.query(
        `update barcode_jobs set options = jsonb_set(options, '{sheet,fields}', '["product"]') - 'label' where id = $1`,
        [decodeId('job', jobId)],
      );
    };
    expect(await printed(forget)).to.contain('cold pressed');
  });

  it('lists the same codes as CSV and as NDJSON', async () => {
    const batch = await batchWith(GTINS.any, 6);
    const artifacts = await run(batch.id, {});
    const csv = artifacts.get('codes.csv')!.bytes.toString().trimEnd().split('\n');
    expect(csv.shift()).to.equal('unitId,serial,token,address,lot,expiresOn,gs1');
    const codes = codesOf(artifacts);
    expect(csv).to.deep.equal(
      codes.map((one) => `${one.unitId},${one.serial},${one.token},${one.address},"L-42",2027-12-31,`),
    );
    const { body } = await org.get(`/product-units?batchId=${batch.id}`).expect(200);
    expect(body.data.map((unit: { id: string }) => unit.id).reverse()).to.have.members(
      codes.map(({ unitId }) => unitId),
    );
    expect(codes[0]).to.deep.include({ lot: 'L-42', expiresOn: '2027-12-31', gs1: null });
  });

  it('lists what symbols with GS1 data hold, for a printer that makes them itself', async () => {
    for (const symbology of ['gs1-digital-link', 'gs1-datamatrix', 'gs1-128']) {
      const batch = await batchWith(GTINS.any, 2);
      const artifacts = await run(batch.id, { symbology });
      const codes = codesOf(artifacts);
      const [, ...rows] = artifacts.get('codes.csv')!.bytes.toString().trimEnd().split('\n');
      for (const [index, code] of codes.entries()) {
        const printed = `(01)${GTINS.any}(17)271231(10)L-42(21)${code.serial}`;
        const held = symbology === 'gs1-digital-link' ? expected[symbology]!(code) : printed;
        expect(code.gs1).to.equal(held);
        expect(rows[index])
          .to.match(/,2027-12-31,"[^"]+"$/)
          .and.include(`"${held}"`);
      }
    }
  });

  it('shows every option of a job', async () => {
    const batch = await batchWith(GTINS.any);
    const options = {
      symbology: 'gs1-digital-link',
      formats: ['png', 'pdf'],
      errorCorrection: 'H',
      scale: 6,
      dpi: 600,
      quietZone: 6,
      text: true,
      foreground: '#112233',
      background: '#fefefe',
      activate: true,
    };
    const sheet = { layout: 'letter-avery-5160', fields: ['brand', 'token'] };
    const serials = { source: 'sequential', prefix: 'AB-', first: 7, digits: 5 };
    const job = await org.startJob(batch.id, { ...options, sheet, serials });
    expect(job).to.deep.include(options);
    expect(job['sheet']).to.deep.equal({ ...sheet, labels: 30 });
    expect(job['serials']).to.deep.equal(serials);
  });

  it('refuses a sheet on which the symbol is too narrow to read, or lines of text are lost', async () => {
    const batch = await batchWith(GTINS.any);
    const refusedWith = async (fields: object) => {
      const answer = await org.post(`/batches/${batch.id}/barcode-jobs`, { formats: ['pdf'], ...fields });
      return expectProblem(answer, 'VALIDATION_FAILED').errors!.map(({ path, code, params }) => ({
        path,
        code,
        params,
      }));
    };
    const before = await countRows(api.database);
    const [narrow, ...none] = await refusedWith({
      symbology: 'gs1-128',
      sheet: { layout: 'a4-avery-l7651', fields: ['product'] },
    });
    expect(none).to.deep.equal([]);
    expect(narrow).to.deep.include({ path: 'sheet.layout', code: 'MODULE_TOO_NARROW' });
    expect(narrow!.params).to.have.property('minimum', 0.17);
    expect(narrow!.params!['module']).to.be.within(0.07, 0.1);
    const fields = ['product', 'lot', 'expiry', 'serial'];
    expect(
      await refusedWith({ symbology: 'ean13', sheet: { layout: 'letter-avery-5167', fields } }),
    ).to.deep.equal([
      {
        path: 'sheet.fields',
        code: 'LINES_DO_NOT_FIT',
        params: { fit: 2, lines: 4, missing: ['expiry', 'serial'] },
      },
    ]);
    expect(await countRows(api.database)).to.deep.equal(before);
  });

  it('prints of the usual lines those that fit, and says which they are', async () => {
    const batch = await batchWith(GTINS.any);
    const job = await org.startJob(batch.id, {
      symbology: 'ean13',
      formats: ['pdf'],
      sheet: { layout: 'letter-avery-5167' },
    });
    expect(job['sheet']).to.deep.equal({
      layout: 'letter-avery-5167',
      fields: ['product', 'lot'],
      labels: 80,
    });
    await api.runJob(job.id);
    const other = await batchWith(GTINS.any);
    const whole = await org.startJob(other.id, { formats: ['pdf'] });
    expect(whole['sheet']).to.deep.equal({
      layout: 'a4-avery-l7160',
      fields: ['product', 'lot', 'expiry', 'serial'],
      labels: 21,
    });
  });

  it('refuses what cannot be made when the job is created, with paths', async () => {
    const plain = await org.createBatch({ quantity: 100 });
    const long = await batchWith(GTINS.any);
    const cases: [string, Record<string, unknown>, string[]][] = [
      [plain.id, { symbology: 'gs1-datamatrix' }, ['symbology']],
      [plain.id, { symbology: 'ean13' }, ['symbology']],
      [long.id, { symbology: 'ean8' }, ['symbology']],
      [plain.id, { symbology: 'qr-url' }, ['symbology']],
      [plain.id, { symbology: 'datamatrix-url', errorCorrection: 'H' }, ['errorCorrection']],
      [plain.id, { foreground: '#ffff00' }, ['foreground']],
      [plain.id, { foreground: '#ffffff', background: '#000000' }, ['foreground']],
      [plain.id, { symbology: 'code128', foreground: '#ff0000' }, ['foreground']],
      [plain.id, { foreground: 'red' }, ['foreground']],
      [plain.id, { dpi: 20, quietZone: 65 }, ['dpi', 'quietZone']],
      [plain.id, { sheet: { layout: 'a4-avery-l7160' } }, ['sheet']],
      [plain.id, { formats: ['pdf'], sheet: { layout: 'a5-none' } }, ['sheet.layout']],
      [
        plain.id,
        {
          formats: ['pdf'],
          sheet: {
            layout: { pageWidth: 210, pageHeight: 297, columns: 9, rows: 2, labelWidth: 60, labelHeight: 30 },
          },
        },
        ['sheet.layout.columns'],
      ],
      // No name of a sheet, and so by its measures.
      [
        plain.id,
        {
          formats: ['pdf'],
          sheet: { layout: { pageWidth: -1, pageHeight: 297, columns: 0, rows: 2, labelWidth: 60 } },
        },
        ['sheet.layout.pageWidth', 'sheet.layout.columns', 'sheet.layout.labelHeight'],
      ],
      [plain.id, { symbology: 'interleaved2of5' }, ['serials']],
      [plain.id, { symbology: 'interleaved2of5', serials: { source: 'sequential', digits: 7 } }, ['serials']],
      [plain.id, { serials: { source: 'sequential', first: 9950, digits: 4 } }, ['serials.digits']],
      [
        plain.id,
        { serials: { source: 'sequential', prefix: 'A'.repeat(15), digits: 8 } },
        ['serials.prefix'],
      ],
      [plain.id, { serials: { source: 'sequential', prefix: 'A B' } }, ['serials.prefix']],
      [plain.id, { serials: { source: 'uploaded' } }, ['serials']],
    ];
    const before = await countRows(api.database);
    for (const [batchId, fields, paths] of cases) {
      const { errors } = expectProblem(
        await org.post(`/batches/${batchId}/barcode-jobs`, fields),
        'VALIDATION_FAILED',
      );
      expect(
        errors!.map(({ path }) => path),
        JSON.stringify(fields),
      ).to.deep.equal(paths);
    }
    expect(await countRows(api.database)).to.deep.equal(before);
  });
});
