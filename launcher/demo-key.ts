/** A key of the organization to play with that may do everything. */
import { randomBytes } from 'node:crypto';
import { authenticateApiKey, createApiKey } from '../shared/api-keys/service.ts';
import { ALL_SCOPES } from '../shared/api-keys/scopes.ts';
import { systemClock } from '../shared/clock.ts';
import { createPool } from '../shared/db.ts';
import { ensureDemoOrganization } from './demo-organization.ts';
import type { EnsureDemoKey } from './run-start.ts';

/** @returns `known` while it works, or a new key of the demo organization, which is made at the first start. */
export const ensureDemoKey: EnsureDemoKey = async ({ databaseUrl, env }, dataDir, known) => {
  const pepper = env.API_KEY_PEPPER!;
  const deps = { clock: systemClock, random: randomBytes, pepper };
  const db = createPool({
    databaseUrl,
    max: 1,
    applicationName: 'touchstone-launcher',
    onError: () => undefined,
  });
  try {
    if (known !== undefined && (await authenticateApiKey(deps, db, known)) !== null) return known;
    const { orgId } = await ensureDemoOrganization(db, dataDir);
    const { secret } = await createApiKey(deps, db, orgId, { name: 'Demo', scopes: ALL_SCOPES });
    return secret;
  } finally {
    await db.end();
  }
};
