/** The organization to play with: its key, its sign-in and its data are made each where they are wanted. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../shared/clock.ts';
import { withTransaction, type Pool } from '../shared/db.ts';
import { createOrganization, findOrganizationIdByEmail } from '../shared/organizations/service.ts';

export const DEMO_EMAIL = 'owner@demo.example';

/**
 * Finds or makes it. Its owner's password is kept in the data folder, as the database has its digest only.
 * @returns password: null where the organization is there, and its password is not in this folder
 */
export async function ensureDemoOrganization(
  db: Pool,
  dataDir: string,
): Promise<{ orgId: string; password: string | null }> {
  const file = path.join(dataDir, 'demo-password');
  const known = await findOrganizationIdByEmail(db, DEMO_EMAIL);
  if (known !== null)
    return { orgId: known, password: existsSync(file) ? readFileSync(file, 'utf8').trim() : null };
  const password = randomBytes(12).toString('base64url');
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  const owner = { name: 'Demo', email: DEMO_EMAIL, password };
  const { orgId } = await withTransaction(db, (uow) =>
    createOrganization({ clock: systemClock }, uow.db, owner),
  );
  return { orgId, password };
}
