import { expect } from 'chai';
import { withTransaction, type Db } from '../../../shared/db.ts';
import type { AppError } from '../../../shared/errors.ts';
import {
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  type VettedUrl,
} from '../../../shared/webhooks/service.ts';
import { TestClock } from '../../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { whileHeld } from '../../support/held-row.ts';
import { createWebhookBench, type WebhookBench } from '../../support/webhook-turns.ts';

const URL = 'https://hooks.example.com/in' as VettedUrl;

describe('room for endpoints', () => {
  let database: TestDatabase;
  let clock: TestClock;
  let bench: WebhookBench;
  let orgId: string;

  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());
  beforeEach(async () => {
    clock = new TestClock(new Date().toISOString());
    bench = createWebhookBench({ db: database.pool, clock });
    orgId = await bench.createOrganization();
    await database.pool.query(
      `insert into webhook_endpoints (id, org_id, url, events)
       select gen_random_uuid(), $1, $2, '{*}' from generate_series(1, 99)`,
      [orgId, URL],
    );
  });

  const createIn = (db: Db, id = orgId) =>
    createEndpoint({ ...bench.deps, random: (bytes) => Buffer.alloc(bytes, 5) }, db, id, {
      url: URL,
      events: ['*'],
      description: null,
    });
  const create = (id = orgId) => withTransaction(database.pool, ({ db }) => createIn(db, id));
  const listed = async () =>
    (await listEndpoints(database.pool, orgId, { limit: 200, beforeId: null })).rows.map(({ id }) => id);

  it('is for one more where there are ninety-nine, though two ask at a time', async () => {
    await whileHeld(database.pool, { text: 'select 1', values: [] }, async ({ holder, waiting, release }) => {
      await createIn(holder);
      const second = create().then(
        () => null,
        ({ code }: AppError) => code,
      );
      await waiting(1);
      await release();
      expect(await second).to.equal('CONFLICT');
    });
    expect(await listed()).to.have.length(100);
    await create(await bench.createOrganization());
  });

  it('is there again where one is deleted, which is listed no more', async () => {
    const { endpoint } = await create();
    expect(await listed()).to.include(endpoint.id);
    await withTransaction(database.pool, ({ db }) => deleteEndpoint({ clock }, db, orgId, endpoint.id));
    expect(await listed())
      .to.have.length(99)
      .and.not.include(endpoint.id);
    const again = await create();
    expect(await listed())
      .to.have.length(100)
      .and.include(again.endpoint.id);
  });
});
