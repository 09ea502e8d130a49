import { expect } from 'chai';
import { hiddenCodeOf } from '../../../shared/hidden-codes/hidden-code.ts';
import { decodeId } from '../../../shared/ids.ts';
import { parseToken } from '../../../shared/units/token.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { codesOf, csvLinesOf, mintCodeLists } from '../../support/artifacts.ts';

describe('hidden codes in the code lists of a barcode job', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const mint = (batchId: string) => mintCodeLists(api, org, batchId);

  it('are those that the pages of the units take, in both lists, and nowhere else', async () => {
    const batch = await org.createBatch({ quantity: 3, lot: 'L;1', hiddenCodes: true });
    expect(batch.hiddenCodes).to.equal(true);
    const artifacts = await mint(batch.id);
    const [header, ...lines] = csvLinesOf(artifacts);
    expect(header).to.equal('unitId,serial,token,address,lot,expiresOn,gs1,hiddenCode');
    const codes = codesOf(artifacts);
    const keys = api.deps.config.TOKEN_KEYS;
    for (const [n, { token, hiddenCode }] of codes.entries()) {
      expect(hiddenCode).to.equal(hiddenCodeOf(keys, parseToken(keys, token)!, keys[0].id));
      expect(lines[n]).to.match(new RegExp(`,,${hiddenCode}$`));
      const sent = { hiddenCode };
      const { body } = await api.http().post(`/v/${token}/hidden-code`).send(sent).expect(200);
      expect(body.outcome).to.equal('first');
    }
    expect(codes).to.have.length(3);
    const told = JSON.stringify([
      (await org.get(`/product-units?batchId=${batch.id}`)).body,
      (await org.get(`/batches/${batch.id}`)).body,
      (await org.get('/barcode-jobs')).body,
      (await org.get('/events')).body,
    ]);
    for (const { hiddenCode } of codes) expect(told).not.to.include(hiddenCode!);
    const manifest = JSON.parse(artifacts.get('manifest.json')!.bytes.toString());
    expect(manifest.hiddenCodes).to.equal(true);
  });

  it('are in no list of a batch without them, and in those of later jobs once it has some, for the same units', async () => {
    const batch = await org.createBatch({ quantity: 2 });
    const before = await mint(batch.id);
    expect(csvLinesOf(before)[0]).to.equal('unitId,serial,token,address,lot,expiresOn,gs1');
    expect(codesOf(before).map((line) => Object.hasOwn(line, 'hiddenCode'))).to.deep.equal([false, false]);
    await org.patch(`/batches/${batch.id}`, { hiddenCodes: true }).expect(200);
    const after = codesOf(await mint(batch.id));
    expect(after.map(({ token }) => token)).to.deep.equal(codesOf(before).map(({ token }) => token));
    expect(new Set(after.map(({ hiddenCode }) => hiddenCode))).to.have.length(2);
  });

  it('do not change while a job makes lists, nor is a failed job of before taken up again', async () => {
    const batch = await org.createBatch({ quantity: 2 });
    const job = await org.startJob(batch.id, { formats: ['svg'] });
    const refused = await org.patch(`/batches/${batch.id}`, { hiddenCodes: true }).expect(409);
    expect(refused.body.code).to.equal('CONFLICT');
    await org.patch(`/batches/${batch.id}`, { hiddenCodes: false }).expect(200);
    await api.database.pool.query(
      `update barcode_jobs set status = 'failed', finished_at = $2 where id = $1`,
      [decodeId('job', job.id), api.clock.now()],
    );
    await org.patch(`/batches/${batch.id}`, { hiddenCodes: true }).expect(200);
    const retried = await org.post(`/barcode-jobs/${job.id}/retry`).expect(409);
    expect(retried.body.detail).to.include('hidden codes');
  });

  it('are changed on condition of what was read, like all of a batch', async () => {
    const batch = await org.createBatch({ quantity: 2 });
    const change = { hiddenCodes: true, expected: { hiddenCodes: true } };
    await org.patch(`/batches/${batch.id}`, change).expect(409);
    const { body } = await org.patch(`/batches/${batch.id}`, {
      hiddenCodes: true,
      expected: { hiddenCodes: false },
    });
    expect(body.hiddenCodes).to.equal(true);
    await org.patch(`/batches/${batch.id}`, { hiddenCodes: 'yes' }).expect(422);
  });
});
