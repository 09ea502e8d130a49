import { expect } from 'chai';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { loadCluster } from '../../launcher/cluster.ts';
import { makeScratch } from '../support/scratch.ts';

describe('loadCluster', () => {
  const scratch = makeScratch();
  after(() => scratch.remove());
  const root = path.join(scratch.folder, 'public');
  const dataDir = path.join(scratch.folder, 'home', '.data');
  let lines: string[] = [];
  const load = (isReachable: boolean) => {
    lines = [];
    mkdirSync(dataDir, { recursive: true });
    return loadCluster({
      dataDir,
      isReachable: () => isReachable,
      publicRoot: () => root,
      log: (line) => lines.push(line),
    });
  };
  /** As `initdb` leaves it. */
  const initialize = (folder: string) => mkdirSync(path.join(folder, 'postgres'));
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('begins anew where the data folder was removed and its database is elsewhere', () => {
    const first = load(false);
    initialize(first.folder);
    rmSync(dataDir, { recursive: true });
    const second = load(false);
    expect(second.folder).not.to.equal(first.folder);
    expect(path.dirname(second.folder)).to.equal(root);
    expect(lines.join('\n')).to.include(first.folder).and.include(second.folder);
    initialize(second.folder);
    expect(load(false)).to.deep.equal(second);
  });

  it('says at each start where the database is, unless it is in the data folder', () => {
    const { folder } = load(false);
    load(true);
    expect(lines).to.deep.equal([`the database is kept in ${folder}`]);
    rmSync(dataDir, { recursive: true });
    expect(load(true).folder).to.equal(dataDir);
    load(true);
    expect(lines).to.deep.equal([]);
  });

  it('refuses a data folder that came without its database', () => {
    const { folder } = load(false);
    rmSync(folder, { recursive: true });
    expect(() => load(false)).to.throw(`the database is in ${folder}, where nothing is`);
    expect(existsSync(folder)).to.equal(false);
  });
});
