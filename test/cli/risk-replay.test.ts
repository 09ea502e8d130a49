import { expect } from 'chai';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProgram } from '../support/processes.ts';

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** @param zone of the machine */
function replay(args: string[], stdin = '', zone = 'UTC'): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [builtProgram('cli/risk-replay.js'), ...args],
      { cwd: join(import.meta.dirname, '../..'), env: { ...process.env, TZ: zone }, maxBuffer: 1 << 26 },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
    // It stops to read at what it refuses.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(stdin);
  });
}

const line = (fields: Record<string, unknown>) =>
  JSON.stringify({
    unitId: 'u',
    markets: ['FR'],
    activatedAt: null,
    lat: null,
    lon: null,
    accuracyKm: null,
    country: null,
    sessionId: null,
    ...fields,
  });
const PARIS = { lat: 48.86, lon: 2.35, accuracyKm: 10, country: 'FR' };
const TOKYO = { lat: 35.68, lon: 139.69, accuracyKm: 15, country: 'JP' };

describe('risk replay', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'risk-replay-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('judges a unit abroad by the others of its batch, where the lines name it', async () => {
    const home = [1, 2, 3, 4].map((unit) =>
      line({ scanId: unit, unitId: unit, at: unit, batchId: 'lot', sessionId: `s${unit}`, ...PARIS }),
    );
    const abroad = line({ scanId: 5, unitId: 5, at: 5, batchId: 'lot', sessionId: 's5', ...TOKYO });
    const alone = line({ scanId: 6, unitId: 6, at: 6, sessionId: 's6', ...TOKYO });
    const { stdout } = await replay(['--input', '-'], `${[...home, abroad, alone].join('\n')}\n`);
    const results = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text).result);
    expect(results.slice(4)).to.deep.equal(['genuine', 'diverted']);
  });

  it('answers each line with the score, the result and the signals, unit by unit', async () => {
    const input = [
      line({ scanId: '1', at: '2026-01-01T00:00:00Z', sessionId: 'a', ...PARIS }),
      line({ scanId: '2', unitId: 'other', at: '2026-01-01T00:00:10Z', sessionId: 'b', ...TOKYO }),
      line({ scanId: '3', at: Date.UTC(2026, 0, 1, 0, 0, 30), sessionId: 'c', ...TOKYO }),
      line({ scanId: '4', unitId: 'third', at: '2026-01-01T00:01:00Z' }),
    ];
    const { code, stdout } = await replay(['--input', '-'], `${input.join('\n')}\n`);
    expect(code).to.equal(0);
    const answers = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(answers.map(({ scanId, result }) => [scanId, result])).to.deep.equal([
      ['1', 'genuine'],
      ['2', 'diverted'],
      ['3', 'suspicious'],
      ['4', 'genuine'],
    ]);
    expect(answers[2].signals[0].type).to.equal('impossible_travel');
    expect(answers[0]).to.have.all.keys('scanId', 'score', 'result', 'signals');
  });

  it('applies a policy file, and names what is wrong with one', async () => {
    const [input, policy, bad] = ['scans.jsonl', 'policy.json', 'bad.json'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    await writeFile(input, line({ scanId: '1', at: '2026-01-01T00:00:00Z', sessionId: 'a', ...TOKYO }));
    await writeFile(policy, '{"diversion":{"enabled":false}}');
    await writeFile(bad, '{"diversion":{"enabled":"no"}}');
    expect(JSON.parse((await replay(['--input', input, '--policy', policy])).stdout).result).to.equal(
      'genuine',
    );
    const refused = await replay(['--input', input, '--policy', bad]);
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.contain('diversion.enabled');

    const broken = join(folder, 'broken.json');
    await writeFile(broken, 'diversion: off');
    for (const file of [broken, join(folder, 'missing.json')]) {
      const { code, stderr } = await replay(['--input', input, '--policy', file]);
      expect(code).to.equal(1);
      expect(stderr.startsWith(`policy ${file}: `), stderr).to.equal(true);
    }
    await writeFile(bad, '{"thresholds":{"medium":90,"suspicious":20}}');
    const crossing = await replay(['--input', input, '--policy', bad]);
    expect(crossing).to.deep.include({ code: 1, stdout: '' });
    expect(crossing.stderr).to.contain(bad).and.contain('thresholds.medium');
  });

  it('takes a time without an offset for UTC’s, in whatever zone it runs', async () => {
    const noon = '2026-01-01T12:00:00';
    const lines = [noon, `${noon}Z`, noon, '2026-01-01T13:00:00+01:00'].map((at, scanId) =>
      line({ scanId, at }),
    );
    // West of Greenwich a local noon would be after the next line, east of it before the line that precedes it.
    for (const zone of ['America/New_York', 'Asia/Tokyo']) {
      const { code, stdout, stderr } = await replay(['--input', '-'], `${lines.join('\n')}\n`, zone);
      expect({ code, stderr }, zone).to.deep.equal({ code: 0, stderr: '' });
      expect(stdout.trim().split('\n')).to.have.length(4);
    }
  });

  it('answers every line in its order, however many parts the file is read in, up to the first that is late', async () => {
    const input = join(folder, 'long.jsonl');
    const lines = Array.from({ length: 20_000 }, (_, i) =>
      line({ scanId: i, unitId: i % 5_000, at: 1_767_225_600_000 + i * 60_000, sessionId: i, ...PARIS }),
    );
    lines.push(line({ scanId: 'late', unitId: 0, at: 1_767_225_600_000 }));
    // Without an end of the last line, and with the line ends of Windows.
    await writeFile(input, [...lines, line({ scanId: 'after', at: 1_800_000_000_000 })].join('\r\n'));
    const { code, stdout, stderr } = await replay(['--input', input]);
    expect(stderr).to.match(/^line 20001: at: /);
    expect(code).to.equal(1);
    const answered = stdout.trim().split('\n');
    expect(answered.map((text) => JSON.parse(text).scanId)).to.deep.equal([...Array(20_000).keys()]);
  });

  it('reads what editors of Windows write: a mark before the first line, blank lines, line ends of two', async () => {
    const policy = join(folder, 'policy.json');
    await writeFile(policy, '\uFEFF{"diversion":{"enabled":false}}');
    const input = [1, 2].map((scanId) => line({ scanId, at: scanId, ...TOKYO }));
    const text = `\uFEFF${input.join('\r\n   \r\n')}\r\n`;
    const { code, stdout, stderr } = await replay(['--input', '-', '--policy', policy], text);
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout.match(/"result":"genuine"/g)).to.have.length(2);
  });

  it('stops at a line that is no UTF-8, of which two ids would be read as one', async () => {
    const texts = ['Löwe', 'caf\xE9', 'caf\xE8'].map((unitId, scanId) =>
      line({ scanId, unitId, at: scanId, ...PARIS }),
    );
    const encoded = texts.map((text, index) => Buffer.from(`${text}\n`, index === 0 ? 'utf8' : 'latin1'));
    for (const bytes of [Buffer.concat(encoded), Buffer.concat(encoded).subarray(0, -1)]) {
      const input = join(folder, 'windows.jsonl');
      await writeFile(input, bytes);
      const { code, stdout, stderr } = await replay(['--input', input]);
      expect({ code, stderr }).to.deep.equal({ code: 1, stderr: 'line 2: not UTF-8\n' });
      expect(stdout.trim().split('\n')).to.have.length(1);
    }
  });

  it('warns once of a country that there is not, and goes on', async () => {
    const input = ['UK', 'uk'].map((market, i) =>
      line({ scanId: i, at: i, ...PARIS, markets: ['FR', market] }),
    );
    const { code, stdout, stderr } = await replay(['--input', '-'], input.join('\n'));
    expect([code, stdout.split('\n').length]).to.deep.equal([0, 3]);
    expect(stderr).to.equal('warning: line 1: markets: UK is no country code of ISO 3166-1\n');
  });

  it('warns once of lines that have half a position, and takes them as without one', async () => {
    const half = { lat: 48.85, lon: null, accuracyKm: 16, country: 'FR' };
    const input = [1, 2].map((scanId) => line({ scanId, at: scanId, ...half }));
    const { code, stdout, stderr } = await replay(['--input', '-'], input.join('\n'));
    expect([code, stdout.split('\n').length]).to.deep.equal([0, 3]);
    expect(stderr).to.equal('warning: line 1: lat: half a position is none\n');
  });

  it('says that it cannot write', async () => {
    const input = join(folder, 'scans.jsonl');
    await writeFile(input, line({ scanId: 1, at: 1 }));
    const program = builtProgram('cli/risk-replay.js');
    const full = spawn('sh', [
      '-c',
      `exec "$0" "$1" --input "$2" > /dev/full`,
      process.execPath,
      program,
      input,
    ]);
    let stderr = '';
    full.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const [code] = (await once(full, 'close')) as [number];
    expect(code).to.equal(1);
    expect(stderr).to.contain('ENOSPC');
  });

  it('says which file it cannot read, and answers nothing for an empty one', async () => {
    const missing = await replay(['--input', join(folder, 'missing.jsonl')]);
    expect(missing).to.deep.include({ code: 1, stdout: '' });
    expect(missing.stderr).to.contain('missing.jsonl');
    expect(await replay(['--input', '-'])).to.deep.equal({ code: 0, stdout: '', stderr: '' });
  });

  it('ends at a malformed line of an input that goes on', async () => {
    const child = spawn(process.execPath, [builtProgram('cli/risk-replay.js'), '--input', '-'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.write('{x\n');
    expect(await once(child, 'exit')).to.deep.equal([1, null]);
    child.stdin.destroy();
  });

  it('stops at a malformed line with its number, after answering what came before', async () => {
    const good = line({ scanId: '1', at: '2026-01-01T00:00:00Z' });
    for (const [bad, complaint] of [
      ['{"scanId":', 'not JSON'],
      ['[]', 'not a JSON object'],
      [line({ at: '2026-01-01T00:00:00Z' }), 'scanId'],
      [line({ scanId: '2', at: 'yesterday 3' }), 'at:'],
      [line({ scanId: '2', at: '2025-12-31T23:59:54Z' }), 'sorted by time'],
      [line({ scanId: '2', at: 1767225600000, lat: 95 }), 'lat:'],
      // As numbers, 64-bit ids would be those of other units, too.
      [good.replace('"scanId":"1"', '"scanId":1234567890123456789'), 'scanId: a number of 2^53 or more'],
      [good.replace('"scanId":"1"', '"scanId":1e999'), 'scanId: a number of 2^53 or more'],
      // One array of everything: refused long before it is read to its end.
      [`[${`${good},`.repeat(20_000)}`, 'one JSON object a line'],
    ] as const) {
      const { code, stdout, stderr } = await replay(['--input', '-'], `${good}\n${bad}\n${good}\n`);
      expect(code).to.equal(1);
      expect(stdout.trim().split('\n')).to.have.length(1);
      expect(stderr)
        .to.match(/^line 2: /)
        .and.contain(complaint);
    }
  });
});
