import { expect } from 'chai';
import { newUuid } from '../../../shared/ids.ts';
import { listAdministrators, markUserRemoved } from '../../../shared/users/repository.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

describe('who is mailed as an administrator of an organization', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  it('is whoever may sign in as one, and nobody of another organization', async () => {
    const { pool } = database;
    const [own, other] = [newUuid(), newUuid()];
    for (const id of [own, other])
      await pool.query(`insert into organizations (id, name) values ($1, 'Org')`, [id]);
    const add = async (orgId: string, email: string, role: string, disabledAt: Date | null = null) => {
      const id = newUuid();
      await pool.query(
        `insert into users (id, org_id, email, password_digest, role, disabled_at, language) values ($1, $2, $3, '', $4, $5, 'de')`,
        [id, orgId, email, role, disabledAt],
      );
      return id;
    };
    const now = new Date();
    await add(own, 'owner@example.com', 'owner');
    await add(own, 'administrator@example.com', 'administrator');
    await add(own, 'disabled@example.com', 'administrator', now);
    await markUserRemoved(pool, await add(own, 'removed@example.com', 'owner'), now);
    await add(own, 'viewer@example.com', 'viewer');
    await add(other, 'stranger@example.com', 'owner');
    expect(await listAdministrators(pool, own)).to.deep.equal([
      { email: 'administrator@example.com', language: 'de' },
      { email: 'owner@example.com', language: 'de' },
    ]);
  });
});
