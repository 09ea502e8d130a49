import { expect } from 'chai';
import { createBreaker } from '../../../shared/rate-limits/breaker.ts';

describe('the breaker before Redis', () => {
  let now: number;
  let asked: number;
  beforeEach(() => {
    now = 0;
    asked = 0;
  });

  const here = () => 'here';
  const answers = async () => {
    asked += 1;
    return 'Redis';
  };
  const fails = async (): Promise<string> => {
    asked += 1;
    throw new Error('away');
  };

  it('asks each time while Redis answers', async () => {
    const either = createBreaker(() => now);
    for (let i = 1; i <= 3; i += 1) {
      expect(await either(answers, here)).to.equal('Redis');
      expect(asked).to.equal(i);
    }
  });

  it('leaves one that is away alone for a second, then twice as long each time, half a minute at the most', async () => {
    const either = createBreaker(() => now);
    expect(await either(fails, here)).to.equal('here');
    for (const pause of [1, 2, 4, 8, 16, 30, 30]) {
      const before = asked;
      now += pause * 1000 - 1;
      expect(await either(fails, here)).to.equal('here');
      expect(asked, `within ${pause} s`).to.equal(before);
      now += 1;
      expect(await either(fails, here)).to.equal('here');
      expect(asked, `after ${pause} s`).to.equal(before + 1);
    }
    now += 30_000;
    expect(await either(answers, here)).to.equal('Redis');
    expect(await either(answers, here)).to.equal('Redis');
    expect(await either(fails, here)).to.equal('here');
    now += 1_000;
    expect(await either(answers, here), 'the pause is the shortest again').to.equal('Redis');
  });

  it('has one request find out for all, and no other wait', async () => {
    const either = createBreaker(() => now);
    await either(fails, here);
    now += 1_000;
    let goOn: (answer: string) => void = () => undefined;
    const first = either(() => new Promise<string>((resolve) => (goOn = resolve)), here);
    expect(await either(answers, here)).to.equal('here');
    expect(asked).to.equal(1);
    goOn('at last');
    expect(await first).to.equal('at last');
    expect(await either(answers, here)).to.equal('Redis');
  });

  it('makes one pause of several that fail at once', async () => {
    const either = createBreaker(() => now);
    await Promise.all([either(fails, here), either(fails, here), either(fails, here)]);
    expect(asked).to.equal(3);
    now += 1_000;
    expect(await either(answers, here)).to.equal('Redis');
  });

  it('waits for one that hangs for a third of a second, and throws what is wrong here', async () => {
    const either = createBreaker(() => now);
    expect(await either(() => new Promise<string>(() => undefined), here)).to.equal('here');
    const wrong = async () => {
      throw new Error('here as well');
    };
    const error = await either(answers, wrong).catch((thrown: Error) => thrown.message);
    expect(error).to.equal('here as well');
  });
});
