/** `npm start`. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { startDemoData } from './demo-data.ts';
import { ensureDemoKey } from './demo-key.ts';
import { runStart } from './run-start.ts';

// This file is launcher/start.ts in development and dist/launcher/start.js after a build.
const above = path.join(import.meta.dirname, '..');
const root = existsSync(path.join(above, 'Procfile')) ? above : path.join(above, '..');

process.exitCode = await runStart({
  root,
  env: process.env,
  print: (line) => console.log(line),
  ensureDemoKey,
  startDemoData,
});
