import { expect } from 'chai';
import { removeEach } from '../../../shared/storage/removal.ts';

/** Owners whose files lie somewhere; those of `stuck` cannot be removed. */
function attic(owners: readonly string[], stuck: ReadonlySet<string>) {
  const left = new Set(owners);
  const tried: string[] = [];
  const run = () =>
    removeEach(
      async (limit, except) => [...left].filter((owner) => !except.includes(owner)).slice(0, limit),
      async (owner) => {
        tried.push(owner);
        if (stuck.has(owner)) throw new Error(`${owner} is stuck`);
        left.delete(owner);
      },
    );
  return { left, tried, run };
}

const named = (count: number) => Array.from({ length: count }, (_, index) => `owner-${index}`);
const failureOf = (run: Promise<unknown>): Promise<Error> =>
  run.then(
    () => expect.fail('it did not fail'),
    (error: Error) => error,
  );

describe('removal of files', () => {
  it('removes those of every owner, however many', async () => {
    const { left, run } = attic(named(250), new Set());
    expect(await run()).to.equal(250);
    expect([...left]).to.deep.equal([]);
    expect(await run()).to.equal(0);
  });

  it('tries what fails once in a run, and removes all that is younger', async () => {
    const stuck = named(250).filter((_, index) => index % 20 < 19);
    const { left, tried, run } = attic(named(250), new Set(stuck));
    const { message, cause } = await failureOf(run());
    expect(message).to.equal(`files of ${stuck.length} were not removed, first of owner-0`);
    expect((cause as Error).message).to.equal('owner-0 is stuck');
    expect([...left]).to.deep.equal(stuck);
    expect(tried).to.have.length(250);
  });

  it('asks a storage that is away twenty times, not for every owner', async () => {
    const { tried, run } = attic(named(250), new Set(named(250)));
    expect((await failureOf(run())).message).to.include('files of 20 were not removed');
    expect(tried).to.have.length(20);
  });
});
