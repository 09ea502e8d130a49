/** The version that `package.json` says, for the User-Agent, the OpenAPI document and the log. */
import { readFileSync } from 'node:fs';
import { packageRoot } from './package-root.ts';

const { version } = JSON.parse(readFileSync(`${packageRoot}/package.json`, 'utf8')) as { version: string };

export const VERSION: string = version;
