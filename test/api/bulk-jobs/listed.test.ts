import { expect } from 'chai';
import { decodeId, encodeId, newUuid } from '../../../shared/ids.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { runBulkJob } from '../../support/bulk-jobs.ts';
import { expectProblem } from '../../support/problem.ts';

const NO_SUCH_UNIT = { code: 'NO_SUCH_UNIT', message: 'no such unit' };
const NOT_A_CODE = { code: 'NOT_A_CODE', message: 'is not a code of this service' };

describe('a bulk job over listed units', () => {
  let api: TestApi;
  let org: TestOrganization;
  let other: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    other = await api.createOrganization();
  });
  after(() => api.close());

  const ask = (body: object, as = org) => as.post('/product-units/bulk', body);
  const run = async (body: object) => runBulkJob(api, org, (await ask(body).expect(202)).body.id);
  const statuses = async (batchId: string) =>
    (await org.get(`/product-units?batchId=${batchId}`)).body.data
      .map((unit: any) => unit.status)
      .toReversed();
  /** What is wrong with a body, as `errors` tells it. */
  const refusedFor = async (body: object) =>
    expectProblem(await ask({ action: 'suspend', ...body }), 'VALIDATION_FAILED')['errors'] as object[];

  it('finds them by the serials of one product, and tells each line that names none', async () => {
    const { productId, batchId, units } = await org.mintUnits(3);
    const another = (await org.mintUnits(1)).units[0]!;
    const theirs = (await other.mintUnits(1)).units[0]!;
    const serials = [
      units[0]!.serial,
      another.serial,
      ` ]C0${units[1]!.serial} `,
      theirs.serial,
      'two words',
      units[0]!.serial,
      'X'.repeat(150),
    ];
    const job = await run({ action: 'suspend', productId, serials });
    expect(job).to.deep.include({ status: 'completed', changed: 2, unchanged: 1, refused: 4 });
    const wrong = {
      code: 'NOT_A_SERIAL',
      message: 'is not a serial of 1 to 20 printable characters',
    };
    expect(job['problems']).to.deep.equal([
      { line: 2, ref: another.serial, ...NO_SUCH_UNIT },
      { line: 4, ref: theirs.serial, ...NO_SUCH_UNIT },
      { line: 5, ref: 'two words', ...wrong },
      { line: 7, ref: 'X'.repeat(100), ...wrong },
    ]);
    expect(await statuses(batchId)).to.deep.equal(['suspended', 'suspended', 'active']);
  });

  it('finds them by what a scanner reads, and tells another organization’s code like one of no unit', async () => {
    const { batchId, units } = await org.mintUnits(3);
    const theirs = (await other.mintUnits(1)).units[0]!;
    const [first, second] = units;
    const codes = [
      first!.token.toLowerCase(),
      `https://verify.example.com/v/${second!.token}/?lang=de#top`,
      theirs.token,
      'https://id.example.com/01/09506000134352',
      'A'.repeat(24),
      first!.token,
    ];
    const job = await run({ action: 'recall', reason: 'Leaking', codes });
    expect(job).to.deep.include({ status: 'completed', changed: 2, unchanged: 1, refused: 3 });
    expect(job['problems']).to.deep.equal([
      { line: 3, ref: theirs.token, ...NO_SUCH_UNIT },
      { line: 4, ref: codes[3], ...NOT_A_CODE },
      { line: 5, ref: 'A'.repeat(24), ...NOT_A_CODE },
    ]);
    const { body } = await org.get(`/product-units/${first!.id}`).expect(200);
    expect(body.recall).to.include({ of: 'unit', reason: 'Leaking' });
    expect((await api.verify(theirs.token)).body.result).to.equal('genuine');
    expect(await run({ action: 'lift-recall', codes: [first!.token] })).to.include({ changed: 1 });
    expect(await statuses(batchId)).to.deep.equal(['active', 'active', 'active']);
  });

  it('finds them by what GS1 symbols say, and only the organization’s own', async () => {
    const gtin = '04012345123456';
    const product = { gtin };
    const { batchId, units } = await org.mintUnits(4, { product, batch: { lot: 'H/7' } });
    const stranger = (await other.mintUnits(1, { product })).units[0]!;
    const [first, second, third, fourth] = units.map(({ serial }) => serial);
    const codes = [
      `https://id.example.com/01/${gtin}/10/H%2F7/21/${first!}?17=271231`,
      `(01)${gtin}(10)H/7(21)${second!}`,
      `]d201${gtin}10H/7\u001d21${third!}`,
      `https://id.example.com/01/${gtin}/21/${stranger.serial}`,
      // A lot that it never was of: no verification finds it by that either.
      `https://id.example.com/01/${gtin}/10/H7/21/${fourth!}`,
    ];
    const told = { changed: 3, unchanged: 0, refused: 2 };
    const problems = [
      { line: 4, ref: codes[3], ...NO_SUCH_UNIT },
      { line: 5, ref: codes[4], ...NO_SUCH_UNIT },
    ];
    const suspended = await run({ action: 'suspend', codes });
    expect(suspended).to.deep.include({ status: 'completed', ...told, problems });
    expect(await statuses(batchId)).to.deep.equal(['suspended', 'suspended', 'suspended', 'active']);
    // As it was called before it was corrected, too.
    await org.patch(`/batches/${batchId}`, { lot: 'H-8' }).expect(200);
    expect(await run({ action: 'activate', codes })).to.deep.include({ ...told, problems });
    expect((await api.verify(stranger.token)).body.result).to.equal('genuine');
  });

  it('moves one unit for a GS1 symbol that two products’ units have: the one that a verification finds', async () => {
    const gtin = '04012345999990';
    const twin = {
      product: { gtin },
      job: { serials: { source: 'sequential', prefix: 'T', first: 1, digits: 4 } },
    };
    const first = await org.mintUnits(1, twin);
    const second = await org.mintUnits(1, twin);
    const codes = [`https://id.example.com/01/${gtin}/21/T0001`];
    expect(await run({ action: 'suspend', codes })).to.include({ changed: 1, unchanged: 0, refused: 0 });
    expect(await statuses(first.batchId)).to.deep.equal(['suspended']);
    expect(await statuses(second.batchId)).to.deep.equal(['active']);
  });

  it('is read by a worker of the release before, to which what a GS1 symbol says is no unit’s code', async () => {
    const gtin = '04012345123456';
    const { units } = await org.mintUnits(2, { product: { gtin } });
    const [first, second] = units;
    const codes = [`https://id.example.com/01/${gtin}/21/${first!.serial}`, second!.token];
    const { id } = (await ask({ action: 'suspend', codes }).expect(202)).body;
    const { rows } = await api.database.pool.query<{ serial: string | null }>(
      `select u.serial
         from bulk_job_items i
         left join product_units u on u.org_id = $1 and u.code = decode(i.key, 'hex')
        where i.job_id = $2 order by i.line`,
      [org.uuid, decodeId('bulk', id)],
    );
    expect(rows.map(({ serial }) => serial)).to.deep.equal([null, second!.serial]);
    expect(await runBulkJob(api, org, id)).to.include({ status: 'completed', changed: 2 });
  });

  it('keeps codes out of the log, the audit trail and what is left of the list', async () => {
    const { units } = await org.mintUnits(2);
    const strange = (await other.mintUnits(1)).units[0]!;
    const codes = [...units.map(({ token }) => token), strange.token];
    api.logs.length = 0;
    const answer = await ask({ action: 'activate', codes }).set('Idempotency-Key', 'scanned').expect(202);
    expectProblem(await ask({ action: 'activate', codes, batchId: 'batch_x' }), 'VALIDATION_FAILED');
    const { pool } = api.database;
    const everything = async () =>
      (
        await pool.query<{ text: string }>(
          `select coalesce(string_agg(a::text, ' '), '') as text from audit_log a
            union all select coalesce(string_agg(i::text, ' '), '') from idempotency_keys i`,
        )
      ).rows
        .map(({ text }) => text)
        .join(' ');
    expect(await everything()).to.include('bulkUnits');
    await runBulkJob(api, org, answer.body.id);
    const { rows } = await pool.query('select * from bulk_job_items');
    expect(rows).to.deep.equal([]);
    const kept = api.logs.join('') + (await everything()) + JSON.stringify(answer.body);
    for (const code of codes) expect(kept.toUpperCase()).not.to.include(code.toUpperCase());
  });

  it('is told each field that is wrong, however many there are', async () => {
    const pathsOf = async (body: object) => (await refusedFor(body)).map((error: any) => error.path);
    expect(await pathsOf({ action: 'void', unitIds: ['x'] })).to.have.members(['action', 'unitIds.0']);
    expect(await pathsOf({ action: 'void', codes: [], serial: 'x' })).to.have.members([
      'action',
      'codes',
      'serial',
    ]);
    const { body } = await org.post('/consignments', {}).expect(201);
    const units = await org.post(`/consignments/${body.id}/units`, { unitIds: ['x'], batchId: 'y' });
    expect(expectProblem(units, 'VALIDATION_FAILED')['errors']).to.have.length(2);
  });

  it('is asked for in one way, by serials with their product', async () => {
    const { productId, batchId, units } = await org.mintUnits(1);
    const [{ serial, token, id }] = units as [(typeof units)[number]];
    const ways = { batchId, unitIds: [id], serials: [serial], codes: [token] };
    const one = {
      path: '',
      code: 'EXACTLY_ONE_OF',
      message: 'name exactly one of batchId, unitIds, serials and codes',
      params: { fields: ['batchId', 'unitIds', 'serials', 'codes'] },
    };
    expect(await refusedFor({ productId })).to.deep.equal([one]);
    expect(await refusedFor({ ...ways, productId })).to.deep.equal([one]);
    expect(await refusedFor({ serials: [serial], codes: [token], productId })).to.deep.equal([one]);
    expect(await refusedFor({ serials: [serial] })).to.deep.equal([
      { path: 'productId', code: 'REQUIRED', message: 'is needed, as a serial belongs to a product' },
    ]);
    for (const [way, value] of Object.entries(ways).filter(([name]) => name !== 'serials'))
      expect(await refusedFor({ [way]: value, productId })).to.deep.equal([
        {
          path: 'productId',
          code: 'AT_MOST_ONE_OF',
          message: `is for serials, and not for ${way}`,
          params: { fields: [way, 'productId'] },
        },
      ]);
    for (const action of ['suspend', 'activate', 'lift-recall'])
      expect(await refusedFor({ unitIds: [id], action, reason: 'Stolen' })).to.deep.equal([
        {
          path: 'reason',
          code: 'ONLY_FOR_RECALL',
          message: `is kept of a recall only, and not of ${action}`,
          params: { action },
        },
      ]);
    const theirs = await other.createProduct();
    for (const strange of [theirs.id, encodeId('prod', newUuid())])
      expect(await refusedFor({ serials: [serial], productId: strange })).to.deep.equal([
        { path: 'productId', code: 'NO_SUCH_PRODUCT', message: 'no such product' },
      ]);
    expect(await statuses(batchId)).to.deep.equal(['active']);
  });

  it('takes a thousand of them, each of them a text of some length', async () => {
    const { productId } = await org.mintUnits(1);
    const serials = Array.from({ length: 1_000 }, (_, index) => `NONE-${index}`);
    const job = await run({ action: 'suspend', productId, serials });
    expect(job).to.deep.include({ status: 'completed', refused: 1_000 });
    expect(job['problems']).to.have.length(100);
    for (const [way, extra] of [
      ['serials', { productId }],
      ['codes', {}],
    ] as const) {
      const codesOf = async (list: unknown) =>
        (await refusedFor({ [way]: list, ...extra })).map(({ path, code }: any) => [path, code]);
      expect(await codesOf([...serials, 'ONE-MORE'])).to.deep.equal([[way, 'TOO_MANY']]);
      expect(await codesOf([])).to.deep.equal([[way, 'TOO_FEW']]);
      expect(await codesOf('A1')).to.deep.equal([[way, 'WRONG_TYPE']]);
      expect(await codesOf(['A1', ' '])).to.deep.equal([[`${way}.1`, 'EMPTY']]);
      expect(await codesOf(['A'.repeat(2_001)])).to.deep.equal([[`${way}.0`, 'TOO_LONG']]);
      expect(await codesOf([17])).to.deep.equal([[`${way}.0`, 'WRONG_TYPE']]);
      expect(await codesOf(['A\0'])).to.deep.equal([[`${way}.0`, 'NUL_CHARACTER']]);
    }
  });
});
