import { expect } from 'chai';
import { createBatcher } from '../../shared/batcher.ts';

/** Runs that end when the test says so. */
function controlled() {
  const runs: { items: number[]; finish: () => void; fail: (error: Error) => void }[] = [];
  const run = (items: number[]) =>
    new Promise<number[]>((resolve, reject) => {
      runs.push({ items, finish: () => resolve(items.map((item) => item * 10)), fail: reject });
    });
  return { runs, run };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the batcher', () => {
  it('takes what arrives in one turn together, and gives each its own result', async () => {
    const { runs, run } = controlled();
    const call = createBatcher({ run, maxItems: 10, concurrency: 1 });
    const results = Promise.all([call(1), call(2), call(3)]);
    await turn();
    expect(runs.map(({ items }) => items)).to.deep.equal([[1, 2, 3]]);
    runs[0]!.finish();
    expect(await results).to.deep.equal([10, 20, 30]);
  });

  it('gathers what arrives during a run for the next one, up to its limits', async () => {
    const { runs, run } = controlled();
    const call = createBatcher({ run, maxItems: 2, concurrency: 1 });
    const first = call(1);
    await turn();
    const rest = Promise.all([call(2), call(3), call(4)]);
    await turn();
    expect(runs).to.have.length(1);
    runs[0]!.finish();
    await first;
    await turn();
    runs[1]!.finish();
    await turn();
    runs[2]!.finish();
    expect(await rest).to.deep.equal([20, 30, 40]);
    expect(runs.map(({ items }) => items)).to.deep.equal([[1], [2, 3], [4]]);
  });

  it('runs as many at a time as it may, and no more', async () => {
    const { runs, run } = controlled();
    const call = createBatcher({ run, maxItems: 1, concurrency: 2 });
    const results = Promise.all([1, 2, 3].map(call));
    await turn();
    expect(runs).to.have.length(2);
    for (const { finish } of runs) finish();
    await turn();
    runs[2]!.finish();
    expect(await results).to.deep.equal([10, 20, 30]);
  });

  it('lets calls gather between the beginnings of two runs, and keeps none waiting for a gap that is over', async () => {
    const { runs, run } = controlled();
    const gaps: { ms: number; end: () => void }[] = [];
    const wait = (ms: number) => new Promise<void>((end) => gaps.push({ ms, end }));
    const call = createBatcher({ run, maxItems: 10, concurrency: 2, gap: { ms: 4, wait } });
    const results = [call(1)];
    await turn();
    expect(runs.map(({ items }) => items)).to.deep.equal([[1]]);
    results.push(call(2));
    await turn();
    runs[0]!.finish();
    results.push(call(3));
    await turn();
    expect(runs).to.have.length(1);
    expect(gaps.map(({ ms }) => ms)).to.deep.equal([4]);
    gaps[0]!.end();
    await turn();
    expect(runs[1]!.items).to.deep.equal([2, 3]);
    gaps[1]!.end();
    await turn();
    results.push(call(4));
    await turn();
    expect(runs[2]!.items).to.deep.equal([4]);
    for (const { finish } of runs) finish();
    expect(await Promise.all(results)).to.deep.equal([10, 20, 30, 40]);
  });

  it('lets the gap grow to what runs take, up to its limit, and shrink again', async () => {
    const { runs, run } = controlled();
    const gaps: { ms: number; end: () => void }[] = [];
    const wait = (ms: number) => new Promise<void>((end) => gaps.push({ ms, end }));
    let now = 0;
    const gap = { ms: 4, maxMs: 12, wait, nowMs: () => now };
    const call = createBatcher({ run, maxItems: 10, concurrency: 1, gap });
    const runOf = async (ms: number) => {
      const result = call(1);
      await turn();
      now += ms;
      runs.at(-1)!.finish();
      await result;
      gaps.at(-1)!.end();
      await turn();
    };
    for (let i = 0; i < 30; i += 1) await runOf(8);
    expect(gaps[0]!.ms).to.equal(4);
    expect(gaps.at(-1)!.ms).to.equal(8);
    for (let i = 0; i < 30; i += 1) await runOf(50);
    expect(gaps.at(-1)!.ms).to.equal(12);
    for (let i = 0; i < 40; i += 1) await runOf(1);
    expect(gaps.at(-1)!.ms).to.equal(4);
  });

  it('fails those of the batch that failed, and goes on', async () => {
    const { runs, run } = controlled();
    const call = createBatcher({ run, maxItems: 2, concurrency: 1 });
    const settled = Promise.allSettled([call(1), call(2), call(3)]);
    await turn();
    runs[0]!.fail(new Error('no'));
    await turn();
    runs[1]!.finish();
    expect((await settled).map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'fulfilled']);
  });

  it('takes a run that returns too few results for a failure, not for somebody else’s result', async () => {
    const call = createBatcher<number, number>({ run: async () => [1], maxItems: 5, concurrency: 1 });
    const settled = await Promise.allSettled([call(1), call(2)]);
    expect(settled.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
  });
});
