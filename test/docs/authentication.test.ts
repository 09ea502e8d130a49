import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { SCOPES } from '../../shared/api-keys/scopes.ts';
import { PERMISSIONS, ROLE_TABLE, ROLES } from '../../shared/access/roles.ts';
import { sendDueMails } from '../../shared/mail/sending.ts';
import { createMailTransport } from '../../shared/mail/transport.ts';
import { createPeopleApi, type PeopleApi } from '../support/people-api.ts';
import { makeScratch } from '../support/scratch.ts';

const DOCUMENT = new URL('../../docs/authentication.md', import.meta.url);

/** Commands, each with what it must print where the document shows it. */
function commandsOf(text: string): { command: string; output: string | undefined }[] {
  return [...text.matchAll(/```sh\n([^]*?)```(?:\n\n```text\n([^]*?)```)?/g)].map(([, command, output]) => ({
    command: command!,
    output,
  }));
}

describe('docs/authentication.md', () => {
  let api: PeopleApi;
  const scratch = makeScratch();
  before(async () => {
    api = await createPeopleApi();
  });
  after(async () => {
    await api.close();
    scratch.remove();
  });

  it('leads from sign-up to a rotated and revoked key, command by command', async () => {
    const { port } = api.server.address() as AddressInfo;
    const folder = `${scratch.folder}/.data/mail`;
    const mailTransport = createMailTransport({ smtpUrl: null, folder, from: 'test@example.com' });
    const state = `${scratch.folder}/state`;
    writeFileSync(state, '');
    const commands = commandsOf(readFileSync(DOCUMENT, 'utf8'));
    expect(commands.length).to.be.greaterThan(8);
    for (const { command, output } of commands) {
      const script = `set -euo pipefail\nsource ${state}\nset -a\n${command}\nexport -p > ${state}`;
      const here = script.replaceAll('http://localhost:3000', `http://localhost:${port}`);
      const { stdout } = await promisify(execFile)('bash', ['-c', here], { cwd: scratch.folder });
      if (output !== undefined) expect(stdout.trim(), command).to.equal(output.trim());
      // What the maintenance worker does within a second or two.
      await sendDueMails({ ...api.deps, mailTransport, leaseSeconds: 60 });
    }
  });

  it('lists scopes, roles and permissions as the code has them', () => {
    const scopes = [
      '| scope | lets a key |',
      '|---|---|',
      ...Object.entries(SCOPES).map(([scope, sentence]) => `| \`${scope}\` | ${sentence} |`),
    ].join('\n');
    const mark = (isGranted: boolean) => (isGranted ? '✓' : '');
    const row = (name: string, sentence: string, has: (role: (typeof ROLES)[number]) => boolean) =>
      `| \`${name}\` | ${sentence} | ${ROLES.map((role) => mark(has(role))).join(' | ')} |`;
    const roles = [
      ...ROLES.map((role) => `- **${role}**: ${ROLE_TABLE[role].sentence}`),
      '',
      `| may | | ${ROLES.join(' | ')} |`,
      `|---|---|${ROLES.map(() => '---').join('|')}|`,
      ...Object.entries(PERMISSIONS).map(([name, sentence]) =>
        row(name, sentence, (role) => ROLE_TABLE[role].permissions.has(name as keyof typeof PERMISSIONS)),
      ),
      ...Object.entries(SCOPES).map(([name, sentence]) =>
        row(name, sentence, (role) => ROLE_TABLE[role].scopes.has(name as keyof typeof SCOPES)),
      ),
    ].join('\n');
    const text = readFileSync(DOCUMENT, 'utf8');
    const renewed = text
      .replace(/<!-- scopes -->[^]*<!-- \/scopes -->/, `<!-- scopes -->\n${scopes}\n<!-- /scopes -->`)
      .replace(/<!-- roles -->[^]*<!-- \/roles -->/, `<!-- roles -->\n${roles}\n<!-- /roles -->`);
    if (process.env.UPDATE_DOCS === '1') writeFileSync(DOCUMENT, renewed);
    else expect(text, 'renew with UPDATE_DOCS=1').to.equal(renewed);
  });
});
