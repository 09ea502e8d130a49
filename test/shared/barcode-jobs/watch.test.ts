import { expect } from 'chai';
import { getBarcodeJob } from '../../../shared/barcode-jobs/service.ts';
import { watchJob } from '../../../shared/barcode-jobs/watch.ts';
import { decodeId } from '../../../shared/ids.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

describe('watchers of one job', () => {
  let api: TestApi;

  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  it('hear of its end though one of them has left', async () => {
    const org = await api.createOrganization();
    const job = await org.startJob((await org.createBatch()).id);
    const row = await getBarcodeJob(api.deps.db, org.uuid, decodeId('job', job.id)!);
    const watch = () => watchJob(api.deps, row, new AbortController().signal);
    const [leaver, stayer] = [watch(), watch()];
    await leaver.next();
    await stayer.next();
    await leaver.return(undefined);
    await org.post(`/barcode-jobs/${job.id}/cancel`).expect(200);
    const { value } = await stayer.next();
    expect(value?.status).to.equal('cancelled');
    await stayer.return(undefined);
  });
});
