import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../shared/package-root.ts';

/** Violations by the file that commits them, and the rule that must name them. */
const VIOLATIONS: [file: string, source: string, rule: string][] = [
  ['api/a.ts', `import { x } from '../workers/x.ts';\nx();\n`, 'no-restricted-imports'],
  ['api/b.ts', `import { Queue } from 'bullmq';\nQueue;\n`, 'no-restricted-imports'],
  ['api/c.ts', `import { x } from '../shared/products/repository.ts';\nx();\n`, 'no-restricted-imports'],
  ['workers/a.ts', `import { x } from '../api/x.ts';\nx();\n`, 'no-restricted-imports'],
  ['workers/b.ts', `import express from 'express';\nexpress();\n`, 'no-restricted-imports'],
  ['shared/a.ts', `import { x } from '../api/x.ts';\nx();\n`, 'no-restricted-imports'],
  ['shared/b.ts', `import { x } from '../workers/x.ts';\nx();\n`, 'no-restricted-imports'],
  ['shared/c.ts', `import express from 'express';\nexpress();\n`, 'no-restricted-imports'],
  ['shared/d.ts', `import { Queue } from 'bullmq';\nQueue;\n`, 'no-restricted-imports'],
  ['shared/units/e.ts', `import { x } from '../batches/repository.ts';\nx();\n`, 'no-restricted-imports'],
  [
    'shared/units/f.ts',
    `import { x } from '../webhooks/endpoint-repository.ts';\nx();\n`,
    'no-restricted-imports',
  ],
  [
    'dashboard/src/screens/a.ts',
    `import { x } from '../../../shared/units/service.ts';\nx();\n`,
    'no-restricted-imports',
  ],
  [
    'dashboard/src/b.ts',
    `import { x } from '../../api/products/schema.ts';\nx();\n`,
    'no-restricted-imports',
  ],
  ['dashboard/src/c.ts', `import { x } from '../../workers/registry.ts';\nx();\n`, 'no-restricted-imports'],
  ['shared/g.ts', `export const x = process.env.HOME;\n`, 'no-process-env'],
  ['workers/c.ts', `export const x = process.env.HOME;\n`, 'no-process-env'],
  ['api/d.ts', `export default 1;\n`, 'no-default-export'],
  ['api/e.ts', `export const x: any = 1;\n`, 'no-explicit-any'],
  ['api/f.ts', `console.log(1);\n`, 'no-console'],
];

describe('the linter', () => {
  it('refuses each import that crosses a border, and what else is forbidden', function () {
    this.timeout(30_000);
    const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-lint-'));
    try {
      symlinkSync(path.join(packageRoot, '.oxlintrc.json'), path.join(folder, '.oxlintrc.json'));
      for (const [file, source] of VIOLATIONS) {
        mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
        writeFileSync(path.join(folder, file), source);
      }
      const oxlint = path.join(packageRoot, 'node_modules', 'oxlint', 'bin', 'oxlint');
      const { stdout, status } = spawnSync(process.execPath, [oxlint, '--format', 'unix'], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(status).to.equal(1);
      const lines = stdout.split('\n');
      for (const [file, , rule] of VIOLATIONS) {
        const found = lines.some((line) => line.includes(file) && line.includes(rule));
        expect(found, `${rule} in ${file}\n${stdout}`).to.equal(true);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
