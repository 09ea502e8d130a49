import { expect } from 'chai';
import { createApiKey } from '../../../shared/api-keys/service.ts';
import { ROLE_TABLE } from '../../../shared/access/roles.ts';
import type { Db } from '../../../shared/db.ts';
import type { AppError } from '../../../shared/errors.ts';

describe('createApiKey', () => {
  it('gives a key no scope that its creator’s role lacks', async () => {
    const written: unknown[] = [];
    const db = { query: async (...args: unknown[]) => void written.push(args) } as unknown as Db;
    const deps = {
      clock: { now: () => new Date(0) },
      random: (n: number) => Buffer.alloc(n, 7),
      pepper: 'p',
    };
    const create = (scopes: string[]) =>
      createApiKey(deps, db, 'org', { name: 'x', scopes, grantable: ROLE_TABLE.analyst.scopes }).then(
        () => null,
        (error: unknown) => (error as AppError).code,
      );
    expect(await create(['products.read', 'products.write'])).to.equal('FORBIDDEN');
    expect(written).to.deep.equal([]);
    expect(await create(['products.read', 'scans.write'])).to.equal(null);
  });
});
