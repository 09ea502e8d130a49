import { expect } from 'chai';
import { newUuid } from '../../../shared/ids.ts';
import { searchOrganizations } from '../../../shared/organizations/service.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

describe('looking for organizations', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
    for (const name of ['olive', 'soap']) {
      const orgId = newUuid();
      await database.pool.query('insert into organizations (id, name) values ($1, $2)', [orgId, name]);
      await database.pool.query(
        `insert into organization_domains (org_id, name, record, confirmed_at, confirmed_by, requested_at, created_at)
         values ($1, $2, 'x', now(), 'operator', now(), now())`,
        [orgId, `${name}.example`],
      );
      for (const role of ['owner', 'viewer'])
        await database.pool.query(
          `insert into users (id, org_id, email, password_digest, role) values ($1, $2, $3, 'x', $4)`,
          [newUuid(), orgId, `${role}@${name}.test`, role],
        );
    }
  });
  after(() => database.drop());

  const OLIVE = { name: 'olive', domain: 'olive.example', owners: ['owner@olive.test'] };
  const SOAP = { name: 'soap', domain: 'soap.example', owners: ['owner@soap.test'] };
  const find = async (search: string | null) =>
    (await searchOrganizations(database.pool, search, 10)).map(({ name, domain, owners }) => ({
      name,
      domain,
      owners,
    }));

  it('tells each with its own domain and owners, newest first', async () => {
    expect(await find(null)).to.deep.equal([SOAP, OLIVE]);
  });

  it('finds one by its name, its domain or an owner, and by nobody else', async () => {
    for (const search of ['OLIV', 'olive.ex', 'owner@olive'])
      expect(await find(search)).to.deep.equal([OLIVE]);
    expect(await find('viewer@olive')).to.deep.equal([]);
  });
});
