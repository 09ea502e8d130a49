import { expect } from 'chai';
import { createApiKeyAuthenticator } from '../../../shared/api-keys/authenticate.ts';
import { createApiKey, type NewApiKeyInput } from '../../../shared/api-keys/service.ts';
import { generateApiKeySecret } from '../../../shared/api-keys/secret.ts';
import type { Db } from '../../../shared/db.ts';
import type { AppError } from '../../../shared/errors.ts';
import { createPeopleApi, type PeopleApi } from '../../support/people-api.ts';

describe('API keys of a process', () => {
  let api: PeopleApi;
  let orgId: string;
  before(async () => {
    api = await createPeopleApi();
    orgId = (await api.person()).orgUuid;
  });
  after(() => api.close());

  const pepper = 'of this test';
  const create = (fields: Partial<NewApiKeyInput> = {}) =>
    createApiKey({ ...api.deps, pepper }, api.deps.db, orgId, {
      name: 'x',
      scopes: ['products.read'],
      ...fields,
    });
  const authenticator = (db: Db = api.deps.db) =>
    createApiKeyAuthenticator({ clock: api.deps.clock, pepper }, db);

  it('are told apart where they come at once', async () => {
    const keys = [await create(), await create(), await create()];
    const find = authenticator();
    const nobodys = generateApiKeySecret(api.deps.random);
    // The first one has a query of its own, in which the others gather.
    const secrets = [keys[0]!, keys[1]!, keys[2]!, keys[1]!].map(({ secret }) => secret).concat(nobodys);
    const actors = await Promise.all(secrets.map((secret) => find(secret, () => null)));
    expect(actors.map((actor) => actor?.keyId ?? null)).to.deep.equal([
      keys[0]!.id,
      keys[1]!.id,
      keys[2]!.id,
      keys[1]!.id,
      null,
    ]);
  });

  it('are let in also where their use cannot be noted', async () => {
    const { id, secret } = await create();
    const { db } = api.deps;
    const query = (statement: { name?: string }) =>
      statement.name === 'touch-keys'
        ? Promise.reject(new Error('read only'))
        : db.query(statement as { text: string });
    const actor = await authenticator({ query } as unknown as Db)(secret, () => null);
    expect(actor?.keyId).to.equal(id);
  });

  it('have each scope once, and fifty networks at the most', async () => {
    const { id } = await create({ scopes: ['products.read', 'scans.read', 'products.read'] });
    const { rows } = await api.database.pool.query('select scopes from api_keys where id = $1', [id]);
    expect(rows).to.deep.equal([{ scopes: ['products.read', 'scans.read'] }]);
    const networks = (count: number) => Array.from({ length: count }, (_, i) => `10.0.${i}.0/24`);
    await create({ allowedCidrs: networks(50) });
    const refused = await create({ allowedCidrs: networks(51) }).then(
      () => null,
      (error: unknown) => error as AppError,
    );
    expect(refused?.options.errors?.[0]).to.include({ path: 'allowedCidrs', code: 'TOO_MANY' });
  });

  it('keep a network of IPv6 that is wider than IPv4 within it', async () => {
    const { id, secret } = await create({ allowedCidrs: ['::ffff:0:0/95', '::/0'] });
    const { rows } = await api.database.pool.query('select allowed_cidrs from api_keys where id = $1', [id]);
    expect(rows).to.deep.equal([{ allowed_cidrs: ['::ffff:0:0/95', '::/0'] }]);
    const find = authenticator();
    expect((await find(secret, () => '2001:db8::1'))?.keyId).to.equal(id);
    expect(await find(secret, () => '192.0.2.1')).to.equal(null);
  });
});
