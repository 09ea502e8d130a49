import { expect } from 'chai';
import { decodeId, newUuid } from '../../../shared/ids.ts';
import type { RenderedMail } from '../../../shared/mail/message.ts';
import { sendDueMails } from '../../../shared/mail/sending.ts';
import { recordNotices } from '../../../shared/webhooks/notices.ts';
import { mailNotices } from '../../../workers/sweep/mail-notices.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';

describe('notices about webhook endpoints', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  it('become one mail to each administrator, and to nobody else, once', async () => {
    const { pool } = api.database;
    for (const [role, disabled] of [
      ['administrator', null],
      ['viewer', null],
      ['administrator', new Date()],
    ] as const) {
      await pool.query(
        `insert into users (id, org_id, email, password_digest, role, disabled_at) values ($1, $2, $3, 'x', $4, $5)`,
        [newUuid(), org.uuid, `${newUuid()}@people.example`, role, disabled],
      );
    }
    const { rows } = await pool.query(
      `select count(*)::int as n from users where org_id = $1 and role in ('owner', 'administrator') and disabled_at is null`,
      [org.uuid],
    );
    const now = api.clock.now().getTime();
    const { body } = await org.post('/webhook-endpoints', { url: 'https://example.com/hook', events: ['*'] });
    const endpointId = decodeId('whep', body.id as string)!;
    await recordNotices(api.deps, pool, [
      {
        orgId: org.uuid,
        endpointId,
        url: 'https://example.com/hook',
        effect: { type: 'disabled', reason: 'gone', failingSince: now },
      },
    ]);
    expect(await mailNotices(api.workerDeps)).to.equal(rows[0].n);
    expect(await mailNotices(api.workerDeps)).to.equal(0);
    const mails = await pool.query(`select kind from mails`);
    expect(mails.rows.map((mail) => mail.kind)).to.deep.equal(
      Array<string>(rows[0].n).fill('webhook_endpoint.disabled'),
    );
  });

  it('reach each administrator in their own language', async () => {
    const { pool } = api.database;
    const other = await api.createOrganization();
    for (const language of ['de', 'ja'])
      await pool.query(
        `insert into users (id, org_id, email, password_digest, role, language) values ($1, $2, $3, 'x', 'administrator', $4)`,
        [newUuid(), other.uuid, `${language}@people.example`, language],
      );
    const { body } = await other.post('/webhook-endpoints', {
      url: 'https://example.com/hook',
      events: ['*'],
    });
    const now = api.clock.now().getTime();
    const effect = { type: 'warned', failingSince: now, disablesAt: now + 86_400_000 } as const;
    await recordNotices(api.deps, pool, [
      {
        orgId: other.uuid,
        endpointId: decodeId('whep', body.id as string)!,
        url: 'https://example.com/hook',
        effect,
      },
    ]);
    await mailNotices(api.workerDeps);
    const caught = new Map<string, string>();
    const mailTransport = {
      send: async (_id: string, { to, subject }: RenderedMail) => void caught.set(to, subject),
      close: () => undefined,
    };
    while ((await sendDueMails({ ...api.deps, mailTransport, leaseSeconds: 60 })).sent > 0);
    expect(caught.get('de@people.example')).to.equal('Alle Zustellungen an einen Webhook-Endpunkt scheitern');
    expect(caught.get('ja@people.example')).to.equal('Webhook の送信先への配信が失敗し続けています');
  });
});
