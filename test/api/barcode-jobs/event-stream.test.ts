import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { MOST_STREAMS_OF_ORGANIZATION } from '../../../api/barcode-jobs/event-stream.ts';
import { decodeId } from '../../../shared/ids.ts';
import { mintBarcodes } from '../../../workers/mint-barcodes/processor.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { expectProblem } from '../../support/problem.ts';

interface StreamEvent {
  id: string;
  event: string;
  data: any;
}

describe('watching a barcode job', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi({ env: { MINT_CHUNK_UNITS: '2' } });
    org = await api.createOrganization();
  });
  after(() => api.close());

  const open = (jobId: string, headers: Record<string, string> = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { port } = api.server.address() as AddressInfo;
      get(
        { port, path: `/api/v1/barcode-jobs/${jobId}/events`, headers: { 'X-Api-Key': org.key, ...headers } },
        resolve,
      ).on('error', reject);
    });
  /** Events as they come, to the end of the stream. */
  async function* eventsOf(stream: IncomingMessage): AsyncGenerator<StreamEvent> {
    let text = '';
    for await (const chunk of stream) {
      text += String(chunk);
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const fields = Object.fromEntries(
          block
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        );
        if (fields['data'] !== undefined)
          yield { id: fields['id']!, event: fields['event']!, data: JSON.parse(fields['data']) };
      }
    }
  }

  it('answers a HEAD at once, with the head of the stream', async () => {
    const job = await org.startJob((await org.createBatch()).id);
    const { headers } = await api
      .http()
      .head(`/api/v1/barcode-jobs/${job.id}/events`)
      .set('X-Api-Key', org.key)
      .timeout(2_000)
      .expect(200);
    expect(headers['content-type']).to.equal('text/event-stream; charset=utf-8');
  });

  it('tells the job at once, each step, and its end, and closes', async () => {
    const batch = await org.createBatch({ quantity: 6 });
    const job = await org.startJob(batch.id);
    const stream = await open(job.id);
    expect(stream.headers).to.include({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    const mint = mintBarcodes(api.workerDeps);
    const seen: StreamEvent[] = [];
    let minted = 0;
    for await (const event of eventsOf(stream)) {
      // Looked at in the middle of a step, the job runs and has no more done.
      if (event.data.progress.done < minted) continue;
      seen.push(event);
      // The next step only when the last was told: so each of them must be.
      await mint({ jobId: decodeId('job', job.id)!, slot: 1 });
      minted = Math.min(minted + 2, 6);
    }
    expect(seen.map(({ event, data }) => [event, data.status, data.progress.done])).to.deep.equal([
      ['progress', 'queued', 0],
      ['progress', 'running', 2],
      ['progress', 'running', 4],
      ['progress', 'running', 6],
      ['end', 'completed', 6],
    ]);
    const last = seen.at(-1)!;
    expect(last.id).to.equal('end');
    expect(last.data.artifacts).to.have.length(6);
  });

  it('gives one who comes back the job as it is, and nothing to one who has had the end', async () => {
    const { jobId } = await org.mintUnits(2);
    const events: StreamEvent[] = [];
    for await (const event of eventsOf(await open(jobId, { 'Last-Event-ID': '1' }))) events.push(event);
    expect(events.map(({ event, id }) => [event, id])).to.deep.equal([['end', 'end']]);
    const again = await open(jobId, { 'Last-Event-ID': 'end' });
    expect(again.statusCode).to.equal(204);
    again.resume();
  });

  it('stops looking when the watcher goes away', async () => {
    const job = await org.startJob((await org.createBatch()).id);
    const stream = await open(job.id);
    await eventsOf(stream).next();
    stream.destroy();
    await org.post(`/barcode-jobs/${job.id}/cancel`).expect(200);
    const events: StreamEvent[] = [];
    for await (const event of eventsOf(await open(job.id))) events.push(event);
    expect(events.map(({ data }) => data.status)).to.deep.equal(['cancelled']);
  });

  it('is kept from others by no organization that watches as often as it may', async () => {
    // Of its own: streams of the tests before may still be ending.
    const eager = await api.createOrganization();
    const job = await eager.startJob((await eager.createBatch()).id);
    const watch = () => open(job.id, { 'X-Api-Key': eager.key });
    const watchers = await Promise.all(Array.from({ length: MOST_STREAMS_OF_ORGANIZATION }, watch));
    try {
      expect(watchers.every(({ statusCode }) => statusCode === 200)).to.equal(true);
      const refused = await eager.get(`/barcode-jobs/${job.id}/events`);
      expect(expectProblem(refused, 'RATE_LIMITED').detail).to.include('poll the job');
      expect(refused.headers).to.have.property('retry-after');
      const other = await api.createOrganization();
      const theirs = await other.startJob((await other.createBatch()).id);
      const stream = await open(theirs.id, { 'X-Api-Key': other.key });
      expect(stream.statusCode).to.equal(200);
      stream.destroy();
      watchers.pop()!.destroy();
      await eventually('a place that is free again', async () => {
        const next = await watch();
        watchers.push(next);
        return next.statusCode === 200;
      });
    } finally {
      for (const watcher of watchers) watcher.destroy();
    }
  });

  it('is for the organization alone', async () => {
    const { jobId } = await org.mintUnits();
    const stranger = await api.createOrganization();
    expectProblem(await stranger.get(`/barcode-jobs/${jobId}/events`), 'NOT_FOUND');
  });
});
