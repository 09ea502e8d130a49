import { expect } from 'chai';
import { expireOldExports } from '../../../shared/exports/housekeeping.ts';
import { decodeId } from '../../../shared/ids.ts';
import { exportUnits } from '../../../workers/export-units/processor.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { downloadFile } from '../../support/export-files.ts';

describe('exports where no days are set', () => {
  let api: TestApi;
  before(async () => {
    api = await createTestApi({ env: { ARTIFACT_RETENTION_DAYS: '0' } });
  });
  after(() => api.close());

  it('keep their file, and tell no day on which it goes', async () => {
    const org = await api.createOrganization();
    const { id } = (await org.post('/unit-exports', {}).expect(202)).body;
    await exportUnits(api.workerDeps)({ exportId: decodeId('uexp', id)! });
    api.clock.advance(4_000 * 86_400_000);
    const days = api.workerDeps.config.ARTIFACT_RETENTION_DAYS;
    expect(await expireOldExports(api.workerDeps, days)).to.equal(0);
    const { body } = await org.get(`/unit-exports/${id}`).expect(200);
    expect(body).to.include({ status: 'completed', artifactsExpireAt: null, artifactsExpiredAt: null });
    expect((await downloadFile(api, body.artifacts[0].url)).status).to.equal(200);
  });
});
