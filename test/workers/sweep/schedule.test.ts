import { expect } from 'chai';
import { createPool } from '../../../shared/db.ts';
import { scheduleSweeps } from '../../../workers/sweep/schedule.ts';
import { createTestApi } from '../../support/api.ts';

describe('the sweeper’s timers', () => {
  it('do all of their work with one connection of the process (DATABASE_POOL_MAX=1)', async () => {
    const api = await createTestApi();
    const db = createPool({
      databaseUrl: api.database.url,
      max: 1,
      applicationName: 'one connection',
      onError: () => undefined,
    });
    try {
      const logged = api.logs.length;
      await scheduleSweeps({ ...api.workerDeps, db }).stop();
      const lines = api.logs.slice(logged).map((line) => JSON.parse(line));
      expect(lines.map(({ msg }) => msg)).to.deep.equal(['housekeeping done']);
    } finally {
      await db.end();
      await api.close();
    }
  });
});
