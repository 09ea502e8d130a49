import { expect } from 'chai';
import type { Db } from '../../../shared/db.ts';
import { forgetOldContacts, forgetReporters } from '../../../shared/counterfeit-reports/retention.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const REPORTS = 4_500;
/** As `docs/privacy.md` says of all that comes of age. */
const BATCH = 2_000;

describe('what is forgotten of reports', () => {
  let database: TestDatabase;
  const clock = { now: () => new Date('2026-06-01T00:00:00Z') };
  const changed: number[] = [];
  const watched = (): Db => ({
    query: (async (text: string, values: unknown[]) => {
      const result = await database.pool.query(text, values);
      changed.push(result.rowCount ?? 0);
      return result;
    }) as Db['query'],
  });

  before(async () => {
    database = await createTestDatabase();
    await database.pool.query(
      `insert into counterfeit_reports (id, description, contact_name, network_id, fingerprint, created_at, updated_at)
       select gen_random_uuid(), 'Odd', 'Ada', 'network', sha256(n::text::bytea), $1, $1 from generate_series(1, $2) n`,
      [new Date('2025-01-01T00:00:00Z'), REPORTS],
    );
  });
  after(() => database.drop());
  beforeEach(() => changed.splice(0));

  for (const [what, forget, column] of [
    ['contact details', forgetOldContacts, 'contact_name'],
    ['networks', forgetReporters, 'network_id'],
  ] as const)
    it(`are ${what} in batches, so that nobody waits for all of them, and no statement runs too long`, async () => {
      expect(await forget({ db: watched(), clock }, 30)).to.equal(REPORTS);
      expect(changed).to.deep.equal([BATCH, BATCH, REPORTS - 2 * BATCH]);
      const { rows } = await database.pool.query(
        `select count(*) as left from counterfeit_reports where ${column} is not null`,
      );
      expect(rows[0].left).to.equal(0);
    });
});
