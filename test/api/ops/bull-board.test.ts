import { expect } from 'chai';
import { QUEUE_NAMES } from '../../../shared/queues.ts';
import { CANARY, createTestApi, type TestApi } from '../../support/api.ts';
import { expectProblem } from '../../support/problem.ts';

const PATH = '/ops/queues';

describe('Bull Board', () => {
  let api: TestApi;

  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  const basic = (user: string, password: string) =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const operator = basic('operator', CANARY.operatorPassword);

  it('is closed without the operator’s credentials, and says how to send them', async () => {
    const org = await api.createOrganization();
    const bad: (string | undefined)[] = [
      undefined,
      basic('operator', ''),
      basic('operator', 'wrong'),
      basic('Operator', CANARY.operatorPassword),
      basic('', CANARY.operatorPassword),
      `Bearer ${org.key}`,
      'Basic',
      'Basic !!!',
    ];
    for (const authorization of bad) {
      for (const path of [PATH, `${PATH}/api/queues`, `${PATH}/static/x.js`]) {
        const request = api.http().get(path);
        if (authorization !== undefined) request.set('Authorization', authorization);
        const { headers, text } = await request.expect(401);
        expect(headers['www-authenticate']).to.match(/^Basic realm=/);
        expect(text).to.equal('operator credentials are needed\n');
      }
    }
  });

  it('shows the operator the queues and what waits in them, and loads nothing from elsewhere', async () => {
    const org = await api.createOrganization();
    const started = await org.startJob((await org.createBatch()).id);
    const page = await api.http().get(PATH).set('Authorization', operator).expect(200);
    expect(page.text).to.include('Touchstone queues');
    expect(page.headers['content-security-policy'])
      .to.include("frame-ancestors 'none'")
      .and.include("script-src 'self'");
    const { body } = await api
      .http()
      .get(`${PATH}/api/queues?activeQueue=mint-barcodes&status=waiting&page=1&jobsPerPage=20`)
      .set('Authorization', operator)
      .expect(200);
    const queue = body.queues.find(({ name }: { name: string }) => name === 'mint-barcodes');
    expect(queue.counts.waiting).to.equal(8);
    // As the API shows it: an operator can look it up.
    expect(queue.jobs[0].data.jobId).to.equal(started.id);
    expect(body.queues).to.have.length(QUEUE_NAMES.length);
  });

  it('names a bulk job as the API does', async () => {
    const org = await api.createOrganization();
    const { batchId } = await org.mintUnits(1);
    const { body: bulk } = await org.post('/product-units/bulk', { action: 'suspend', batchId }).expect(202);
    const { body } = await api
      .http()
      .get(`${PATH}/api/queues?activeQueue=run-bulk-jobs&status=waiting&page=1&jobsPerPage=20`)
      .set('Authorization', operator)
      .expect(200);
    const queue = body.queues.find(({ name }: { name: string }) => name === 'run-bulk-jobs');
    expect(queue.jobs.map(({ data }: { data: object }) => data)).to.deep.equal([{ jobId: bulk.id }]);
  });

  it('opens by a link on another site', async () => {
    await api.http().get(PATH).set('Authorization', operator).set('Sec-Fetch-Site', 'cross-site').expect(200);
  });

  it('takes no orders from another site, though a browser sends the credentials along', async () => {
    const pause = (site: string) =>
      api
        .http()
        .put(`${PATH}/api/queues/score-scans/pause`)
        .set('Authorization', operator)
        .set('Sec-Fetch-Site', site);
    for (const site of ['cross-site', 'same-site', 'none']) expectProblem(await pause(site), 'FORBIDDEN');
    expect(await api.deps.queues['score-scans'].isPaused()).to.equal(false);
    await pause('same-origin').expect(200);
    expect(await api.deps.queues['score-scans'].isPaused()).to.equal(true);
  });
});

describe('operations in production', () => {
  it('are on the public port only if asked for', async () => {
    for (const [env, status] of [
      [{ NODE_ENV: 'production' }, 404],
      [{ NODE_ENV: 'production', OPS_PUBLIC: 'true' }, 401],
    ] as const) {
      const api = await createTestApi({ env });
      try {
        await api.http().get(PATH).expect(status);
        await api.http().get('/metrics').expect(404);
      } finally {
        await api.close();
      }
    }
  });
});
