import { execFile } from 'node:child_process';
import { expect } from 'chai';
import { BadOption, numberOf, numbersOf } from '../../bench/lib/options.ts';
import { packageRoot } from '../../shared/package-root.ts';

/** A benchmark that is asked for what it cannot do: nothing is started for it. */
const refused = (...args: string[]) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const program = ['--import', 'tsx', 'bench/main.ts', ...args, '--json'];
    const options = { cwd: packageRoot, timeout: 20_000 };
    execFile(process.execPath, program, options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

describe('options of benchmarks', function () {
  this.timeout(60_000);

  it('are numbers within their bounds, or refused in words', () => {
    expect(numberOf('--units', '60000')).to.equal(60_000);
    expect(numberOf('--unknown', '0.6', { least: 0, most: 1, fraction: true })).to.equal(0.6);
    expect(numbersOf('--thresholds', '54,60.5', { fraction: true })).to.deep.equal([54, 60.5]);
    for (const text of ['', 'abc', '0', '-5', '1.5', '1e400', '10k'])
      expect(() => numberOf('--units', text)).to.throw(
        BadOption,
        `--units: "${text}" is not a whole number from 1 on`,
      );
    expect(() => numberOf('--unknown', '60', { least: 0, most: 1, fraction: true })).to.throw(
      BadOption,
      '--unknown: "60" is not a number from 0 to 1',
    );
    expect(() => numbersOf('--history', '1000,')).to.throw(BadOption, '--history: ""');
  });

  for (const [args, words] of [
    [['risk', '--units', 'abc'], 'npm run bench -- risk: --units: "abc" is not a whole number from 1 on\n'],
    [['risk', '--traces', 'village'], 'npm run bench -- risk: --traces: one of journeys, hold-out'],
    [['verify', '--rate', '1k'], 'npm run bench -- verify: --rate: "1k" is not a whole number from 1 on\n'],
    [['units', '--unit', '10'], "npm run bench -- units: Unknown option '--unit'"],
    [['mint', '--sizes', '10k'], 'npm run bench -- mint: --sizes: "10k"'],
  ] as const)
    it(`end ${args.join(' ')} before anything is measured`, async () => {
      const { code, stdout, stderr } = await refused(...args);
      expect(stderr).to.match(new RegExp(`^${words.replace(/[.*+?()[\]\\]/g, '\\$&')}`));
      expect(stderr).to.not.include('    at ');
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    });
});
