/** The organization's people, brand and API keys. */
import { ROLE_TABLE, type Role } from '../shared/access/roles.ts';
import { hashPassword } from '../shared/accounts/password.ts';
import type { UserActor } from '../shared/actor.ts';
import { authenticateApiKey, createApiKey, revokeApiKey, rotateApiKey } from '../shared/api-keys/service.ts';
import { withTransaction } from '../shared/db.ts';
import { confirmDomainByOperator } from '../shared/domains/service.ts';
import { encodeId, newUuid } from '../shared/ids.ts';
import { DEFAULT_LANGUAGE } from '../shared/languages.ts';
import { addUser, changeOrganization } from '../shared/organizations/service.ts';
import { listUsers } from '../shared/users/service.ts';
import { BRAND, DOMAIN } from './catalogue.ts';
import type { Sample, Staff } from './deps.ts';
import { DAY, HOUR } from './time.ts';

const COLLEAGUES = [
  { role: 'administrator', name: 'Jonas Keller' },
  { role: 'analyst', name: 'Aiko Tanaka' },
  { role: 'viewer', name: 'Sam Okafor' },
] as const;

const emailOf = (role: Role): string => `${role}@demo.example`;

function actorOf(sample: Sample, userId: string, role: Role): UserActor {
  return {
    kind: 'user',
    orgId: sample.orgId,
    userId,
    name: emailOf(role),
    sessionId: newUuid(),
    role,
    scopes: ROLE_TABLE[role].scopes,
    permissions: ROLE_TABLE[role].permissions,
  };
}

/** Adds one colleague of each other role, all with the owner's password. */
export async function hirePeople(sample: Sample, password: string): Promise<Staff> {
  const { deps, time, orgId, end } = sample;
  const { rows } = await listUsers(deps.db, orgId, { limit: 1, beforeId: null });
  const owner = actorOf(sample, rows[0]!.id, 'owner');
  const staff: Partial<Staff> = { owner };
  const passwordDigest = await hashPassword(password);
  for (const [index, { role, name }] of COLLEAGUES.entries()) {
    await time.at(end - 38 * DAY + index * HOUR, async () => {
      const id = await withTransaction(deps.db, async ({ db }) => {
        const who = { orgId, email: emailOf(role), name, language: DEFAULT_LANGUAGE, passwordDigest, role };
        const userId = await addUser(deps, db, who);
        await sample.audit(db, owner, 'acceptInvitation', encodeId('user', userId), { role });
        return userId;
      });
      staff[role] = actorOf(sample, id, role);
    });
  }
  return staff as Staff;
}

export async function setBrand(sample: Sample, { owner }: Staff): Promise<void> {
  const { deps, time, end } = sample;
  const brand = {
    name: BRAND,
    brand_color: '#7a1f3d',
    support: 'care@demo.example',
    consumer_message: 'Thank you for checking. Every flask of ours carries a code of its own.',
    consumer_messages: {
      fr: 'Merci d’avoir vérifié. Chacun de nos flacons porte son propre code.',
      de: 'Danke, dass Sie geprüft haben. Jeder unserer Flakons trägt seinen eigenen Code.',
      ar: 'شكرًا لتحققك. تحمل كل قارورة من قواريرنا رمزًا خاصًا بها.',
    },
    time_zone: 'Europe/Paris',
  };
  await time.at(end - 37 * DAY, () =>
    withTransaction(deps.db, async ({ db }) => {
      await changeOrganization(deps, db, sample.orgId, brand);
      await confirmDomainByOperator(deps, db, sample.orgId, DOMAIN);
      await sample.audit(db, owner, 'updateOrganization', encodeId('org', sample.orgId), {
        name: brand.name,
        brandColor: brand.brand_color,
        timeZone: brand.time_zone,
      });
    }),
  );
}

/** A key in use, one that was rotated and is within its grace, and one that was revoked. */
export async function makeKeys(sample: Sample, { owner, administrator }: Staff): Promise<void> {
  const { deps, time, end, orgId } = sample;
  const keyDeps = { ...deps, pepper: deps.config.API_KEY_PEPPER };
  const create = (daysAgo: number, name: string, scopes: string[]) =>
    time.at(end - daysAgo * DAY, () =>
      withTransaction(deps.db, async ({ db }) => {
        const key = await createApiKey(keyDeps, db, orgId, { name, scopes, createdBy: owner.userId });
        await sample.audit(db, owner, 'createApiKey', encodeId('key', key.id), { name, scopes });
        return key;
      }),
    );
  const erp = await create(36, 'ERP (production)', ['products.read', 'batches.write', 'barcodes.generate']);
  await time.at(end - 2 * HOUR, () => authenticateApiKey(keyDeps, deps.db, erp.secret));
  const shop = await create(30, 'Web shop', ['products.read', 'scans.read', 'analytics.read']);
  await time.at(end - 5 * HOUR, async () => {
    await withTransaction(deps.db, async ({ db }) => {
      await rotateApiKey(keyDeps, db, orgId, shop.id, 24 * 3600);
      await sample.audit(db, administrator, 'rotateApiKey', encodeId('key', shop.id), {
        graceSeconds: 86_400,
      });
    });
  });
  const agency = await create(35, 'Agency (ended)', ['analytics.read']);
  await time.at(end - 12 * DAY, () =>
    withTransaction(deps.db, async ({ db }) => {
      await revokeApiKey(keyDeps, db, orgId, agency.id);
      await sample.audit(db, administrator, 'revokeApiKey', encodeId('key', agency.id), { revoked: true });
    }),
  );
}
