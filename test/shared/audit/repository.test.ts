import { expect } from 'chai';
import { OPERATOR, recordAudits } from '../../../shared/audit/service.ts';
import { newUuid } from '../../../shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** More than one statement writes. */
const MANY = 501;

describe('the entries that one act makes', () => {
  let database: TestDatabase;
  const orgId = newUuid();

  before(async () => {
    database = await createTestDatabase();
    await database.pool.query(`insert into organizations (id, name) values ($1, 'Org')`, [orgId]);
  });
  after(() => database.drop());

  const written = async (action: string): Promise<Record<string, unknown>[]> => {
    const { rows } = await database.pool.query(
      `select org_id, at, actor_kind, actor_id, actor_name, host(ip) as ip, user_agent, request_id, resource, before::text, after::text
         from audit_log where action = $1 order by id`,
      [action],
    );
    return rows;
  };

  it('say all of them who it was, from where and when', async () => {
    const at = new Date('2026-03-29T00:59:59.987Z');
    const actor = { kind: 'user', id: 'user_1', name: 'a"b\\c\u{1F600}@example.com' } as const;
    const origin = { ip: '2001:db8::1', userAgent: '\u00fcber\t{"a":\'\\u0041\'},$1', requestId: 'r-1' };
    const changes = Array.from({ length: MANY }, (_, index) => ({
      resource: `prod_${index}`,
      before: { n: index, secret: 'x', text: '\\u0000 "' },
      after: { n: -1, secret: 'y', text: '\n' },
    }));
    await recordAudits(
      { clock: { now: () => at } },
      database.pool,
      { orgId, actor, action: 'many', origin },
      changes,
    );
    const rows = await written('many');
    expect(rows).to.have.length(MANY);
    expect(rows.map(({ resource }) => resource)).to.deep.equal(changes.map(({ resource }) => resource));
    for (const [index, { before, after, resource: _, ...act }] of rows.entries()) {
      expect(act).to.deep.equal({
        org_id: orgId,
        at,
        actor_kind: 'user',
        actor_id: 'user_1',
        actor_name: actor.name,
        ip: origin.ip,
        user_agent: origin.userAgent,
        request_id: 'r-1',
      });
      expect(JSON.parse(before as string)).to.deep.equal({ n: index, secret: '[secret]', text: '\\u0000 "' });
      expect(JSON.parse(after as string)).to.deep.equal({ n: -1, secret: '[secret]', text: '\n' });
    }
  });

  it('have nothing where there is nothing to say', async () => {
    const change = { resource: null, before: null, after: null };
    const act = { orgId, actor: OPERATOR, action: 'none', origin: null };
    const clock = { now: () => new Date(0) };
    await recordAudits({ clock }, database.pool, act, [change]);
    await recordAudits({ clock }, database.pool, act, []);
    expect(await written('none')).to.deep.equal([
      {
        org_id: orgId,
        at: new Date(0),
        actor_kind: 'operator',
        actor_id: null,
        actor_name: null,
        ip: null,
        user_agent: null,
        request_id: null,
        resource: null,
        before: null,
        after: null,
      },
    ]);
  });
});
