import { expect } from 'chai';
import type { Db } from '../../../shared/db.ts';
import { newUuids } from '../../../shared/ids.ts';
import { gatherSuspicions } from '../../../shared/risk-cases/gathering.ts';
import { getCase } from '../../../shared/risk-cases/service.ts';
import type { RiskSignal } from '../../../shared/risk/types.ts';
import { startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** How many rows of partitions of scans a plan has read. */
function scansRead(node: PlanNode): number {
  const own = node['Relation Name']?.startsWith('scans_')
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0;
  return (node.Plans ?? []).reduce((sum, inner) => sum + scansRead(inner), own);
}

describe('the evidence of a case', () => {
  let stand: Stand;
  let unit: MintedUnit;
  let caseId: string;

  before(async () => {
    stand = await startStand();
  });
  after(() => stand?.close());

  beforeEach(async () => {
    stand.resetClock();
    unit = await stand.mintUnit();
    // Two continents within a minute: an impossible journey, and nothing else yet.
    for (const ip of ['198.51.100.7', '203.0.113.7']) {
      await fetch(`${stand.origin}/v/${unit.token}`, { headers: { 'x-forwarded-for': ip } });
      stand.advance(60_000);
    }
    await stand.score();
    const { rows } = await stand.database.pool.query<{ id: string; signals: string[] }>(
      'select id, signals from risk_cases where unit_id = $1',
      [unit.unitId],
    );
    caseId = rows[0]!.id;
    expect(rows[0]!.signals).to.deep.equal(['impossible_travel']);
  });

  /** Suspicious scans that show one kind of signal, gathered as scoring gathers them. @returns the signal of the newest */
  async function flood(ids: readonly string[], type: string) {
    const { pool } = stand.database;
    const { rows } = await pool.query<{ org_id: string; batch_id: string; signal: RiskSignal }>(
      `insert into scans (id, org_id, unit_id, product_id, batch_id, at, result, risk_level, risk_score, signals, assessment, scorings)
       select t.id, u.org_id, u.id, u.product_id, u.batch_id, now(), 'suspicious', 'high', 70,
              jsonb_build_array(jsonb_build_object('type', $3::text, 'weight', 60, 'visitors', t.n)), 'final', 1
         from unnest($1::uuid[]) with ordinality as t (id, n) cross join product_units u where u.id = $2
       returning org_id, batch_id, signals -> 0 as signal`,
      [ids, unit.unitId, type],
    );
    await gatherSuspicions({ clock: { now: stand.now } }, pool, [
      {
        orgId: rows[0]!.org_id,
        unitId: unit.unitId,
        productId: unit.productId,
        batchId: rows[0]!.batch_id,
        isConfirmed: false,
        scans: ids.length,
        maxScore: 70,
        signals: [type],
        firstScanId: ids[0]!,
        lastScanId: ids.at(-1)!,
      },
    ]);
    return rows.at(-1)!.signal;
  }

  const evidence = async () => {
    const found = await getCase(stand.database.pool, stand.orgId, caseId);
    return Object.fromEntries(found.evidence.map((signal) => [signal.type, signal]));
  };

  it('of a kind seen only at first is found without reading what came since', async () => {
    const { impossible_travel: journey } = await evidence();
    const clone = await flood(newUuids(2_000), 'clone');
    expect(await evidence()).to.deep.equal({ impossible_travel: journey, clone });
    let read = -1;
    const { pool } = stand.database;
    const query = async (sql: string, values: unknown[]) => {
      if (sql.includes('from scans')) {
        const { rows } = await pool.query(`explain (analyze, format json) ${sql}`, values);
        read = scansRead(rows[0]['QUERY PLAN'][0].Plan);
      }
      return pool.query(sql, values);
    };
    await getCase({ query } as Db, stand.orgId, caseId);
    expect(read).to.be.within(2, 10);
  });

  it('is the newest, also where an older scan comes late', async () => {
    const [late, ...ids] = newUuids(6);
    const clone = await flood(ids, 'clone');
    await flood([late!], 'clone');
    expect((await evidence())['clone']).to.deep.equal(clone);
  });

  it('is found where an earlier release gathered it', async () => {
    await flood(newUuids(5), 'clone');
    const before = await evidence();
    await stand.database.pool.query(`update risk_cases set evidence_until = '{}' where id = $1`, [caseId]);
    expect(await evidence()).to.deep.equal(before);
  });
});
