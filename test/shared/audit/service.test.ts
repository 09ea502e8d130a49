import { expect } from 'chai';
import { OPERATOR, recordAudit, type Snapshot } from '../../../shared/audit/service.ts';
import type { Db } from '../../../shared/db.ts';

/** What would be written for two snapshots: before and after. */
async function recorded(before: Snapshot | null, after: Snapshot | null): Promise<unknown[]> {
  let written: { before: unknown; after: unknown }[] = [];
  const db = {
    query: async ({ values }: { values: [string, string] }) => void (written = JSON.parse(values[1])),
  } as unknown as Db;
  const entry = { orgId: 'o', actor: OPERATOR, action: 'test', resource: null, origin: null, before, after };
  await recordAudit({ clock: { now: () => new Date(0) } }, db, entry);
  return written.flatMap((one) => [one.before, one.after]);
}

describe('recordAudit', () => {
  it('keeps only what changed, at both sides', async () => {
    const before = { name: 'a', same: [1, { x: 1 }], updatedAt: '1', gone: 1 };
    const after = { name: 'b', same: [1, { x: 1 }], updatedAt: '2', added: null };
    expect(await recorded(before, after)).to.deep.equal([
      { name: 'a', gone: 1 },
      { name: 'b', added: null },
    ]);
    expect(await recorded(null, { name: 'b' })).to.deep.equal([null, { name: 'b' }]);
  });

  it('keeps no secret, at any depth, by any of its names', async () => {
    const secrets = {
      secret: 's3cr3t',
      password: 's3cr3t',
      currentPassword: 's3cr3t',
      nested: [{ accessToken: 's3cr3t', code: 's3cr3t', recoveryCodes: ['s3cr3t'] }],
      key: 's3cr3t',
      otpauthUrl: 's3cr3t',
      artifacts: [{ url: 'https://x.example/artifacts/a?expires=1&signature=s3cr3t' }],
      link: 'https://x.example/account/reset-password#token=s3cr3t',
    };
    expect(JSON.stringify(await recorded(null, secrets))).not.to.include('s3cr3t');
  });

  it('cuts what is too long for a log', async () => {
    const [, after] = await recorded(null, { text: 'x'.repeat(100_000) });
    expect(JSON.stringify(after).length).to.be.lessThan(5_000);
  });

  it('cuts no character in two, which Postgres would refuse with the change', async () => {
    const [, after] = await recorded(null, { text: `${'x'.repeat(3_999)}\u{1F600} end` });
    expect(after).to.deep.equal({ text: `${'x'.repeat(3_999)}…` });
  });
});
