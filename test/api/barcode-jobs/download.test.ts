import { createHash } from 'node:crypto';
import { renameSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { decodeId } from '../../../shared/ids.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { expectProblem } from '../../support/problem.ts';

describe('downloading artifacts', () => {
  let api: TestApi;
  let org: TestOrganization;
  let jobId: string;
  let codes: { url: string; bytes: number; sha256: string; name: string };

  const artifact = async (name: string) =>
    (await org.get(`/barcode-jobs/${jobId}`)).body.artifacts.find(
      (one: { name: string }) => one.name === name,
    );
  const local = (url: string) => url.replace('https://verify.example.com', '');
  const download = (url: string) =>
    api
      .http()
      .get(local(url))
      .buffer(true)
      .parse((res, done) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => done(null, Buffer.concat(chunks)));
      });

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    ({ jobId } = await org.mintUnits(4, { batch: { lot: '=1+1' } }));
  });
  beforeEach(async () => {
    codes = await artifact('codes.csv');
  });
  after(() => api.close());

  it('serves the very bytes that the job says, without a key', async () => {
    for (const name of ['codes.csv', 'manifest.json', 'images-0001.zip']) {
      const { url, bytes, sha256 } = await artifact(name);
      const { body, headers } = await download(url).expect(200);
      expect(body.length).to.equal(bytes);
      expect(createHash('sha256').update(body).digest('hex')).to.equal(sha256);
      expect(headers).to.include({
        'content-length': String(bytes),
        'accept-ranges': 'bytes',
        'content-disposition': `attachment; filename="${name}"`,
        etag: `"${sha256}"`,
        'x-content-type-options': 'nosniff',
      });
    }
  });

  it('keeps a lot from being a formula in a spreadsheet', async () => {
    const { body } = await download(codes.url).expect(200);
    const [header, ...lines] = body.toString().trim().split('\n');
    expect(header).to.equal('unitId,serial,token,address,lot,expiresOn,gs1');
    expect(lines).to.have.length(4);
    for (const line of lines) expect(line).to.match(/,"'=1\+1",,$/);
  });

  it('resumes: any range is that part of the whole', async () => {
    const { body: whole } = await download(codes.url).expect(200);
    const { bytes } = codes;
    const ranges: [string, number, number][] = [
      ['bytes=0-9', 0, 9],
      ['bytes=10-', 10, bytes - 1],
      ['bytes=-7', bytes - 7, bytes - 1],
      [`bytes=5-${bytes + 1000}`, 5, bytes - 1],
      [`bytes=-${bytes + 1000}`, 0, bytes - 1],
    ];
    for (const [range, start, end] of ranges) {
      const part = await download(codes.url).set('Range', range).expect(206);
      expect(part.headers['content-range'], range).to.equal(`bytes ${start}-${end}/${bytes}`);
      expect(part.headers['content-length']).to.equal(String(end - start + 1));
      expect(part.body.equals(whole.subarray(start, end + 1)), range).to.equal(true);
    }
  });

  it('refuses a range beyond the end, and ignores what it need not understand', async () => {
    for (const range of [`bytes=${codes.bytes}-`, 'bytes=9-3', 'bytes=-0', `bytes=${'9'.repeat(400)}-`]) {
      const { headers } = await download(codes.url).set('Range', range).expect(416);
      expect(headers['content-range']).to.equal(`bytes */${codes.bytes}`);
    }
    for (const range of ['bytes=0-1,4-5', 'lines=1-2', 'bytes=-', 'bytes=a-b']) {
      await download(codes.url).set('Range', range).expect(200);
    }
  });

  it('sends the whole file where a range is of another one, and heeds no range of a HEAD', async () => {
    const range = 'bytes=0-9';
    const same = { Range: range, 'If-Range': `"${codes.sha256}"` };
    await download(codes.url).set(same).expect(206);
    const other = { Range: range, 'If-Range': '"of another file"' };
    const { body } = await download(codes.url).set(other).expect(200);
    expect(body.length).to.equal(codes.bytes);
    const head = await api.http().head(local(codes.url)).set('Range', range).expect(200);
    expect(head.headers['content-length']).to.equal(String(codes.bytes));
  });

  it('answers HEAD and a known ETag without the bytes', async () => {
    const head = await api.http().head(local(codes.url)).expect(200);
    expect(head.headers['content-length']).to.equal(String(codes.bytes));
    const fresh = await download(codes.url).set('If-None-Match', `"${codes.sha256}"`).expect(304);
    expect(fresh.body.length).to.equal(0);
  });

  it('refuses a link that has expired, at the very second', async () => {
    const expires = Number(new URL(codes.url).searchParams.get('expires'));
    const now = api.clock.now();
    expect(expires).to.equal(now.getTime() / 1000 + api.deps.config.ARTIFACT_LINK_SECONDS);
    api.clock.set(new Date(expires * 1000 - 1));
    await download(codes.url).expect(200);
    api.clock.set(new Date(expires * 1000));
    expectProblem(await api.http().get(local(codes.url)), 'FORBIDDEN');
    api.clock.set(now);
  });

  it('refuses a link that was tampered with', async () => {
    const original = new URL(codes.url);
    const tamper = (change: (url: URL) => void): string => {
      const url = new URL(original);
      change(url);
      return url.pathname + url.search;
    };
    const other = (await org.mintUnits()).jobId;
    const signature = original.searchParams.get('signature')!;
    const tampered = [
      tamper((url) => url.searchParams.set('expires', String(4_000_000_000))),
      tamper((url) => url.searchParams.delete('expires')),
      tamper((url) => url.searchParams.delete('signature')),
      tamper((url) =>
        url.searchParams.set(
          'signature',
          signature.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')),
        ),
      ),
      tamper((url) => url.searchParams.set('signature', '')),
      tamper((url) => url.searchParams.append('signature', signature)),
      tamper((url) => (url.pathname = url.pathname.replace('codes.csv', 'manifest.json'))),
      tamper((url) => (url.pathname = url.pathname.replace(jobId, other))),
      tamper((url) => (url.pathname = url.pathname.replace('codes.csv', '..%2f..%2fcodes.csv'))),
    ];
    for (const path of tampered) expectProblem(await api.http().get(path), 'FORBIDDEN');
  });

  it('answers with a problem where the file is gone, and not as if it were the file, and tells the operator', async () => {
    const { rows } = await api.database.pool.query<{ storage_key: string }>(
      'select storage_key from barcode_artifacts where job_id = $1 and name = $2',
      [decodeId('job', jobId), 'codes.csv'],
    );
    const file = path.join(api.deps.config.STORAGE_DIR, rows[0]!.storage_key);
    renameSync(file, `${file}.away`);
    try {
      for (const range of [undefined, 'bytes=0-9']) {
        const asked = api.http().get(local(codes.url));
        const answer = await (range === undefined ? asked : asked.set('Range', range));
        expect(expectProblem(answer, 'NOT_FOUND').requestId).to.equal(answer.headers['x-request-id']);
        expect(answer.headers).to.not.have.any.keys('etag', 'content-disposition', 'content-range');
        expect(answer.headers['cache-control']).to.equal('no-store');
        expect(answer.text).not.to.include(rows[0]!.storage_key);
      }
      expect(api.logs.join('')).to.include('a file is gone from the storage');
    } finally {
      renameSync(`${file}.away`, file);
    }
    await download(codes.url).expect(200);
  });

  it('has nothing to give before the job is completed, however well the link is signed', async () => {
    const job = await org.startJob((await org.createBatch()).id);
    const url = api.deps.links.sign(job.id, 'codes.csv', new Date(api.clock.now().getTime() + 60_000));
    expectProblem(await api.http().get(local(url)), 'NOT_FOUND');
  });
});
