import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { startDemoData, wantsDemoData } from '../../launcher/demo-data.ts';
import { ensureDemoKey } from '../../launcher/demo-key.ts';
import { ensureDemoOrganization } from '../../launcher/demo-organization.ts';
import type { DemoData } from '../../launcher/run-start.ts';
import { systemClock } from '../../shared/clock.ts';
import { createProduct } from '../../shared/products/service.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeScratch, until } from '../support/scratch.ts';

const PRODUCT = {
  name: 'Olive oil',
  sku: 'OO-1',
  gtin: null,
  brand: null,
  description: null,
  imageUrl: null,
  markets: [],
  attributes: {},
  links: [],
};

describe('demo data', () => {
  it('go into a database that the launcher made, never into production or somebody’s own unless asked for', () => {
    const own = { DATABASE_URL: 'postgres://db.example/own' };
    expect(wantsDemoData({})).to.equal(true);
    expect(wantsDemoData({ DEMO_DATA: 'false' })).to.equal(false);
    expect(wantsDemoData({ NODE_ENV: 'production' })).to.equal(false);
    expect(wantsDemoData(own)).to.equal(false);
    expect(wantsDemoData({ ...own, NODE_ENV: 'production', DEMO_DATA: 'true' })).to.equal(true);
  });

  describe('asked for after a start without them', () => {
    const scratch = makeScratch();
    let database: TestDatabase;
    beforeEach(async () => {
      database = await createTestDatabase();
    });
    afterEach(() => database?.drop());
    after(() => scratch.remove());

    it('find the sign-in of the organization that the key made, and say where nobody has its password', async () => {
      const folder = (name: string) => {
        const made = path.join(scratch.folder, name);
        mkdirSync(made);
        return made;
      };
      const [here, elsewhere] = [folder('here'), folder('elsewhere')];
      const stack = { databaseUrl: database.url, env: { API_KEY_PEPPER: 'p'.repeat(32) } };
      const key = await ensureDemoKey(stack, here, undefined);
      expect(await ensureDemoKey(stack, here, key)).to.equal(key);

      const { orgId, password } = await ensureDemoOrganization(database.pool, here);
      expect(password).to.match(/^[\w-]{16}$/);
      expect(await ensureDemoOrganization(database.pool, elsewhere)).to.deep.equal({ orgId, password: null });

      const printed: string[] = [];
      const demo = await startDemoData(stack, {
        root: scratch.folder,
        env: { DEMO_DATA: 'true' },
        print: (line) => printed.push(line),
        dataDir: elsewhere,
      });
      expect(demo).to.equal(null);
      expect(printed).to.have.length(1);
      expect(printed[0])
        .to.match(/^no demo data: the password of owner@demo\.example/)
        .and.include(elsewhere);
    });

    it('say at the next start that they are half made, where they were ended before they were done', async () => {
      const dataDir = path.join(scratch.folder, 'ended');
      const programs = path.join(scratch.folder, 'dist', 'sample-data');
      mkdirSync(programs, { recursive: true });
      mkdirSync(dataDir);
      const made = (program: string, env: NodeJS.ProcessEnv = {}) => {
        writeFileSync(path.join(programs, 'main.js'), program);
        return startDemoData(
          { databaseUrl: database.url, env: { API_KEY_PEPPER: 'p'.repeat(32) } },
          {
            root: scratch.folder,
            env: { ...env, DEMO_DATA: 'true' },
            print: (line) => printed.push(line),
            dataDir,
          },
        );
      };
      const printed: string[] = [];
      const noteOf = (demo: DemoData | null) => demo?.note ?? null;

      const first = await made(`console.log('began'); setInterval(() => {}, 1000);`);
      expect(noteOf(first)).to.match(/being made/);
      await until('the first row', () => printed.includes('demo-data | began'));
      const { orgId } = await ensureDemoOrganization(database.pool, dataDir);
      await first!.stop();
      // Nothing was made yet: it begins anew, and may come to its end.
      const second = await made(`console.log('done');`);
      expect(noteOf(second)).to.match(/being made/);
      await until('the end', () => !existsSync(path.join(dataDir, 'demo-data-unfinished')));
      await second!.stop();

      const third = await made(`console.log('began again'); setInterval(() => {}, 1000);`);
      await until('the first row', () => printed.includes('demo-data | began again'));
      await createProduct({ clock: systemClock }, database.pool, orgId, PRODUCT);
      await third!.stop();
      const half = await made('');
      expect(noteOf(half)).to.match(/half made.*Remove the data folder/);
      expect(noteOf(await made('', { DATABASE_URL: database.url })))
        .to.match(/half made/)
        .and.not.include('Remove');
    });
  });
});
