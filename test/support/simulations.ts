/** Simulations of risk policies on a stand, worked off in the test's own process. */
import { runSimulation } from '../../shared/risk-simulations/service.ts';
import type { Stand } from './verification-stand.ts';

/** @returns its UUID. */
export async function newestSimulation({ database }: Pick<Stand, 'database'>): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from risk_simulations order by id desc limit 1',
  );
  return rows[0]!.id;
}

/** Works on one as a worker does. @param id its UUID */
export const settleSimulation = (
  { deps: { db, clock } }: Pick<Stand, 'deps'>,
  id: string,
  stopping = new AbortController().signal,
): ReturnType<typeof runSimulation> => runSimulation({ db, clock, leaseSeconds: 60, stopping }, id);
