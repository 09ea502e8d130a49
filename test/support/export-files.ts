/** Files of exports, as callers and the storage's folder have them. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { TestApi } from './api.ts';

/** Follows a signed link. */
export const downloadFile = (api: TestApi, url: string) => {
  const { pathname, search } = new URL(url);
  return api
    .http()
    .get(pathname + search)
    .buffer(true)
    .parse((res, done) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => done(null, Buffer.concat(chunks)));
    });
};

/** @param uuid of an export @returns the names of what lies in its folder */
export function filesOfExport(api: TestApi, uuid: string): string[] {
  try {
    const folder = path.join(api.deps.config.STORAGE_DIR, 'exports', uuid);
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.'));
  } catch {
    return [];
  }
}
