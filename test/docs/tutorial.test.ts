import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { packageRoot } from '../../shared/package-root.ts';
import { createInstallation, type Installation } from '../support/processes.ts';

const DOCUMENT = new URL('../../docs/tutorial.md', import.meta.url);
const TEXT = readFileSync(DOCUMENT, 'utf8');
/** A block of commands, and what it prints where the document shows it. */
const BLOCK = /```sh\n([^]*?)```(?:\n\n```text\n([^]*?)```)?/g;
const MARK = '=== end of block ===';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** `…` stands for whatever is different each time. */
function patternOf(shown: string): RegExp {
  const escaped = shown.trim().replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('…', '[^\\n"]+')}$`);
}

const DIFFERENT: [RegExp, string][] = [
  [/\bak_live_\w+/g, 'ak_live_…'],
  [/\b([a-z]+_)[0-9a-hjkmnp-tv-z]{26}\b/g, '$1…'],
  [/\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, '…'],
  [/(\/c\/)[\w-]+/g, '$1…'],
  [/,[0-9A-Z]{12},[0-9A-Z]{24},HTTP:[^,]+,/g, ',…,…,HTTP://…,'],
];

describe('docs/tutorial.md', () => {
  let installation: Installation;
  let origin: string;

  before(async function () {
    this.timeout(60_000);
    const port = await freePort();
    origin = `http://localhost:${port}`;
    installation = await createInstallation({
      PORT: String(port),
      PUBLIC_URL: origin,
      TRUST_PROXY: 'loopback',
      DATABASE_POOL_MAX: '10',
    });
    await Promise.all([
      installation.startWeb(),
      installation.startWorker('barcodes', 'scans', 'webhooks', 'maintenance'),
    ]);
  });
  after(() => installation.remove());

  it('is a story in which every command works and prints what is shown', async () => {
    const blocks = [...TEXT.matchAll(BLOCK)].map(([, commands, shown]) => ({ commands: commands!, shown }));
    expect(blocks.length).to.be.greaterThan(15);
    // One shell for the whole of it, as a reader has.
    const script = ['set -euo pipefail', ...blocks.map(({ commands }) => `${commands}\necho '${MARK}'`)].join(
      '\n',
    );
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-c', script.replaceAll('http://localhost:3000', origin)],
      {
        cwd: packageRoot,
        env: { ...installation.env, HOME: process.env['HOME'] },
        timeout: 90_000,
      },
    );
    const printed = stdout
      .split(`${MARK}\n`)
      .map((text) => text.replaceAll(origin, 'http://localhost:3000').trim());
    if (process.env['UPDATE_DOCS'] === '1') {
      let index = 0;
      writeFileSync(
        DOCUMENT,
        TEXT.replaceAll(BLOCK, (_, commands: string) => {
          const text = DIFFERENT.reduce((all, [from, to]) => all.replaceAll(from, to), printed[index++]!);
          return `\`\`\`sh\n${commands}\`\`\`${text === '' ? '' : `\n\n\`\`\`text\n${text}\n\`\`\``}`;
        }),
      );
      return;
    }
    for (const [index, { commands, shown }] of blocks.entries()) {
      if (shown === undefined) expect(printed[index], commands).to.equal('');
      else expect(printed[index], commands).to.match(patternOf(shown));
    }
  }).timeout(100_000);
});
