import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { StorageFailedError } from '../../shared/storage/storage-failure.ts';
import { barcodeJobFailed } from '../../shared/events/event-examples.ts';
import { DEFAULT_RETRY_DELAYS_SECONDS } from '../../shared/webhooks/retry-schedule.ts';
import { explain } from '../../workers/mint-barcodes/explain.ts';
import { renderEventReference } from '../support/event-reference.ts';

const docFile = new URL('../../docs/webhooks.md', import.meta.url);
const doc = readFileSync(docFile, 'utf8');

interface Vector {
  name: string;
  secrets: string[];
  timestamp: number;
  eventId: string;
  body: string;
  signature: string;
  standardSignature: string;
}

const vectors = JSON.parse(
  readFileSync(new URL('../fixtures/webhook-vectors.json', import.meta.url), 'utf8'),
) as Vector[];

/** The text between `<!-- name -->` and `<!-- /name -->`; `UPDATE_DOCS=1` writes it anew from the code instead. */
function expectChapter(name: string, expected: string): void {
  const pattern = new RegExp(`<!-- ${name} -->\\n([^]*?)<!-- /${name} -->`);
  if (process.env['UPDATE_DOCS']) {
    const current = readFileSync(docFile, 'utf8');
    writeFileSync(
      docFile,
      current.replace(pattern, () => `<!-- ${name} -->\n${expected.trim()}\n<!-- /${name} -->`),
    );
    return;
  }
  expect(pattern.exec(doc)?.[1]?.trim(), `chapter "${name}"; UPDATE_DOCS=1 writes it anew`).to.equal(
    expected.trim(),
  );
}

interface Case {
  name: string;
  body: string;
  /** Null: there is no such header. */
  signature: string | null;
  secrets: string[];
  now: number;
  valid: boolean;
}

/** What every verifier has to accept and refuse, from the published vectors. */
const cases: Case[] = vectors.flatMap(({ name, body, signature, secrets, timestamp }) => {
  const good = { body, signature, secrets, now: timestamp, valid: true };
  const [, ...signatures] = signature.split(',');
  const variant = (what: string, change: Partial<Case>) => ({ ...good, name: `${name}: ${what}`, ...change });
  return [
    variant('as published', {}),
    variant('the last of its secrets', { secrets: secrets.slice(-1) }),
    variant('299 seconds old', { now: timestamp + 299 }),
    variant('299 seconds ahead', { now: timestamp - 299 }),
    variant('300 seconds old', { now: timestamp + 300, valid: false }),
    variant('300 seconds ahead', { now: timestamp - 300, valid: false }),
    variant('another secret', { secrets: ['whsec_b3RoZXI='], valid: false }),
    variant('no secret', { secrets: [], valid: false }),
    variant('another body', { body: `${body} `, valid: false }),
    variant('another time', { signature: [`t=${timestamp + 1}`, ...signatures].join(','), valid: false }),
    variant('no time', { signature: signatures.join(','), valid: false }),
    variant('two times', { signature: `t=${timestamp},${signature}`, valid: false }),
    variant('no signature', { signature: `t=${timestamp}`, valid: false }),
    variant('a time of thousands of digits', {
      signature: [`t=${'9'.repeat(5_000)}`, ...signatures].join(','),
      valid: false,
    }),
    variant('no header', { signature: null, valid: false }),
    variant('an empty header', { signature: '', valid: false }),
    variant('nonsense', { signature: 't=ü²,v1=zz,v1', valid: false }),
  ];
});

function snippet(language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(doc)?.[1];
  if (found === undefined) throw new Error(`docs/webhooks.md has no ${language} snippet`);
  return found;
}

const hasProgram = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

