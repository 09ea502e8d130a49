import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../shared/package-root.ts';
import { makeScratch } from '../support/scratch.ts';

describe('the build', () => {
  it('leaves nothing in dist of a source that is gone, and everything else', () => {
    const { folder, remove } = makeScratch();
    try {
      const write = (file: string) => {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
        writeFileSync(path.join(folder, file), '');
      };
      const kept = [
        'dist/knexfile.js',
        'dist/migrations/1_first.js',
        'dist/migrations/1_first.js.map',
        'dist/api/verify/page.js',
        'dist/api/verify/words.json',
        'dist/dashboard/assets/index.js',
        'dist/dashboard-17/assets/index.js',
        'dist/replay/cli/risk-replay.js',
        'dist/tsconfig.build.tsbuildinfo',
      ];
      const gone = ['dist/migrations/2_second.js', 'dist/migrations/2_second.js.map', 'dist/old.js'];
      const sources = ['knexfile.ts', 'migrations/1_first.ts', 'api/verify/page.ts'];
      for (const file of [...kept, ...gone, ...sources]) write(file);
      execFileSync(process.execPath, [
        '--import',
        'tsx',
        path.join(packageRoot, 'cli/prune-build.ts'),
        folder,
      ]);
      const there = (file: string) => existsSync(path.join(folder, file));
      expect([...kept, ...sources].filter((file) => !there(file))).to.deep.equal([]);
      expect(gone.filter(there)).to.deep.equal([]);
    } finally {
      remove();
    }
  });
});
