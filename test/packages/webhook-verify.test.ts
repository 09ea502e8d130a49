import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  verifyWebhook,
  WebhookVerificationError,
  type WebhookHeaders,
} from '../../packages/webhook-verify/index.js';
import { packageRoot } from '../../shared/package-root.ts';
import { generateSecret, signatureHeader } from '../../shared/webhooks/signature.ts';

const packageDir = new URL('../../packages/webhook-verify/', import.meta.url);
const event = {
  id: 'evt_1',
  type: 'scan.recorded',
  createdAt: '2026-11-20T09:30:01.250Z',
  data: { scanId: 'scan_1' },
};
const body = Buffer.from(JSON.stringify(event));
const secret = generateSecret();
const signedAt = 1_795_167_001;
const now = signedAt * 1000;

const signed = (secrets = [secret], at = signedAt): Record<string, string> => ({
  'X-Service-Signature': signatureHeader(secrets, at, body),
});

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code;
    throw error;
  }
  return 'none';
}

describe('verifyWebhook', () => {
  it('returns the event of a delivery that we signed', () => {
    expect(verifyWebhook(body, signed(), secret, { now })).to.deep.equal(event);
  });

  it('takes the body as Buffer, Uint8Array, ArrayBuffer or text', () => {
    const view = new Uint8Array([0, ...body, 0]).subarray(1, -1);
    const buffer = new Uint8Array(body).buffer;
    for (const form of [body, view, buffer, body.toString()]) {
      expect(verifyWebhook(form, signed(), secret, { now })).to.deep.equal(event);
    }
    expect(codeOf(() => verifyWebhook(event as never, signed(), secret, { now }))).to.equal(
      'INVALID_ARGUMENT',
    );
  });

  it('takes headers in any case, as an object, a list or a Headers', () => {
    const value = signed()['X-Service-Signature']!;
    const forms: WebhookHeaders[] = [
      { 'x-service-signature': value },
      { 'X-SERVICE-SIGNATURE': value },
      { 'x-service-signature': [value] },
      new Headers({ 'X-Service-Signature': value }),
    ];
    for (const headers of forms) expect(verifyWebhook(body, headers, secret, { now })).to.deep.equal(event);
  });

  it('takes the headers of a Node server as they are', async () => {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const verified = verifyWebhook(Buffer.concat(chunks), request.headers, secret, { now });
        response.end(verified.id);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const answer = await fetch(url, { method: 'POST', body, headers: signed() });
    expect(await answer.text()).to.equal('evt_1');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('accepts any of several signatures with any of several secrets', () => {
    const [older, newer, foreign] = [secret, generateSecret(), generateSecret()];
    for (const mine of [older, newer, [newer, foreign], [foreign, older]]) {
      expect(verifyWebhook(body, signed([newer, older]), mine, { now })).to.deep.equal(event);
    }
    expect(codeOf(() => verifyWebhook(body, signed([newer, older]), foreign, { now }))).to.equal(
      'SIGNATURE_MISMATCH',
    );
    expect(codeOf(() => verifyWebhook(body, signed(), [], { now }))).to.equal('INVALID_ARGUMENT');
    expect(codeOf(() => verifyWebhook(body, signed(), '', { now }))).to.equal('INVALID_ARGUMENT');
  });

  it('refuses a timestamp whose difference from now is 300 seconds or more, either way', () => {
    const at = (ms: number) => codeOf(() => verifyWebhook(body, signed(), secret, { now: now + ms }));
    expect([at(0), at(299_999), at(-299_999)]).to.deep.equal(['none', 'none', 'none']);
    for (const ms of [300_000, -300_000, 300_001, -86_400_000]) {
      expect(at(ms), String(ms)).to.equal('TIMESTAMP_OUT_OF_TOLERANCE');
    }
    const options = { now: new Date(now + 10_000), toleranceSeconds: 10 };
    expect(codeOf(() => verifyWebhook(body, signed(), secret, options))).to.equal(
      'TIMESTAMP_OUT_OF_TOLERANCE',
    );
    expect(codeOf(() => verifyWebhook(body, signed(), secret, { now: Number.NaN }))).to.equal(
      'INVALID_ARGUMENT',
    );
  });

  it('uses the clock when it is told no time', () => {
    const justNow = Math.floor(Date.now() / 1000);
    expect(verifyWebhook(body, signed([secret], justNow), secret)).to.deep.equal(event);
    expect(codeOf(() => verifyWebhook(body, signed([secret], justNow - 301), secret))).to.equal(
      'TIMESTAMP_OUT_OF_TOLERANCE',
    );
  });

  it('tells a missing signature from a malformed one', () => {
    expect(codeOf(() => verifyWebhook(body, {}, secret, { now }))).to.equal('MISSING_SIGNATURE');
    expect(codeOf(() => verifyWebhook(body, new Headers(), secret, { now }))).to.equal('MISSING_SIGNATURE');
    const hex = 'a'.repeat(64);
    for (const text of [
      'v1=',
      `v1=${hex}`,
      't=1',
      `t=,v1=${hex}`,
      `t=-1,v1=${hex}`,
      `t=1e3,v1=${hex}`,
      `t=1,t=2,v1=${hex}`,
      `t=${signedAt},v1=${hex.toUpperCase()}`,
      `t=${signedAt},v1=${hex.slice(1)}`,
      `t=${signedAt},v0=${hex}`,
      `t=${signedAt}${`,v1=${hex}`.repeat(17)}`,
    ]) {
      expect(
        codeOf(() => verifyWebhook(body, { 'x-service-signature': text }, secret, { now })),
        text,
      ).to.equal('MALFORMED_SIGNATURE');
    }
  });

  it('refuses a good signature over something that is no event', () => {
    for (const text of [
      '',
      '[]',
      'null',
      '{',
      '{"id":1}',
      '{"id":"evt_1","type":"x","createdAt":"y","data":null}',
      '\u{FEFF}\0',
    ]) {
      const raw = Buffer.from(text);
      const headers = { 'x-service-signature': signatureHeader([secret], signedAt, raw) };
      expect(
        codeOf(() => verifyWebhook(raw, headers, secret, { now })),
        text,
      ).to.equal('INVALID_PAYLOAD');
    }
  });

  it('notices every change of a byte in body, time or signature', () => {
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (index, flip) => {
        const changed = Buffer.from(body);
        changed[index]! ^= flip;
        expect(codeOf(() => verifyWebhook(changed, signed(), secret, { now }))).to.equal(
          'SIGNATURE_MISMATCH',
        );
      }),
    );
    const later = signed()['X-Service-Signature']!.replace(`t=${signedAt}`, `t=${signedAt + 1}`);
    expect(codeOf(() => verifyWebhook(body, { 'x-service-signature': later }, secret, { now }))).to.equal(
      'SIGNATURE_MISMATCH',
    );
  });

  it('never throws anything but its own error, whatever the header says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(
          codeOf(() => verifyWebhook(body, { 'x-service-signature': text }, secret, { now })),
        ).to.not.equal('none');
      }),
    );
  });

  it('never repeats the secret or the expected signature in an error', () => {
    try {
      verifyWebhook(body, signed([generateSecret()]), secret, { now });
      expect.fail('it was accepted');
    } catch (error) {
      const text = `${(error as Error).stack} ${JSON.stringify(error)}`;
      expect(text).to.not.include(secret);
      expect(text).to.not.include(signatureHeader([secret], signedAt, body).split('v1=')[1]);
    }
  });
});

