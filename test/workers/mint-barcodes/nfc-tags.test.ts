import { expect } from 'chai';
import { decodeId } from '../../../shared/ids.ts';
import { tagKeysOf } from '../../../shared/nfc/tag-keys.ts';
import { parseToken } from '../../../shared/units/token.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { codesOf, csvLinesOf, mintCodeLists } from '../../support/artifacts.ts';
import { createTag } from '../../support/nfc-tag.ts';

describe('NFC tags in the code lists of a barcode job', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const mint = (batchId: string) => mintCodeLists(api, org, batchId);

  it('have address and keys of each unit’s own, with which a tag’s taps are fresh, in both lists and nowhere else', async () => {
    const batch = await org.createBatch({ quantity: 3, lot: 'L;1', nfcTags: true });
    expect(batch.nfcTags).to.equal(true);
    const artifacts = await mint(batch.id);
    const [header, ...lines] = csvLinesOf(artifacts);
    expect(header).to.equal('unitId,serial,token,address,lot,expiresOn,gs1,nfcUrl,nfcKey,nfcMasterKey');
    const codes = codesOf(artifacts);
    const ring = api.deps.config.TOKEN_KEYS;
    for (const [n, { token, address, nfcUrl, nfcKey, nfcMasterKey }] of codes.entries()) {
      const keys = tagKeysOf(ring, parseToken(ring, token)!, ring[0].id);
      expect([nfcKey, nfcMasterKey]).to.deep.equal([keys.read.toString('hex'), keys.master.toString('hex')]);
      expect(lines[n]!.endsWith(`,,${nfcUrl},${nfcKey},${nfcMasterKey}`)).to.equal(true);
      // As an encoder has the tag write over the zeros.
      const [page, query] = nfcUrl!.split('?') as [string, string];
      // Phones look for small letters, printed codes have capitals.
      expect(page).to.equal(`${new URL(address).origin}/v/${token}`);
      const tap = createTag(Buffer.from(nfcKey!, 'hex')).tap();
      expect(tap.replaceAll(/=[0-9A-F]+/g, (value) => `=${'0'.repeat(value.length - 1)}`)).to.equal(query);
      const { body } = await api
        .http()
        .get(`${new URL(page).pathname}?${tap}`)
        .expect(200);
      expect(body.nfcTap).to.deep.equal({ outcome: 'fresh', counter: 1, staleSince: null });
    }
    expect(new Set(codes.flatMap(({ nfcKey, nfcMasterKey }) => [nfcKey, nfcMasterKey]))).to.have.length(6);
    const told = JSON.stringify([
      (await org.get(`/product-units?batchId=${batch.id}`)).body,
      (await org.get(`/batches/${batch.id}`)).body,
      (await org.get('/barcode-jobs')).body,
      (await org.get('/events')).body,
    ]);
    for (const { nfcKey, nfcMasterKey } of codes)
      for (const key of [nfcKey!, nfcMasterKey!]) expect(told).not.to.include(key);
    expect(JSON.parse(artifacts.get('manifest.json')!.bytes.toString()).nfcTags).to.equal(true);
  });

  it('come after the hidden codes where packages have both', async () => {
    const batch = await org.createBatch({ quantity: 1, hiddenCodes: true, nfcTags: true });
    const [header, line] = csvLinesOf(await mint(batch.id));
    expect(header).to.match(/,gs1,hiddenCode,nfcUrl,nfcKey,nfcMasterKey$/);
    expect(line!.split(',')).to.have.length(header!.split(',').length);
  });

  it('are in no list of a batch without them, and in those of later jobs once it has some, for the same units', async () => {
    const batch = await org.createBatch({ quantity: 2 });
    const before = codesOf(await mint(batch.id));
    expect(before.map((line) => Object.keys(line).filter((name) => name.startsWith('nfc')))).to.deep.equal([
      [],
      [],
    ]);
    await org.patch(`/batches/${batch.id}`, { nfcTags: true }).expect(200);
    // What else is corrected leaves them.
    expect((await org.patch(`/batches/${batch.id}`, { lot: 'L2' }).expect(200)).body.nfcTags).to.equal(true);
    const listed = (await org.get(`/batches?productId=${batch.productId}`).expect(200)).body.data;
    expect(listed.map(({ id, nfcTags }: any) => [id, nfcTags])).to.deep.equal([[batch.id, true]]);
    const after = codesOf(await mint(batch.id));
    expect(after.map(({ token }) => token)).to.deep.equal(before.map(({ token }) => token));
    expect(new Set(after.map(({ nfcKey }) => nfcKey))).to.have.length(2);
  });

  it('do not change while a job makes lists, nor is a failed job of before taken up again', async () => {
    const batch = await org.createBatch({ quantity: 2 });
    const job = await org.startJob(batch.id, { formats: ['svg'] });
    const refused = await org.patch(`/batches/${batch.id}`, { nfcTags: true }).expect(409);
    expect(refused.body.code).to.equal('CONFLICT');
    await org.patch(`/batches/${batch.id}`, { nfcTags: false }).expect(200);
    await api.database.pool.query(
      `update barcode_jobs set status = 'failed', finished_at = $2 where id = $1`,
      [decodeId('job', job.id), api.clock.now()],
    );
    const change = { nfcTags: true, expected: { nfcTags: true } };
    await org.patch(`/batches/${batch.id}`, change).expect(409);
    await org.patch(`/batches/${batch.id}`, { ...change, expected: { nfcTags: false } }).expect(200);
    const retried = await org.post(`/barcode-jobs/${job.id}/retry`).expect(409);
    expect(retried.body.detail).to.include('NFC tags');
    await org.patch(`/batches/${batch.id}`, { nfcTags: 'yes' }).expect(422);
  });
});
