import type { Keyring } from '../../../shared/keyring.ts';
import { encodeId } from '../../../shared/ids.ts';
import { parseToken } from '../../../shared/units/token.ts';
import { seedUnits } from '../../support/seed.ts';
import type { Account, Stack } from './stack.ts';

/** An active unit of an account's organization, the only one of its batch. */
export interface OneUnit {
  token: string;
  /** The ten bytes behind the token, which the ring's first key made. */
  code: Buffer;
  keys: Keyring;
  /** Paths of the dashboard. */
  paths: { unit: string; batch: string };
}

export async function oneUnit({ installation }: Stack, { orgId }: Account): Promise<OneUnit> {
  const { db, config } = installation.core;
  const [token] = await seedUnits({ ...installation, orgId }, 1);
  const { rows } = await db.query<{ id: string; batch_id: string }>(
    'select id, batch_id from product_units where org_id = $1',
    [orgId],
  );
  const { id, batch_id: batchId } = rows[0]!;
  const keys = config.TOKEN_KEYS;
  return {
    token: token!,
    code: parseToken(keys, token!)!,
    keys,
    paths: {
      unit: `/app/units/${encodeId('unit', id)}`,
      batch: `/app/batches/${encodeId('batch', batchId)}`,
    },
  };
}