describe('the webhook-verify package', () => {
  it('packs to its code, types, README and nothing else, and depends on nothing', () => {
    const output = execFileSync('npm', ['pack', '--dry-run', '--json'], {
      cwd: packageDir,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [packed] = JSON.parse(output) as { files: { path: string }[] }[];
    expect(packed!.files.map(({ path }) => path)).to.have.members([
      'README.md',
      'index.d.ts',
      'index.js',
      'package.json',
    ]);
    const manifest = JSON.parse(readFileSync(new URL('package.json', packageDir), 'utf8')) as object;
    expect(manifest).to.not.have.any.keys('dependencies', 'peerDependencies');
  });

  it('says how it is installed: from the file that it packs to, as no registry has it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'touchstone-test-'));
    try {
      const [, commands] = /```sh\n([^]*?)```/.exec(readFileSync(new URL('README.md', packageDir), 'utf8'))!;
      const [pack, install, ...more] = commands!.trim().split('\n');
      const name = execFileSync('sh', ['-c', `${pack!} --silent --pack-destination "$0"`, folder], {
        cwd: packageRoot,
        encoding: 'utf8',
      }).trim();
      expect([install, ...more]).to.deep.equal([`npm install ./${name}`]);
      expect(readdirSync(folder)).to.deep.equal([name]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has an error that a receiver’s test can make, with a code', () => {
    const error = new WebhookVerificationError('MISSING_SIGNATURE', 'the header is missing');
    expect(error).to.include({ code: 'MISSING_SIGNATURE', message: 'the header is missing' });
  });

  it('documents exactly the codes that it throws', () => {
    const read = (name: string) => readFileSync(new URL(name, packageDir), 'utf8');
    const codes = (text: string, pattern: RegExp) =>
      new Set([...text.matchAll(pattern)].map(([, code]) => code));
    const thrown = codes(read('index.js'), /'([A-Z]+_[A-Z_]+)'/g);
    expect(codes(read('README.md'), /^\| `([A-Z_]+)` \|/gm)).to.deep.equal(thrown);
    expect(codes(read('index.d.ts'), /\| '([A-Z_]+)'/g)).to.deep.equal(thrown);
  });

  it('documents a receiver for Express that acknowledges a good delivery and refuses any other with 400', () => {
    const [, snippet] = /```js\n([^]*?)```/.exec(readFileSync(new URL('README.md', packageDir), 'utf8'))!;
    const packageFile = new URL('index.js', packageDir).href;
    const driver = `${snippet!.replace("'@touchstone/webhook-verify'", JSON.stringify(packageFile))}
Date.now = () => ${now};
const queue = { add: (id) => console.log('QUEUED ' + id) };
const server = app.listen(0, '127.0.0.1', async () => {
  const send = async (body, headers) => {
    const url = 'http://127.0.0.1:' + server.address().port + '/hooks';
    const response = await fetch(url, {
      method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers },
    });
    return [response.status, await response.text()];
  };
  const signed = ${JSON.stringify(signed())};
  const body = ${JSON.stringify(body.toString())};
  const answers = [await send(body, signed), await send('{}', signed), await send(body, {}),
    await send(body, { ...signed, 'Content-Type': 'text/plain' })];
  console.log('ANSWERS ' + JSON.stringify(answers));
  process.exit();
});
`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', driver], {
      encoding: 'utf8',
      cwd: packageDir,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret },
    });
    const refused = ['SIGNATURE_MISMATCH', 'MISSING_SIGNATURE', 'INVALID_ARGUMENT'].map((code) => [
      400,
      code,
    ]);
    expect(output).to.equal(`QUEUED evt_1\nANSWERS ${JSON.stringify([[204, ''], ...refused])}\n`);
  });
});
