import { expect } from 'chai';
import { ROLE_TABLE, ROLES } from '../../../shared/access/roles.ts';
import { createPeopleApi, type PeopleApi } from '../../support/people-api.ts';

describe('Roles', () => {
  let api: PeopleApi;
  before(async () => {
    api = await createPeopleApi();
  });
  after(() => api.close());

  it('are listed with what each may do, for everybody who is signed in', async () => {
    const viewer = await api.person('viewer');
    const { body } = await viewer.get('/roles').expect(200);
    expect(body.data).to.deep.equal(
      ROLES.map((role) => ({
        role,
        description: ROLE_TABLE[role].sentence,
        scopes: [...ROLE_TABLE[role].scopes],
        permissions: [...ROLE_TABLE[role].permissions],
      })),
    );
  });
});
