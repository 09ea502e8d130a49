/** An organization to play with, and a key of it that may do everything. */
import { randomBytes } from 'node:crypto';
import { authenticateApiKey, createApiKey } from '../shared/api-keys/service.ts';
import { ALL_SCOPES } from '../shared/api-keys/scopes.ts';
import { systemClock } from '../shared/clock.ts';
import { createPool, withTransaction } from '../shared/db.ts';
import { createOrganization, findOrganizationIdByEmail } from '../shared/organizations/service.ts';
import type { EnsureDemoKey } from './run-start.ts';

export const DEMO_EMAIL = 'owner@demo.example';

/** @returns `known` while it works, or a new key of the demo organization, which is made at the first start. */
export const ensureDemoKey: EnsureDemoKey = async (databaseUrl, env, known) => {
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
    return await withTransaction(db, async (uow) => {
      const orgId =
        (await findOrganizationIdByEmail(uow.db, DEMO_EMAIL)) ?? (await createDemoOrganization(uow.db)).orgId;
      const { secret } = await createApiKey(deps, uow.db, orgId, { name: 'Demo', scopes: ALL_SCOPES });
      return secret;
    });
  } finally {
    await db.end();
  }
};

/** Its password is known to nobody: the key is the way in. */
const createDemoOrganization = (db: Parameters<typeof createOrganization>[1]) =>
  createOrganization({ clock: systemClock }, db, {
    name: 'Demo',
    email: DEMO_EMAIL,
    password: randomBytes(24).toString('base64url'),
  });
