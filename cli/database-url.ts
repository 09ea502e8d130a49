/** The database that a command is about. */
import { resolve } from 'node:path';
import { findRunningServices } from '../launcher/running-services.ts';

/**
 * @returns `DATABASE_URL`, or the address of the running `npm start`'s
 * @throws Error where there is neither
 */
export function databaseUrlOf(env: NodeJS.ProcessEnv = process.env): string {
  const url = env.DATABASE_URL || findRunningServices(resolve(env.DATA_DIR || '.data'))?.databaseUrl;
  if (!url) throw new Error('set DATABASE_URL, or start a stack with "npm start"');
  return url;
}
