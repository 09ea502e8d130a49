import { expect } from 'chai';
import { withTransaction } from '../../../shared/db.ts';
import { parseKeyring } from '../../../shared/keyring.ts';
import { createSecretBox } from '../../../shared/secret-box.ts';
import { headersOwner, openHeaders } from '../../../shared/webhooks/custom-headers.ts';
import { secretOwner } from '../../../shared/webhooks/secret-owner.ts';
import { contactMessage } from '../../../shared/mail/messages.ts';
import { mailOwner, postMail } from '../../../shared/mail/outbox.ts';
import { decodeId, newUuid } from '../../../shared/ids.ts';
import { housekeep } from '../../../workers/sweep/sweep.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';

const OLD_KEY = `old:${Buffer.alloc(32, 1).toString('base64')}`;
const NEW_KEY = `new:${Buffer.alloc(32, 2).toString('base64')}`;
const older = createSecretBox(parseKeyring(OLD_KEY));
const between = createSecretBox(parseKeyring(`${NEW_KEY},${OLD_KEY}`));
const newer = createSecretBox(parseKeyring(NEW_KEY));

describe('after a rotation of the keys that seal secrets', () => {
  let api: TestApi;
  let org: TestOrganization;
  let endpointId: string;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
    const { body } = await org
      .post('/webhook-endpoints', {
        url: 'https://example.com/hook',
        events: ['*'],
        headers: { 'X-Tenant': 'oil' },
      })
      .expect(201);
    endpointId = decodeId('whep', body.id as string)!;
  });
  after(() => api.close());

  const read = async (text: string, values: unknown[]): Promise<string> =>
    (await api.database.pool.query<{ sealed: string }>(text, values)).rows[0]!.sealed;

  /** One secret of each kind, sealed with the old key. */
  async function sealAll() {
    const { pool } = api.database;
    const userId = newUuid();
    const secret = secretOwner(org.uuid, endpointId);
    const headers = headersOwner(org.uuid, endpointId);
    const totp = { organizationId: org.uuid, resource: `totp:${userId}` };
    await pool.query('update webhook_secrets set sealed = $2 where endpoint_id = $1', [
      endpointId,
      older.seal('whsec_1', secret),
    ]);
    await pool.query('update webhook_endpoints set sealed_headers = $2 where id = $1', [
      endpointId,
      older.seal('{"X-Tenant":"oil"}', headers),
    ]);
    await pool.query(
      `insert into users (id, org_id, email, password_digest, role, totp_sealed) values ($1, $2, $3, 'x', 'viewer', $4)`,
      [userId, org.uuid, `${userId}@people.example`, older.seal('TOTP', totp)],
    );
    const from = { name: 'Ann', email: 'ann@people.example', message: 'Good day.' };
    await withTransaction(pool, (uow) =>
      postMail({ ...api.deps, secretBox: older }, uow, 'contact', 'us@people.example', contactMessage(from)),
    );
    const mail = await pool.query<{ id: string }>("select id from mails where kind = 'contact'");
    return { userId, totp, secret, mailId: mail.rows[0]!.id };
  }

  it('seals every kind again in housekeeping, so that the old key can go', async () => {
    const { userId, totp, secret, mailId } = await sealAll();
    const report = await housekeep({ ...api.workerDeps, secretBox: between });
    expect(report.secrets).to.deep.equal({ resealed: 4, unreadable: 0 });
    const sealedSecret = await read('select sealed from webhook_secrets where endpoint_id = $1', [
      endpointId,
    ]);
    expect(newer.open(sealedSecret, secret)).to.equal('whsec_1');
    const sealedHeaders = await read('select sealed_headers as sealed from webhook_endpoints where id = $1', [
      endpointId,
    ]);
    expect(openHeaders(newer, sealedHeaders, org.uuid, endpointId)).to.deep.equal({ 'X-Tenant': 'oil' });
    const sealedTotp = await read('select totp_sealed as sealed from users where id = $1', [userId]);
    expect(newer.open(sealedTotp, totp)).to.equal('TOTP');
    const sealedMail = await read('select sealed from mails where id = $1', [mailId]);
    expect(newer.open(sealedMail, mailOwner(mailId))).to.include('Good day.');
    const again = await housekeep({ ...api.workerDeps, secretBox: newer });
    expect(again.secrets, 'nothing is left to do').to.deep.equal({ resealed: 0, unreadable: 0 });
  });

  it('counts what no key of the ring opens, and leaves it as it is', async () => {
    const lost = createSecretBox(parseKeyring(`lost:${Buffer.alloc(32, 3).toString('base64')}`));
    const sealed = lost.seal('whsec_1', secretOwner(org.uuid, endpointId));
    await api.database.pool.query('update webhook_secrets set sealed = $2 where endpoint_id = $1', [
      endpointId,
      sealed,
    ]);
    const { secrets } = await housekeep({ ...api.workerDeps, secretBox: newer });
    expect(secrets).to.deep.equal({ resealed: 0, unreadable: 1 });
    expect(await read('select sealed from webhook_secrets where endpoint_id = $1', [endpointId])).to.equal(
      sealed,
    );
  });
});