function verdictsOf(run: (dir: string) => string): boolean[] {
  const dir = mkdtempSync(join(tmpdir(), 'touchstone-snippet-'));
  try {
    return JSON.parse(run(dir)) as boolean[];
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function expectVerdicts(verdicts: boolean[]): void {
  expect(verdicts).to.have.length(cases.length);
  const wrong = cases.filter(({ valid }, index) => verdicts[index] !== valid).map(({ name }) => name);
  expect(wrong).to.deep.equal([]);
}

/** Titles of a file's tests; of those in a loop, each form that a list beside it names. */
function titlesIn(file: string): string[] {
  const source = readFileSync(new URL(file, docFile), 'utf8');
  const plain = [...source.matchAll(/\bit\('((?:[^'\\]|\\.)*)'/g)].map(([, title]) => title!);
  const looped = [
    ...source.matchAll(/of \[([^`]*?)\] as const\) \{\s*it\(`([^`$]*)\$\{which\}([^`]*)`/g),
  ].flatMap(([, values, before, after]) =>
    [...values!.matchAll(/'([^']*)'/g)].map(([, value]) => `${before}${value}${after}`),
  );
  return [...plain, ...looped];
}

describe('docs/webhooks.md', () => {
  it('lists every event of the catalogue, with its fields and example', () => {
    expectChapter('events', renderEventReference());
  });

  it('shows a failed job with an error that jobs have', () => {
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const { code, message } = explain(new StorageFailedError(full), false);
    expect(barcodeJobFailed.error).to.deep.equal({ code, message });
  });

  it('shows the first two test vectors as they are published', () => {
    const shown = vectors
      .slice(0, 2)
      .map(({ name, secrets, timestamp, eventId, body, signature, standardSignature }) =>
        [
          `**${name.replace(/^./, (first) => first.toUpperCase())}**`,
          '',
          '```text',
          ...secrets.map((secret) => `secret               ${secret}`),
          `time                 ${timestamp}`,
          `body                 ${body}`,
          `X-Service-Signature  ${signature}`,
          `webhook-id           ${eventId}`,
          `webhook-signature    ${standardSignature}`,
          '```',
        ].join('\n'),
      );
    expectChapter('vectors', shown.join('\n\n'));
  });

  it('states the retry schedule as it is', () => {
    const words = DEFAULT_RETRY_DELAYS_SECONDS.map((seconds) =>
      seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`,
    );
    const days = DEFAULT_RETRY_DELAYS_SECONDS.reduce((sum, seconds) => sum + seconds, 0) / 86_400;
    expect(Math.round(days)).to.equal(3);
    expectChapter(
      'retries',
      `Ten attempts over about three days: at once, then after ${words.slice(0, -1).join(', ')} and ${words.at(-1)}, each ±20%.`,
    );
    expect(words).to.have.length(9);
  });

  it('shows a test for each of our cells in the comparison, and all of them are there', () => {
    const rows = doc
      .slice(doc.indexOf('## How it compares'))
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| |'));
    expect(rows.length).to.be.at.least(16);
    for (const row of rows) {
      const ours = row.split(' | ').at(-1)!;
      const links = [...ours.matchAll(/\[test\]\((\S+) "([^"]+)"\)/g)];
      expect(links, row).not.to.deep.equal([]);
      expect(links.length, `each with a title: ${row}`).to.equal(ours.split('[test]').length - 1);
      for (const [, file, title] of links) {
        expect(existsSync(new URL(file!, docFile)), file).to.equal(true);
        expect(titlesIn(file!), file).to.include(title!.replaceAll('&quot;', '"'));
      }
    }
  });

  it('has a Python snippet that accepts and refuses what it should', function () {
    if (!hasProgram('python3', '--version')) this.skip();
    const driver = `${snippet('python')}
import json, sys
print(json.dumps([
    verify_webhook(c["body"].encode(), c["signature"], c["secrets"], now=c["now"]) for c in json.load(sys.stdin)
]))
`;
    expectVerdicts(
      verdictsOf((dir) => {
        writeFileSync(join(dir, 'driver.py'), driver);
        return execFileSync('python3', [join(dir, 'driver.py')], {
          input: JSON.stringify(cases),
          encoding: 'utf8',
        });
      }),
    );
  });

  it('has a Go snippet that accepts and refuses what it should', function () {
    if (!hasProgram('go', 'version')) this.skip();
    // The first run on a machine compiles the standard library's crypto.
    this.timeout(120_000);
    this.slow(30_000);
    const driver = `package main

import (
	"encoding/json"
	"os"
	"time"
)

func main() {
	var cases []struct {
		Body, Signature string
		Secrets         []string
		Now             int64
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, c := range cases {
		verdicts = append(verdicts, VerifyWebhook([]byte(c.Body), c.Signature, c.Secrets, 300*time.Second, time.Unix(c.Now, 0)))
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}
`;
    expectVerdicts(
      verdictsOf((dir) => {
        writeFileSync(join(dir, 'main.go'), driver);
        writeFileSync(join(dir, 'verify.go'), snippet('go').replace(/^package \w+/, 'package main'));
        return execFileSync('go', ['run', 'main.go', 'verify.go'], {
          cwd: dir,
          input: JSON.stringify(cases),
          encoding: 'utf8',
          env: { ...process.env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' },
        });
      }),
    );
  });

  it('has a Node snippet that answers a good delivery with 204 and any other with 400, and survives one that breaks off', () => {
    const [good] = vectors;
    const packageFile = new URL('../../packages/webhook-verify/index.js', import.meta.url).href;
    const driver = `import { once } from 'node:events';
import { connect } from 'node:net';
${snippet('js').replace("'@touchstone/webhook-verify'", JSON.stringify(packageFile))}
Date.now = () => ${good!.timestamp} * 1000;
server.listen(0, '127.0.0.1', async () => {
  const broken = connect(server.address().port, '127.0.0.1');
  broken.write('POST / HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 10\\r\\n\\r\\nab');
  const [, response] = await once(server, 'request');
  broken.destroy();
  await once(response, 'close');
  const send = async (body) =>
    (await fetch('http://127.0.0.1:' + server.address().port, {
      method: 'POST', body, headers: { 'X-Service-Signature': ${JSON.stringify(good!.signature)} },
    })).status;
  const statuses = [await send(${JSON.stringify(good!.body)}), await send('{}')];
  console.log('STATUSES ' + JSON.stringify(statuses));
  process.exit();
});
`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', driver], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], WEBHOOK_SECRET: good!.secrets[0] },
    });
    expect(output).to.match(/^scan\.recorded evt_/m);
    expect(output).to.include('STATUSES [204,400]');
  });
});
