/** `npm start` for a project of the test's making. */
import { runStart } from '../../../launcher/run-start.ts';

process.exitCode = await runStart({
  root: process.argv[2]!,
  env: process.env,
  print: (line) => console.log(line),
  ensureDemoKey: (_stack, _dataDir, known) => Promise.resolve(known ?? 'made-at-the-first-start'),
});
