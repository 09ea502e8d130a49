/** Where the private Postgres of a data folder keeps its data, and under which password. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stableName } from './postgres-account.ts';

/** Written to `postgres.json` (mode 600). */
export interface Cluster {
  /** The folder that holds `postgres/` (the cluster itself) and, where need be, a copy of the programs. */
  folder: string;
  password: string;
}

export interface ClusterOptions {
  /** Absolute. */
  dataDir: string;
  /** Whether the server's account can reach it. */
  isReachable(): boolean;
  /** A folder for what it cannot reach. */
  publicRoot(): string;
  log: (line: string) => void;
}

/**
 * Once chosen, the place is kept: rights that change later must not make the data seem lost.
 * @throws where the data folder came without the database that is not in it
 */
export function loadCluster({ dataDir, isReachable, publicRoot, log }: ClusterOptions): Cluster {
  const file = path.join(dataDir, 'postgres.json');
  if (existsSync(file)) {
    const known = JSON.parse(readFileSync(file, 'utf8')) as Cluster;
    // Relative when inside the data folder, so that the folder can be moved.
    const folder = path.resolve(dataDir, known.folder);
    if (!existsSync(folder))
      throw new Error(`${file} says that the database is in ${folder}, where nothing is: put it there`);
    if (folder !== path.resolve(dataDir)) log(`the database is kept in ${folder}`);
    return { ...known, folder };
  }
  const isInside = isReachable();
  const folder = isInside ? dataDir : freeFolder(publicRoot(), dataDir, log);
  if (!isInside) {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    log(`the user "postgres" cannot reach ${dataDir}: the database is kept in ${folder}`);
  }
  const cluster = { folder, password: randomBytes(24).toString('base64url') };
  const note: Cluster = { ...cluster, folder: isInside ? '.' : folder };
  writeFileSync(file, JSON.stringify(note, null, 2), { mode: 0o600 });
  return cluster;
}

/** Whoever removes a data folder begins anew: its database stays, with a password that nobody knows any more. */
function freeFolder(root: string, dataDir: string, log: (line: string) => void): string {
  const first = path.join(root, stableName(dataDir));
  let folder = first;
  for (let next = 2; existsSync(path.join(folder, 'postgres')); next += 1) {
    log(`${folder} has the database of a ${dataDir} that was removed, and may be removed as well`);
    folder = `${first}-${next}`;
  }
  return folder;
}
