import { expect } from 'chai';
import { coalesce } from '../../shared/coalesce.ts';

describe('coalescing', () => {
  it('runs at once when idle, and once for all who ask meanwhile, after the gap', async () => {
    const log: string[] = [];
    let endRun = () => {};
    let endWait = () => {};
    const ask = coalesce({
      run: () => {
        log.push('run');
        return new Promise((resolve) => (endRun = resolve));
      },
      gapMs: 10,
      wait: (ms) => {
        log.push(`wait ${ms}`);
        return new Promise((resolve) => (endWait = resolve));
      },
    });
    const turn = () => new Promise(setImmediate);
    ask();
    expect(log).to.deep.equal(['run']);
    for (let i = 0; i < 5; i += 1) ask();
    endRun();
    await turn();
    expect(log).to.deep.equal(['run', 'wait 10']);
    ask();
    endWait();
    await turn();
    expect(log).to.deep.equal(['run', 'wait 10', 'run']);
    endRun();
    await turn();
    expect(log).to.have.length(3);
    ask();
    expect(log.at(-1)).to.equal('run');
    expect(log).to.have.length(4);
  });
});
