import { expect } from 'chai';
import knex from 'knex';
import { newUuid } from '../../shared/ids.ts';
import { ExtensionlessMigrations, knexConfig } from '../../shared/migrate.ts';
import { NO_AUDIENCE, withUnit } from '../../shared/risk/audience.ts';
import { emptyProfile } from '../../shared/risk/score.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const MIGRATION = '20261122130000_organization_audiences.ts';

describe('the migration that counts how many people an organization’s units meet', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  it('counts the profiles that are there as the scorer would have', async () => {
    const { pool } = database;
    const migration = await new ExtensionlessMigrations().getMigration(MIGRATION);
    const db = knex(knexConfig(database.url));
    try {
      await migration.down!(db);
      const met: Record<string, (number | null)[]> = {
        [newUuid()]: [null, 0, 1, 2, 3, 4, 5, 44],
        [newUuid()]: [2],
        [newUuid()]: [0, 1],
      };
      for (const [orgId, visitors] of Object.entries(met)) {
        await pool.query(`insert into organizations (id, name) values ($1, 'x')`, [orgId]);
        for (const number of visitors) {
          const profile = number === null ? null : { ...emptyProfile(), visitors: number };
          await pool.query(`insert into unit_risk_profiles (unit_id, org_id, profile) values ($1, $2, $3)`, [
            newUuid(),
            orgId,
            profile,
          ]);
        }
      }
      await migration.up(db);

      const { rows } = await pool.query<{ org_id: string; chances: string; met: string }>(
        'select org_id, chances, met from organization_audiences',
      );
      const counted = new Map(
        rows.map(({ org_id, ...audience }) => [
          org_id,
          { ...NO_AUDIENCE, chances: Number(audience.chances), met: Number(audience.met) },
        ]),
      );
      for (const [orgId, visitors] of Object.entries(met)) {
        const expected = visitors.reduce<typeof NO_AUDIENCE>(
          (audience, number) => withUnit(audience, null, { visitors: number ?? 0, recent: [] }),
          NO_AUDIENCE,
        );
        expect(counted.get(orgId) ?? NO_AUDIENCE).to.deep.equal(expected);
      }
      expect(counted.size).to.equal(2);
    } finally {
      await db.destroy();
    }
  });
});
