import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import request from 'supertest';
import { countRows, createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { codesOf, fetchArtifacts } from '../../support/artifacts.ts';
import { expectProblem } from '../../support/problem.ts';

describe('uploading serials for a batch', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi({ env: { MINT_CHUNK_UNITS: '4' } });
    org = await api.createOrganization();
  });
  after(() => api.close());

  const upload = (batchId: string, text: string, type = 'text/csv', key = org.key) =>
    request(api.server)
      .post(`/api/v1/batches/${batchId}/serials`)
      .set('X-Api-Key', key)
      .set('Content-Type', type)
      .send(text);
  const numbered = (count: number, prefix = 'S') =>
    Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);

  for (const [type, write] of [
    ['text/csv', (serials: string[]) => `serial\n${serials.join('\n')}\n`],
    [
      'application/x-ndjson',
      (serials: string[]) => serials.map((one) => `${JSON.stringify(one)}\n`).join(''),
    ],
    ['application/json', (serials: string[]) => JSON.stringify(serials.map((serial) => ({ serial })))],
  ] as const) {
    it(`gives units the serials of a ${type}, in its order`, async () => {
      const batch = await org.createBatch({ quantity: 11 });
      const serials = numbered(11, 'ab/C-');
      const { body } = await upload(batch.id, write(serials), type).expect(200);
      expect(body).to.deep.equal({ serials: 11 });
      const job = await org.startJob(batch.id);
      expect(job['serials']).to.deep.equal({ source: 'uploaded' });
      await api.runJob(job.id);
      const codes = codesOf(await fetchArtifacts(api, org, job.id));
      expect(codes.map(({ serial }) => serial)).to.deep.equal(serials);
    });
  }

  it('refuses sheets that hold the first serial of a length and not another', async () => {
    const refusalOf = async (serials: string[], job: object) => {
      const product = await org.createProduct({ gtin: '09506000134352' });
      const batch = await org.createBatch({
        productId: product.id,
        quantity: serials.length,
        lot: null,
        expiresOn: null,
      });
      await upload(batch.id, `${serials.join('\n')}\n`).expect(200);
      const answer = await org.post(`/batches/${batch.id}/barcode-jobs`, { formats: ['pdf'], ...job });
      return expectProblem(answer, 'VALIDATION_FAILED').errors!.map(({ path, code }) => `${path} ${code}`);
    };
    // Digits alone take half of the bars.
    const numbers = ['00000000000000000001', 'ABCDEFGHIJKLMNOPQRST', '00000000000000000002'];
    expect(await refusalOf(numbers, { symbology: 'gs1-128' })).to.deep.equal([
      'sheet.layout MODULE_TOO_NARROW',
    ]);
    const narrow = ['i1i1i1i1i1i1i1i1i1i1', 'W'.repeat(20), 'l1l1l1l1l1l1l1l1l1l1'];
    const sheet = { layout: 'a4-avery-l7651', fields: ['serial'] };
    expect(await refusalOf(narrow, { symbology: 'qr', sheet })).to.deep.equal([
      'sheet.fields LINES_DO_NOT_FIT',
    ]);
  });

  it('is in the audit log with how many they are, and not where it is refused', async () => {
    const batch = await org.createBatch({ quantity: 2 });
    await upload(batch.id, 'AUDIT1\n').expect(422);
    await upload(batch.id, 'AUDIT1\nAUDIT2\n').expect(200);
    const { rows } = await api.database.pool.query(
      `select actor_kind, before, after from audit_log where action = 'uploadSerials' and resource = $1`,
      [batch.id],
    );
    expect(rows).to.deep.equal([{ actor_kind: 'key', before: null, after: { serials: 2 } }]);
  });

  it('answers a list that is refused at its first line, whatever still comes behind it', async () => {
    const { id } = await org.createBatch({ quantity: 2 });
    const { port } = api.server.address() as AddressInfo;
    const refused = async (type: string, line: string, bytes: number) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/batches/${id}/serials`, {
        method: 'POST',
        headers: { 'content-type': type, 'x-api-key': org.key },
        body: line.repeat(Math.ceil(bytes / line.length)),
      });
      return [answer.status, ((await answer.json()) as { code: string }).code];
    };
    for (const bytes of [1, 60_000, 2_000_000]) {
      expect(await refused('application/x-ndjson', 'no JSON\n', bytes)).to.deep.equal([
        400,
        'MALFORMED_JSON',
      ]);
      expect(await refused('text/csv', 'ABÄ\n', bytes)).to.deep.equal([422, 'VALIDATION_FAILED']);
    }
  });

  it('reports bad characters and lengths by line, and keeps nothing', async () => {
    const batch = await org.createBatch({ quantity: 4 });
    const before = await countRows(api.database);
    const answer = await upload(batch.id, `OK1\nno space\nä\n${'X'.repeat(21)}\n`);
    expect(expectProblem(answer, 'VALIDATION_FAILED').errors).to.deep.equal([
      {
        path: 'line.2',
        code: 'NOT_A_GS1_CHARACTER',
        message: 'has the character " ", which is not in GS1 character set 82',
        params: { character: ' ' },
      },
      {
        path: 'line.3',
        code: 'NOT_A_GS1_CHARACTER',
        message: 'has the character "ä", which is not in GS1 character set 82',
        params: { character: 'ä' },
      },
      {
        path: 'line.4',
        code: 'TOO_LONG',
        message: 'has more than 20 characters',
        params: { maximum: 20 },
      },
    ]);
    expect(await countRows(api.database)).to.deep.equal(before);
  });

  it('takes no other cell for the serial of a line that has none', async () => {
    const batch = await org.createBatch({ quantity: 2 });
    const answer = await upload(batch.id, 'lot,serial\nL1,A1\nL2\nL3,"A3\n');
    expect(expectProblem(answer, 'VALIDATION_FAILED').errors).to.deep.equal([
      { path: 'line.3', code: 'EMPTY', message: 'has no serial' },
      { path: 'line.4', code: 'WRONG_FORMAT', message: 'has quotation marks that are not right' },
    ]);
  });

  it('refuses serials that no GS1 Digital Link can carry, where the product has a GTIN', async () => {
    const product = await org.createProduct({ gtin: '09506000134352' });
    const linked = await org.createBatch({ productId: product.id, quantity: 3 });
    const answer = await upload(linked.id, '...\n.\n..\n');
    expect(
      expectProblem(answer, 'VALIDATION_FAILED').errors!.map(({ path, code }) => [path, code]),
    ).to.deep.equal([
      ['line.2', 'DOT_SEGMENT'],
      ['line.3', 'DOT_SEGMENT'],
    ]);
    const unlinked = await org.createBatch({ quantity: 3 });
    await upload(unlinked.id, 'A\n.\n..\n').expect(200);
    await org.patch(`/products/${unlinked.productId}`, { gtin: '04006381333931' }).expect(200);
    const job = await org.post(`/batches/${unlinked.id}/barcode-jobs`, { symbology: 'gs1-digital-link' });
    expect(expectProblem(job, 'VALIDATION_FAILED').errors).to.deep.include({
      path: 'serials',
      code: 'DOT_SEGMENT',
      message: 'must not be "." or "..", which clients remove from a GS1 Digital Link',
    });
  });

  it('reports duplicates by line: within the file, and with the product’s other units', async () => {
    const product = await org.createProduct();
    const other = await org.createBatch({ productId: product.id, quantity: 2 });
    await upload(other.id, 'TAKEN1\nTAKEN2\n').expect(200);
    await api.runJob((await org.startJob(other.id)).id);
    const batch = await org.createBatch({ productId: product.id, quantity: 5 });
    const before = await countRows(api.database);
    const answer = await upload(batch.id, 'serial\nA\nB\nA\nTAKEN2\nA\n');
    const again = {
      code: 'SERIAL_REPEATED',
      message: 'A stands in line 2 already',
      params: { serial: 'A', line: 2 },
    };
    expect(expectProblem(answer, 'VALIDATION_FAILED').errors).to.deep.equal([
      { path: 'line.4', ...again },
      { path: 'line.6', ...again },
      {
        path: 'line.5',
        code: 'SERIAL_TAKEN',
        message: 'TAKEN2 belongs to another unit of the product',
        params: { serial: 'TAKEN2' },
      },
    ]);
    expect(await countRows(api.database)).to.deep.equal(before);
  });

  it('takes exactly as many as the batch has units', async () => {
    const batch = await org.createBatch({ quantity: 3 });
    for (const count of [0, 2, 4]) {
      const { errors } = expectProblem(
        await upload(batch.id, numbered(count).join('\n') || '\n'),
        'VALIDATION_FAILED',
      );
      expect(errors![0]).to.deep.include({
        message: `the batch has 3 units, the file ${count} serials`,
        params: { units: 3, serials: count },
      });
    }
  });

  it('replaces an earlier upload, until units exist', async () => {
    const batch = await org.createBatch({ quantity: 2 });
    await upload(batch.id, 'A1\nA2').expect(200);
    await upload(batch.id, 'B1\nB2').expect(200);
    const job = await org.startJob(batch.id);
    expectProblem(await upload(batch.id, 'C1\nC2'), 'CONFLICT');
    await api.runJob(job.id);
    expect(codesOf(await fetchArtifacts(api, org, job.id)).map(({ serial }) => serial)).to.deep.equal([
      'B1',
      'B2',
    ]);
    expectProblem(await upload(batch.id, 'C1\nC2'), 'CONFLICT');
  });

  it('checks the symbology against the serials when the job is created', async () => {
    const batch = await org.createBatch({ quantity: 2 });
    await upload(batch.id, '123456\n12345\n').expect(200);
    const answer = await org.post(`/batches/${batch.id}/barcode-jobs`, { symbology: 'interleaved2of5' });
    expect(expectProblem(answer, 'VALIDATION_FAILED').errors).to.deep.equal([
      {
        path: 'serials',
        code: 'ODD_DIGITS',
        message: 'interleaved2of5 holds an even number of digits',
        params: { symbology: 'interleaved2of5' },
      },
    ]);
  });

  it('needs the scope, the organization’s own batch, and a type that it knows', async () => {
    const batch = await org.createBatch({ quantity: 1 });
    expectProblem(
      await upload(batch.id, 'A', 'text/csv', await org.createKey('products.read')),
      'INSUFFICIENT_SCOPE',
    );
    expectProblem(await upload(batch.id, 'A', 'text/csv', (await api.createOrganization()).key), 'NOT_FOUND');
    expectProblem(await upload(batch.id, 'A', 'image/png'), 'UNSUPPORTED_MEDIA_TYPE');
    const packed = upload(batch.id, 'A').set('Content-Encoding', 'gzip');
    expect(expectProblem(await packed, 'UNSUPPORTED_MEDIA_TYPE').detail).to.equal(
      'send the list without a content encoding',
    );
    expectProblem(await upload(batch.id, '["A"', 'application/json'), 'MALFORMED_JSON');
  });

  it('takes 300,000 lines while memory stays flat', async function () {
    this.timeout(60_000);
    const batch = await org.createBatch({ quantity: 300_000 });
    const text = Array.from(
      { length: 300_000 },
      (_, index) => `LONG-SERIAL-${String(index).padStart(8, '0')}\n`,
    ).join('');
    const before = process.memoryUsage.rss();
    const sampled = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
    let peak = before;
    const { body } = await upload(batch.id, text).expect(200);
    clearInterval(sampled);
    expect(body.serials).to.equal(300_000);
    expect((peak - before) / 1024 / 1024).to.be.lessThan(100);
  });
});
