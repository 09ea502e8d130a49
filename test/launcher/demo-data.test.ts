import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { startDemoData, wantsDemoData } from '../../launcher/demo-data.ts';
import { ensureDemoKey } from '../../launcher/demo-key.ts';
import { ensureDemoOrganization } from '../../launcher/demo-organization.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeScratch } from '../support/scratch.ts';

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
    before(async () => {
      database = await createTestDatabase();
    });
    after(async () => {
      scratch.remove();
      await database?.drop();
    });

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
  });
});
