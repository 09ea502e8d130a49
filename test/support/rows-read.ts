/** How many rows Postgres reads for an answer: what an index is for, told without a clock. */
import type { QueryConfig } from 'pg';
import type { Db, Pool } from '../../shared/db.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Of a table; or of an index, where several of them are read to find what stands in each. */
const isRead = (node: PlanNode, parent: PlanNode | null): boolean =>
  node['Relation Name'] !== undefined || parent?.['Node Type'] === 'BitmapAnd';

const rowsRead = (node: PlanNode, parent: PlanNode | null = null): number =>
  (isRead(node, parent)
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0) + (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child, node), 0);

/** @returns a connection that explains each statement before it is run, and the rows that the last one read. */
export function countingReads(pool: Pool): { db: Db; read: () => number } {
  let read = 0;
  const db = {
    query: async (given: string | QueryConfig, values: unknown[] = []) => {
      if (typeof given !== 'string') return db.query(given.text, given.values);
      const text = given;
      const explain = `explain (analyze, format json) ${text}`;
      const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain, values);
      read = rowsRead(rows[0]!['QUERY PLAN'][0]!.Plan);
      return pool.query(text, values);
    },
  } as unknown as Db;
  return { db, read: () => read };
}

/**
 * @param work asks Postgres; nothing of what it changes stays, and it is done twice, as it is explained first
 * @param begin how its transaction begins
 * @returns how many rows its last statement read
 */
export async function rowsReadBy(
  pool: Pool,
  work: (db: Db) => Promise<unknown>,
  begin = 'begin',
): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    const { db, read } = countingReads({ query: client.query.bind(client) } as never);
    await work(db);
    return read();
  } finally {
    await client.query('rollback');
    client.release();
  }
}
