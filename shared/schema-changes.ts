/** The changes of the schema that this release knows, and those that its database lacks: without knex, which only a release needs. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from './db.ts';
import { sqlState } from './errors.ts';
import { listAppliedMigrations } from './installation/repository.ts';

export const MIGRATIONS_FOLDER = path.join(import.meta.dirname, '..', 'migrations');

/** @returns files named `YYYYMMDDhhmmss_what.ts` or `.js`, oldest first. */
export async function listMigrationFiles(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  return files.filter((file) => /^\d{14}_\w+\.[jt]s$/.test(file)).sort();
}

export const migrationNameOf = (file: string): string => file.replace(/\.[jt]s$/, '');

const UNDEFINED_TABLE = '42P01';

/** @returns names, oldest first; what a later release has done more does not matter. @throws while Postgres does not answer. */
export async function listMissingMigrations(db: Db): Promise<string[]> {
  const known = (await listMigrationFiles(MIGRATIONS_FOLDER)).map(migrationNameOf);
  try {
    const applied = new Set(await listAppliedMigrations(db));
    return known.filter((name) => !applied.has(name));
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return known;
    throw error;
  }
}
