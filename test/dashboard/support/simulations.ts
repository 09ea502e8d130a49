/** Simulations of risk policies, while stories are told. */
import type { Account, Stack } from './stack.ts';

/** Keeps them from coming to their end while a part of the story is told. */
export async function whereCounting({ installation }: Stack, story: () => Promise<void>): Promise<void> {
  const gate = await installation.core.db.connect();
  try {
    // What a simulation reads first: it waits here.
    await gate.query('begin; lock table unit_risk_profiles in access exclusive mode');
    await story();
  } finally {
    await gate.query('rollback');
    gate.release();
  }
}

/** Of all of an organization, oldest first. */
export async function simulationStatuses(
  { installation }: Stack,
  { orgId }: Pick<Account, 'orgId'>,
): Promise<string[]> {
  const { rows } = await installation.core.db.query<{ status: string }>(
    'select status from risk_simulations where org_id = $1 order by id',
    [orgId],
  );
  return rows.map(({ status }) => status);
}
