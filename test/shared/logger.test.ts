import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { createPool } from '../../shared/db.ts';
import { AppError } from '../../shared/errors.ts';
import { createLogger, withoutRedaction, plainLogger } from '../../shared/logger.ts';
import { packageRoot } from '../../shared/package-root.ts';
import { createRedis } from '../../shared/redis.ts';
import { createTestDatabase } from '../support/database.ts';
import { testServices } from '../support/services.ts';

const MODULE = pathToFileURL(path.join(packageRoot, 'shared', 'logger.ts')).href;

/** A program that logs `one` and then does this. */
const program = (then: string): string[] => [
  '--import=tsx',
  '--input-type=module',
  '--eval',
  `import { createLogger } from '${MODULE}'; createLogger('web', 'info').info('one'); ${then}`,
];

describe('the log', () => {
  it('redacts what may carry a secret, wherever a program puts it', () => {
    const lines: string[] = [];
    const log = createLogger('web', 'info', { write: (line: string) => void lines.push(line) });
    const canary = 'canary-4711';
    log.info({ secret: canary, password: canary, key: canary });
    log.info({ endpoint: { secret: canary }, user: { password: canary }, created: { key: canary } });
    log.info({
      req: { headers: { authorization: canary, cookie: canary, 'x-api-key': canary, accept: 'kept' } },
      res: { headers: { 'set-cookie': canary } },
    });
    expect(lines).to.have.length(3);
    expect(lines.join('')).not.to.include(canary);
    expect(lines[2]).to.include('kept');
  });

  it('leaves alone what is said to hold no secret', () => {
    const lines: string[] = [];
    const log = createLogger('web', 'info', { write: (line: string) => void lines.push(line) });
    withoutRedaction(log).info({ key: 'kept' });
    expect(lines.join('')).to.include('kept');
  });

  it('has none of the values that Postgres refuses, and tells what refused them', async () => {
    const database = await createTestDatabase();
    const { pool } = database;
    try {
      await pool.query(`create table visits (ip inet, browser text constraint visits_known check (browser <> 'SecretBrowser/1.0'));
        create function visit() returns void language plpgsql as $$ begin
          execute 'insert into visits values (''203.0.113.77'', ''SecretBrowser/1.0'') returning 1/0'; end $$`);
      const values = ['203.0.113.77', 'SecretBrowser/1.0'];
      const lines: string[] = [];
      const log = createLogger('web', 'info', { write: (line: string) => void lines.push(line) });
      for (const [sql, parameters] of [
        ['insert into visits values ($1, $2)', values],
        ['insert into visits select * from unnest($1::inet[], $2::text[])', values],
        ['insert into visits select * from unnest($1::inet[])', [values]],
        ['select visit()', []],
      ] as const) {
        const error = await pool.query(sql, [...parameters]).catch((thrown: Error) => thrown);
        log.error({ err: error }, 'failed');
        log.error({ err: new Error('not stored', { cause: error }) }, 'failed');
        log.error({ err: new AggregateError([error], 'none was stored') }, 'failed');
        log.error({ err: new AppError('UNAVAILABLE', { detail: 'not now', cause: error }) }, 'failed');
        plainLogger(log).error(error);
      }
      expect(lines).to.have.length(20);
      for (const value of values) expect(lines.join('')).not.to.include(value);
      const { err } = JSON.parse(lines[0]!) as { err: Record<string, string> };
      expect(err).to.include({ code: '23514', table: 'visits', constraint: 'visits_known' });
      expect(err['message']).to.include('violates check constraint');
      expect(err['stack']).to.include('logger.test.ts');
    } finally {
      await database.drop();
    }
  });

  it('has nothing of a connection that Postgres cut but that it was cut', async () => {
    const database = await createTestDatabase();
    const lines: string[] = [];
    const log = createLogger('web', 'info', { write: (line: string) => void lines.push(line) });
    const pool = createPool({
      databaseUrl: database.url,
      max: 1,
      applicationName: 'to-be-cut',
      onError: (error) => log.warn({ err: error }, 'lost'),
    });
    try {
      const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
      const lost = once(pool, 'error');
      await database.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
      await lost;
      const { err } = JSON.parse(lines[0]!);
      expect(err).to.include({ code: '57P01' }).and.not.to.have.property('client');
      expect(lines[0]).not.to.include('secretKey');
    } finally {
      await pool.end();
      await database.drop();
    }
  });

  it('has nothing of what a command that Redis refuses was given, the password above all', async () => {
    const lines: string[] = [];
    const log = createLogger('web', 'info', { write: (line: string) => void lines.push(line) });
    const server = new URL((await testServices()).redisUrl);
    server.username = 'default';
    server.password = 'canary-4711';
    const redis = createRedis({ REDIS_URL: server.href }, () => undefined);
    try {
      const [refused] = (await once(redis, 'error')) as [Error];
      log.warn({ err: refused }, 'Redis connection');
      log.warn({ err: new AggregateError([refused], 'all of them') }, 'Redis connection');
      log.warn(
        { err: new AppError('UNAVAILABLE', { detail: 'not now', cause: refused }) },
        'request refused',
      );
    } finally {
      redis.disconnect();
    }
    expect(lines).to.have.length(3);
    expect(lines[0])
      .to.include('WRONGPASS')
      .and.to.match(/"command":\{"name":"(hello|auth)"\}/);
    expect(lines.join('')).not.to.include('canary-4711');
  });

  it('ends with an error that is its own cause', () => {
    const lines: string[] = [];
    const log = createLogger('web', 'info', { write: (line: string) => void lines.push(line) });
    const error = new Error('round');
    error.cause = error;
    log.error({ err: error }, 'failed');
    plainLogger(log).error('a sentence');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal([
      'failed',
      'a sentence',
    ]);
  });

  it('keeps the detail of an error that is not Postgres’s', () => {
    const lines: string[] = [];
    const log = createLogger('web', 'info', { write: (line: string) => void lines.push(line) });
    log.error({ err: new AppError('CONFLICT', { detail: 'kept' }) });
    expect(lines.join('')).to.include('"detail":"kept"');
  });

  it('gathers lines, and has none left when the program ends or fails', () => {
    for (const [then, code] of [
      ['process.exit(3)', 3],
      ['throw new Error("of the test")', 1],
    ] as const) {
      const { stdout, status } = spawnSync(process.execPath, program(then), { encoding: 'utf8' });
      expect(stdout).to.include('"msg":"one"');
      expect(status).to.equal(code);
    }
  });

  it('lets a program go on and end where nobody reads it any more', async () => {
    const child = spawn(
      process.execPath,
      program(`process.stdin.once('end', () => {
        setTimeout(() => process.exit(3), 500);
        createLogger('web', 'info').info('two');
      }).resume();`),
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    await once(child.stdout, 'data');
    child.stdout.destroy();
    child.stdin.end();
    expect(await once(child, 'close')).to.deep.equal([3, null]);
  });

  it('and where it ends at once, with a line that it still holds', async () => {
    const then = `process.stdin.once('end', () => { createLogger('web', 'info').info('two'); process.exit(3); }).resume();`;
    const child = spawn(process.execPath, program(then), { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    child.stdin.end();
    expect(await once(child, 'close')).to.deep.equal([3, null]);
  });

  it('and where the disk that it goes to is full', () => {
    const full = openSync('/dev/full', 'w');
    const { status } = spawnSync(process.execPath, program('setTimeout(() => process.exit(3), 500)'), {
      stdio: ['ignore', full, 'inherit'],
    });
    closeSync(full);
    expect(status).to.equal(3);
  });

  it('keeps no line back for long while the program goes on', async () => {
    const child = spawn(process.execPath, program('setInterval(() => undefined, 1000)'), {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      expect(line.toString()).to.include('"msg":"one"');
    } finally {
      child.kill();
    }
    await once(child, 'close');
  });
});
