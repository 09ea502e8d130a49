/** The built dashboard, read once: a few hundred files, three megabytes. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../shared/package-root.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

export type Encoding = 'br' | 'gzip' | 'identity';

export interface Asset {
  contentType: string;
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer };
}

export interface BuiltDashboard {
  /** `index.html`, with a place for the nonce. */
  page: string;
  /** By name; each name changes with its content. */
  assets: ReadonlyMap<string, Asset>;
}

/** @returns the build, or null where there is none (`npm run build`). */
export function readDashboard(folder = path.join(packageRoot, 'dist', 'dashboard')): BuiltDashboard | null {
  let names: string[];
  try {
    names = readdirSync(path.join(folder, 'assets'));
  } catch {
    return null;
  }
  const known = new Set(names);
  const assets = new Map<string, Asset>();
  for (const name of names) {
    const contentType = TYPES[path.extname(name)];
    if (contentType === undefined) continue;
    const read = (suffix: string) => readFileSync(path.join(folder, 'assets', name + suffix));
    assets.set(name, {
      contentType,
      bodies: {
        identity: read(''),
        ...(known.has(`${name}.br`) ? { br: read('.br') } : {}),
        ...(known.has(`${name}.gz`) ? { gzip: read('.gz') } : {}),
      },
    });
  }
  return { page: readFileSync(path.join(folder, 'index.html'), 'utf8'), assets };
}
