import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import request from 'supertest';
import { announceServices } from '../../launcher/running-services.ts';
import { ALL_SCOPES } from '../../shared/api-keys/scopes.ts';
import { encodeId } from '../../shared/ids.ts';
import { packageRoot } from '../../shared/package-root.ts';
import { CANARY, countRows, createTestApi, dumpTable, type TestApi } from '../support/api.ts';
import { builtProgram } from '../support/processes.ts';
import { makeScratch } from '../support/scratch.ts';

interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

describe('the operator’s command', function () {
  this.timeout(30_000);
  let api: TestApi;
  const scratch = makeScratch();

  before(async () => {
    api = await createTestApi();
  });
  after(async () => {
    scratch.remove();
    await api.close();
  });

  const run = (
    args: string[],
    env: Record<string, string> = {},
    { input = '', ends = true } = {},
  ): Promise<Result> =>
    new Promise((resolve) => {
      const command = execFile(
        process.execPath,
        [builtProgram('cli/admin.js'), ...args],
        {
          cwd: packageRoot,
          env: {
            PATH: process.env['PATH'],
            DATABASE_URL: api.database.url,
            API_KEY_PEPPER: CANARY.pepper,
            DATA_DIR: scratch.folder,
            ...env,
          },
        },
        (error, stdout, stderr) => {
          const code = error === null ? 0 : Number(error.code);
          resolve({ code, stdout, stderr });
        },
      );
      command.stdin!.on('error', () => undefined);
      command.stdin!.write(input);
      if (ends) command.stdin!.end();
    });
  const createOrg = (...more: string[]) =>
    run([
      'create-org',
      '--name',
      'Olivaia',
      '--email',
      'Owner@Example.com',
      '--password',
      'a long password',
      ...more,
    ]);

  it('creates an organization and a key that the API takes, one JSON object each on standard output', async () => {
    const org = await createOrg('--language', 'de');
    expect({ ...org, stdout: '' }).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    const created = JSON.parse(org.stdout);
    expect(Object.keys(created)).to.deep.equal(['orgId', 'userId']);
    expect(created.orgId).to.match(/^org_/);
    expect(created.userId).to.match(/^user_/);

    const key = await run(['create-key', '--org', created.orgId, '--name', 'ci', '--scopes', 'all']);
    expect({ ...key, stdout: '' }).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    const made = JSON.parse(key.stdout);
    expect(Object.keys(made)).to.deep.equal(['id', 'key']);
    expect(made.id).to.match(/^key_/);
    await request(api.server).get('/api/v1/products').set('X-Api-Key', made.key).expect(200);
    const { rows } = await api.database.pool.query('select scopes from api_keys');
    expect(rows[0].scopes).to.have.members([...ALL_SCOPES]);
    const users = await dumpTable(api.database, 'users');
    expect(users)
      .to.include('owner@example.com')
      .and.include('$argon2id$')
      .and.not.include('a long password');
    const languages = await api.database.pool.query('select language from users');
    expect(languages.rows).to.deep.equal([{ language: 'de' }]);
  });

  it('reads an owner’s password from standard input, which no history of a shell and no list of processes has', async () => {
    const create = (email: string, ...more: string[]) => [
      'create-org',
      '--name',
      'Q',
      '--email',
      email,
      ...more,
    ];
    const made = await run(
      create('in@example.com', '--password-stdin'),
      {},
      // Whoever types it ends the line, and not the input.
      { input: 'a password by pipe\r\nnot this\n', ends: false },
    );
    expect({ ...made, stdout: '' }).to.deep.equal({ code: 0, stdout: '', stderr: '' });
    const signIn = (password: string) =>
      request(api.server).post('/api/v1/auth/sign-in').send({ email: 'in@example.com', password });
    await signIn('a password by pipe').expect(200);
    await signIn('a password by pipe\r').expect(401);
    for (const [args, said] of [
      [create('no@example.com'), 'give one of --password and --password-stdin'],
      [
        create('no@example.com', '--password', 'a long password', '--password-stdin'),
        'give one of --password and --password-stdin',
      ],
      [create('no@example.com', '--password-stdin'), '--password-stdin: standard input has no line'],
    ] as const)
      expect(await run(args)).to.deep.equal({ code: 1, stdout: '', stderr: `error: ${said}\n` });
  });

  it('makes keys under the pepper of the start that runs, whichever that has', async () => {
    const { rows } = await api.database.pool.query<{ id: string }>('select id from organizations');
    const orgId = encodeId('org', rows[0]!.id);
    const dataDir = join(scratch.folder, 'started');
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'secrets.json'), JSON.stringify({ API_KEY_PEPPER: CANARY.pepper }));
    const start = (isPepperGiven: boolean) =>
      announceServices(dataDir, { databaseUrl: api.database.url, redisUrl: '', isPepperGiven });
    const makeKey = (pepper: string) =>
      run(['create-key', '--org', orgId, '--name', 'x', '--scopes', 'products.read'], {
        DATABASE_URL: '',
        DATA_DIR: dataDir,
        API_KEY_PEPPER: pepper,
      });
    const works = async ({ stdout }: Result) => {
      const { key } = JSON.parse(stdout) as { key: string };
      await request(api.server).get('/api/v1/products').set('X-Api-Key', key).expect(200);
    };
    start(false);
    await works(await makeKey(''));
    await works(await makeKey('another one, of which no process knows'));
    start(true);
    await works(await makeKey(CANARY.pepper));
    expect(await makeKey('')).to.deep.equal({
      code: 1,
      stdout: '',
      stderr:
        'error: API_KEY_PEPPER must be set as for "npm start", which was given one: keys are stored under it\n',
    });
  });

  it('takes a domain for an organization’s on the operator’s word, and says so in the audit log', async () => {
    const { rows } = await api.database.pool.query<{ id: string }>('select id from organizations');
    const orgId = encodeId('org', rows[0]!.id);
    const confirm = (domain: string) => run(['confirm-domain', '--org', orgId, '--domain', domain]);
    expect(JSON.parse((await confirm('Olivaia.Example')).stdout)).to.deep.equal({
      orgId,
      domain: 'olivaia.example',
    });
    const wrong = await confirm('https://olivaia.example');
    expect(wrong).to.deep.include({ code: 1, stdout: '' });
    expect(wrong.stderr).to.equal('error: domain is not the name of a domain, such as example.com\n');
    const { rows: domains } = await api.database.pool.query(
      'select name, confirmed_by, due_at from organization_domains',
    );
    expect(domains).to.deep.equal([{ name: 'olivaia.example', confirmed_by: 'operator', due_at: null }]);
    const { rows: log } = await api.database.pool.query(
      `select actor_kind, after from audit_log where action = 'confirmDomain'`,
    );
    expect(log).to.deep.equal([
      { actor_kind: 'operator', after: { name: 'olivaia.example', status: 'confirmed' } },
    ]);
  });

  it('leads codes to an address that leads here, and says what is wrong with one that does not', async () => {
    const { rows } = await api.database.pool.query<{ id: string }>('select id from organizations');
    const orgId = encodeId('org', rows[0]!.id);
    const codeHost = (...args: string[]) =>
      run(['code-host', '--org', orgId, ...(args.includes('--url') ? ['--wait', '0'] : []), ...args]);
    const refused = async (...args: string[]) => {
      const { code, stdout, stderr } = await codeHost(...args);
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      return stderr;
    };
    const current = async () => {
      const [org] = JSON.parse((await run(['orgs', '--search', 'Olivaia'])).stdout) as {
        codesUrl: string | null;
      }[];
      return org!.codesUrl;
    };
    // The processes hear of a host within seconds.
    const hear = () => api.clock.advance(5_000);
    api.server.prependListener('request', hear);
    let page = '<!doctype html>';
    const elsewhere = createServer((_req, res) => res.end(page)).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const address = elsewhere.address() as AddressInfo;
    const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const [here, there] = [addressOf(api.server), addressOf(elsewhere)];
      const hostOf = (address: string) => new URL(address).host;
      expect(await refused('--url', `${here}/v`)).to.include('without a path');
      expect(await refused('--url', here, '--none')).to.include('give one of');
      expect(await refused('--url', here, '--wait', 'x')).to.include('--wait is a number');
      for (const more of [['--unchecked'], ['--wait', '5'], ['--none', '--unchecked']])
        expect(await refused(...more), more.join(' ')).to.include('--wait and --unchecked are for --url');
      expect(await refused('--url', there)).to.include('answers 200, and not as this service does');
      page = '{}';
      expect(await refused('--url', there)).to.include('answers 200, and not as this service does');
      elsewhere.close();
      await once(elsewhere, 'close');
      expect(await refused('--url', there))
        .to.include('does not answer')
        .and.include('nothing is printed');
      expect(await current()).to.equal(null);

      const led = await codeHost('--url', here);
      expect({ ...led, stdout: JSON.parse(led.stdout) }).to.deep.equal({
        code: 0,
        stderr: '',
        stdout: { orgId, codesUrl: here, hosts: [hostOf(there), hostOf(here)] },
      });
      expect(await current()).to.equal(here);
      expect(JSON.parse((await codeHost()).stdout)).to.deep.equal(JSON.parse(led.stdout));
      expect(JSON.parse((await codeHost('--url', there, '--unchecked')).stdout)).to.include({
        codesUrl: there,
      });
      // Of one that codes lead to already nothing else is printed because it was looked at in vain.
      expect(await refused('--url', there.toUpperCase()))
        .to.include('does not answer')
        .and.include(`new codes lead to ${there} all the same`);
      expect(await current()).to.equal(there);
      expect(JSON.parse((await codeHost('--url', there.toUpperCase(), '--unchecked')).stdout)).to.include({
        codesUrl: there.toUpperCase(),
      });
      expect(JSON.parse((await codeHost('--none')).stdout)).to.include({ codesUrl: null });
      expect(JSON.parse((await codeHost('--forget', here)).stdout)).to.include({ codesUrl: null });
      expect(await refused('--forget', here)).to.include('is no host of this organization’s codes');
    } finally {
      api.server.off('request', hear);
      elsewhere.close();
    }
    const { rows: log } = await api.database.pool.query(
      `select actor_kind, after from audit_log where action = 'changeCodeAddress' order by at, id`,
    );
    expect(log[0]).to.deep.include({ actor_kind: 'operator' });
    // Also what was tried in vain, as it answers for the organization from then on; and nothing where nothing changed.
    const [here, there] = [api.server.address() as AddressInfo, address].map(
      (one) => `127.0.0.1:${one.port}`,
    );
    expect(log.map(({ after }) => after)).to.deep.equal([
      { hosts: [there] },
      { hosts: [there, here] },
      { codesUrl: `http://${here}` },
      { codesUrl: `http://${there}` },
      { codesUrl: `HTTP://${there}` },
      { codesUrl: null },
      { hosts: [there] },
    ]);
  });

  it('takes the service’s own address for no organization’s', async () => {
    const { rows } = await api.database.pool.query<{ id: string }>('select id from organizations');
    const own = await createTestApi({ env: {} });
    const server = own.server;
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    // As it is where `PUBLIC_URL` is that address.
    own.deps.sites.of = () => Promise.resolve({ url: origin, orgId: null, organization: null });
    try {
      const org = encodeId('org', rows[0]!.id);
      const { code, stderr } = await run(['code-host', '--org', org, '--wait', '0', '--url', origin]);
      expect(code).to.equal(1);
      expect(stderr).to.include('is the service’s own address').and.include('try again');
    } finally {
      await own.close();
    }
    const hosts = await api.database.pool.query('select host from code_hosts where host like $1', [
      '127.0.0.1%',
    ]);
    expect(hosts.rows).to.have.length(1);
  });

  it('blocks an organization that it finds by name, and takes that back', async () => {
    const find = async (...search: string[]) =>
      JSON.parse((await run(['orgs', '--search', ...search])).stdout) as Record<string, unknown>[];
    const [org, ...others] = await find('LIVAI');
    expect(others).to.deep.equal([]);
    expect(org).to.include({ name: 'Olivaia', domain: 'olivaia.example', blockedAt: null, reason: null });
    expect(org).to.deep.include({ owners: ['owner@example.com'] });
    expect(await find('owner@ex')).to.deep.equal([org]);
    expect(await find('olivaia.ex')).to.deep.equal([org]);
    expect(await find('%')).to.deep.equal([]);
    const orgId = org!['orgId'] as string;
    const block = async (...args: string[]) => JSON.parse((await run(args)).stdout) as object;
    expect(await block('block-org', '--org', orgId, '--reason', ' imitates somebody ')).to.deep.equal({
      orgId,
      isBlocked: true,
      isChanged: true,
    });
    expect((await find('Olivaia'))[0])
      .to.include({ reason: 'imitates somebody' })
      .and.not.include({ blockedAt: null });
    const empty = await run(['block-org', '--org', orgId, '--reason', ' ']);
    expect(empty).to.deep.include({ code: 1, stdout: '' });
    expect(empty.stderr).to.match(/^error: reason must have 1 to 500 characters/);
    expect(await block('unblock-org', '--org', orgId)).to.deep.include({ isBlocked: false, isChanged: true });
    expect(await block('unblock-org', '--org', orgId)).to.deep.include({
      isBlocked: false,
      isChanged: false,
    });
    expect(await find('Olivaia')).to.deep.equal([org]);
  });

  it('says on standard error what is wrong, exits with 1, and changes nothing', async () => {
    const { rows } = await api.database.pool.query<{ id: string }>('select id from organizations');
    const orgId = encodeId('org', rows[0]!.id);
    const before = await countRows(api.database);
    const key = (scopes: string, org = orgId) => [
      'create-key',
      '--org',
      org,
      '--name',
      'x',
      '--scopes',
      scopes,
    ];
    const torn = join(scratch.folder, 'torn');
    await mkdir(torn);
    await writeFile(join(torn, 'services.json'), '{');
    const bad: [string[], RegExp, Record<string, string>?][] = [
      [key('products.read,products.destroy'), /"products\.destroy" is not a scope/],
      [
        ['create-key', '--org', orgId, '--name', ' ', '--scopes', 'all'],
        /^error: name must have 1 to 200 characters\n$/,
      ],
      [key('all', 'org_nonsense'), /is not an organization/],
      [
        ['create-org', '--name', 'C', '--email', 'owner@example.com', '--password', 'a long password'],
        /already belongs/,
      ],
      [
        [
          'create-org',
          '--name',
          'C',
          '--email',
          'c@example.com',
          '--password',
          'a long password',
          '--language',
          'xx',
        ],
        /Allowed choices are en, de/,
      ],
      [['frobnicate'], /unknown command/],
      [key('all'), /nothing runs on/, { DATABASE_URL: '' }],
      // Which setting it is.
      [['orgs'], /^error: DATABASE_URL: is not an address of Postgres/, { DATABASE_URL: 'mysql://x' }],
      // A server's own database, in which there is nothing.
      [
        ['orgs'],
        /^error: DATABASE_URL: lacks changes of the schema: run the release of this version\n$/,
        { DATABASE_URL: Object.assign(new URL(api.database.url), { pathname: '/postgres' }).href },
      ],
      [['orgs'], /^error: .*services\.json cannot be read: .*JSON/, { DATABASE_URL: ' ', DATA_DIR: torn }],
      [['orgs'], /^error: DATABASE_URL: .*ECONNREFUSED/, { DATABASE_URL: 'postgres://x@127.0.0.1:1/db' }],
      [
        ['orgs'],
        /^error: DATABASE_URL: ENOENT.*missing\.pem/,
        { DATABASE_URL: `${api.database.url}?sslmode=verify-full&sslrootcert=/missing.pem` },
      ],
    ];
    const results = await Promise.all(bad.map(([args, , env]) => run(args, env)));
    for (const [index, [args, message]] of bad.entries()) {
      const { code, stdout, stderr } = results[index]!;
      expect({ code, stdout }, args.join(' ')).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.match(message);
      expect(stderr).not.to.match(/\n\s+at /);
    }
    expect(await countRows(api.database)).to.deep.equal(before);
  });
});
