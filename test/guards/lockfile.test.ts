import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../shared/package-root.ts';

interface LockedPackage {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

describe('the lockfile', () => {
  const text = readFileSync(path.join(packageRoot, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> };

  /** Where Node would look from a package: its own node_modules, then those above. */
  const isLocked = (name: string, from: string): boolean => {
    if (`${from === '' ? '' : `${from}/`}node_modules/${name}` in packages) return true;
    return from !== '' && isLocked(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
  };

  // A platform's package that the registry does not have is left out in silence, and then `npm ci` refuses everywhere.
  it('holds every package that another one names, those for other platforms too', () => {
    const missing = Object.entries(packages).flatMap(([from, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !isLocked(name, from))
        .map((name) => `${from || '(root)'} needs ${name}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it('names no registry', () => {
    expect(text).to.not.include('"resolved"');
  });
});
