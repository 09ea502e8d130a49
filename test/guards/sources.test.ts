import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../shared/package-root.ts';

const listFiles = (folder: string): string[] =>
  readdirSync(path.join(packageRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(packageRoot, path.join(entry.parentPath, entry.name)));

const PROGRAM = ['api', 'workers', 'shared'].flatMap(listFiles).filter((file) => file.endsWith('.ts'));
const read = (file: string) => readFileSync(path.join(packageRoot, file), 'utf8');
const offenders = (files: string[], pattern: RegExp) => files.filter((file) => pattern.test(read(file)));

describe('the sources', () => {
  it('have SQL in repositories and migrations only', () => {
    const allowed = /repository\.ts$/;
    // `select 1` asks whether Postgres answers; locks and transactions belong to no table.
    const exempt = ['shared/db.ts', 'shared/leader.ts', 'shared/migrate.ts', 'shared/new-index.ts'];
    const sql =
      /[`'"]\s*(?:select\s[\s\S]{0,200}?\bfrom\b|insert into\s|update \w+[\s\S]{0,80}?\bset\b|delete from\s|with \w+ as \()/;
    const found = offenders(
      PROGRAM.filter((file) => !allowed.test(file) && !exempt.includes(file)),
      sql,
    );
    expect(found).to.deep.equal([]);
    // The pattern does find SQL.
    expect(
      offenders(
        PROGRAM.filter((file) => allowed.test(file)),
        sql,
      ).length,
    ).to.be.greaterThan(10);
  });

  it('build indexes of tables that are there beside the service, in migrations from now on', () => {
    const before = 'migrations/20261130020000';
    const index =
      /create\s+(?:unique\s+)?index\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?(?:(?!on\s)\S+\s+)?on\s+(?:only\s+)?(\w+)/gi;
    const indexesOf = (text: string) => [...text.matchAll(index)].map(([, table]) => table);
    const later = listFiles('migrations').filter((file) => file > before);
    const found = later.filter((file) => {
      const text = read(file);
      const made = new Set(
        [...text.matchAll(/create\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map(([, table]) => table),
      );
      // Constraints that are indexes, and knex's own words for any of them.
      const others =
        /\.(?:index|unique|primary)\(|\badd\s+(?:constraint\s+\S+\s+)?(?:unique|primary|exclude)\b/i;
      return others.test(text) || indexesOf(text).some((table) => !made.has(table));
    });
    expect(found).to.deep.equal([]);
    const made = later.filter((file) => read(file).includes('indexes: readonly NewIndex[]'));
    expect(made).to.have.length.greaterThan(1);
    // With the month of a partition behind them they are names that Postgres does not cut short.
    expect(offenders(made, /name: '\w{56}/)).to.deep.equal([]);
    // The pattern does find what makes one.
    for (const making of [
      'create index scans_more on scans (id)',
      'CREATE UNIQUE INDEX scans_more\n  ON scans (id)',
      'create index if not exists scans_more on scans (id)',
      'create index concurrently if not exists scans_more on only scans (id)',
      'create index on scans (id)',
    ])
      expect(indexesOf(making), making).to.deep.equal(['scans']);
  });

  it('read the environment in one place', () => {
    expect(offenders(PROGRAM, /process\.env\b/)).to.deep.equal(['shared/config.ts']);
  });

  it('ask no function for whether something is an address that forgets it after some thousand calls', () => {
    expect(offenders(PROGRAM, /^(?! \*).*\bcanParse\(/m)).to.deep.equal([]);
  });

  it('exit in main programs only', () => {
    const found = offenders(PROGRAM, /process\.exit\(/);
    for (const file of found) expect(file).to.match(/^(?:api|workers)\/(?:main|release)\.ts$/);
  });

  it('name no place of somebody’s machine', () => {
    const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: packageRoot, encoding: 'utf8' })
      .split('\0')
      .filter((file) => /\.(?:ts|js|cjs|json|md|yaml|yml)$|^(?:Dockerfile|Procfile|\.npmrc)$/.test(file))
      .filter((file) => file !== 'package-lock.json' && file !== 'test/guards/sources.test.ts');
    expect(offenders(tracked, /(?:^|[\s'"`(=])\/(?:work|home\/\w+|Users\/\w+|root)\//m)).to.deep.equal([]);
  });

  it('have no file of more than 400 lines', () => {
    expect(PROGRAM.filter((file) => read(file).split('\n').length > 401)).to.deep.equal([]);
  });
});
