import { expect } from 'chai';
import knex, { type Knex } from 'knex';
import { newUuid } from '../../shared/ids.ts';
import { ExtensionlessMigrations, knexConfig } from '../../shared/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const MIGRATIONS = ['20261125180000_cases_opened_by_people.ts', '20261125190000_case_decisions.ts'];

describe('the migrations of cases that people open and decide', () => {
  let database: TestDatabase;
  let db: Knex;
  const orgId = newUuid();

  before(async () => {
    database = await createTestDatabase();
    db = knex(knexConfig(database.url));
    await database.pool.query(`insert into organizations (id, name) values ($1, 'x')`, [orgId]);
  });
  after(async () => {
    await db?.destroy();
    await database?.drop();
  });

  async function insert(fields: Record<string, unknown>): Promise<string> {
    const id = newUuid();
    await db('risk_cases').insert({
      id,
      org_id: orgId,
      unit_id: newUuid(),
      product_id: newUuid(),
      batch_id: newUuid(),
      suspicious_scans: 0,
      max_score: 0,
      signals: [],
      opened_at: '2026-11-20T10:00:00Z',
      updated_at: '2026-11-20T10:00:00Z',
      ...fields,
    });
    return id;
  }
  const scanned = () => {
    const scanId = newUuid();
    return { suspicious_scans: 1, max_score: 80, first_scan_id: scanId, last_scan_id: scanId };
  };

  it('know the decisions that are in force, and lose no case that the release before can show', async () => {
    const [first, second] = await Promise.all(
      MIGRATIONS.map((name) => new ExtensionlessMigrations().getMigration(name)),
    );
    const closed_at = new Date('2026-11-21T10:00:00Z');
    const open = await insert(scanned());
    const closed = await insert({
      ...scanned(),
      status: 'confirmed',
      closing_reason: 'copied_code',
      closed_at,
    });
    const profile = (fields: object) => {
      const unit_id = newUuid();
      return db('unit_risk_profiles')
        .insert({ unit_id, org_id: orgId, ...fields })
        .then(() => unit_id);
    };
    const [suspected, condemned, corrected, copied] = await Promise.all([
      profile({ state: 'suspect' }),
      profile({ state: 'confirmed', decision: 'confirmed', decided_at: closed_at }),
      profile({
        state: 'confirmed',
        decision: 'confirmed',
        decided_at: closed_at,
        earlier_decisions: JSON.stringify([{ decision: 'dismissed', at: '2026-11-20T09:00:00Z' }]),
      }),
      profile({ state: 'confirmed', decision: 'confirmed', decided_at: closed_at }),
    ]);
    const byHand = { opened_by: 'user_x' };
    const confirmed = { status: 'confirmed', closing_reason: 'copied_code', closed_at };
    await insert({ ...byHand, unit_id: suspected });
    for (const unit_id of [condemned, corrected, copied]) await insert({ ...byHand, ...confirmed, unit_id });
    const kept = await insert({ ...scanned(), ...confirmed, unit_id: copied });
    await second!.down!(db);
    await first!.down!(db);
    expect(await db('risk_cases').pluck('id')).to.have.members([open, closed, kept]);
    const states = await db('unit_risk_profiles').select('unit_id', 'state', 'decision');
    const stateOf = (id: string) => states.find(({ unit_id }) => unit_id === id);
    // Nobody could undo there what was decided in a case that is gone.
    expect(stateOf(suspected!)).to.include({ state: 'clear', decision: null });
    expect(stateOf(condemned!)).to.include({ state: 'clear', decision: null });
    expect(stateOf(corrected!)).to.include({ state: 'clear', decision: 'dismissed' });
    expect(stateOf(copied!)).to.include({ state: 'confirmed', decision: 'confirmed' });
    await first!.up(db);
    await second!.up(db);
    const decisions = await db('risk_case_decisions').select(
      'case_id',
      'decision',
      'closing_reason',
      'author',
      'at',
    );
    expect(decisions).to.have.deep.members(
      [closed, kept].map((case_id) => ({
        case_id,
        decision: 'confirmed',
        closing_reason: 'copied_code',
        author: null,
        at: closed_at,
      })),
    );
  });

  it('refuse a case that neither a scan nor a person opened, and one with half of its scans', async () => {
    const refused = async (fields: object) =>
      insert({ ...fields }).catch((error: { constraint: string }) => error.constraint);
    expect(await refused({})).to.equal('risk_cases_opened');
    expect(await refused({ opened_by: 'user_x', last_scan_id: newUuid() })).to.equal('risk_cases_scans');
    // The release before, beside this one, counts on without the first.
    expect(await refused({ ...scanned(), first_scan_id: null }))
      .to.be.a('string')
      .and.not.match(/^risk_cases/);
  });
});
