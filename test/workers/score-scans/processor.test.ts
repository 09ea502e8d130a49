import { expect } from 'chai';
import { scoreScans } from '../../../workers/score-scans/processor.ts';
import { createTestApi, type TestApi } from '../../support/api.ts';

describe('the scoring worker', () => {
  let api: TestApi;

  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  it('wakes another process for what it leaves when it is told to stop', async () => {
    const { units } = await (await api.createOrganization()).mintUnits(1);
    await api.verify(units[0]!.token).expect(200);
    let wakeUps = 0;
    const waker = {
      ...api.workerDeps.waker,
      scoreScans: async () => {
        wakeUps += 1;
      },
    };
    const told = scoreScans({ ...api.workerDeps, waker, stopping: AbortSignal.abort() });
    expect(await told({ slot: 0 })).to.deep.equal({ slot: 0, scans: 1 });
    expect(wakeUps).to.equal(1);
    expect(await told({ slot: 0 })).to.deep.equal({ slot: 0, scans: 0 });
    expect(wakeUps, 'with nothing left').to.equal(1);
  });
});
