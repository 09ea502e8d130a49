import { expect } from 'chai';
import {
  applyOrganizationRetention,
  effectiveRetention,
  vetRetention,
} from '../../../shared/retention/service.ts';
import { getOrganization } from '../../../shared/organizations/service.ts';
import { startStand, type Stand } from '../../support/verification-stand.ts';

const DAY = 86_400_000;

describe('retention of an installation that keeps more than by default', () => {
  let stand: Stand;

  before(async () => {
    stand = await startStand({ SCAN_RETENTION_DAYS: '1000', EVENT_RETENTION_DAYS: '400' });
    const { token } = await stand.mintUnit();
    await fetch(`${stand.origin}/v/${token}`);
    await stand.score();
  });
  after(() => stand?.close());

  it('is that of organizations which chose nothing', async () => {
    const { db, config } = stand.deps;
    const organization = await getOrganization(db, stand.orgId);
    const kept = { scan_retention_days: 1000, event_retention_days: 400 };
    expect(effectiveRetention(config, organization)).to.deep.equal(kept);
    for (const [days, gone] of [
      [399, { scans: 0, events: 0 }],
      [999, { scans: 0, events: 0 }],
    ] as const) {
      const clock = { now: () => new Date(stand.now().getTime() + days * DAY) };
      expect(await applyOrganizationRetention({ ...stand.deps, clock })).to.deep.equal(gone);
    }
  });

  it('is that of who chose the same days before it was raised, as the dashboard does with any other setting', () => {
    const chosen = vetRetention(
      { SCAN_RETENTION_DAYS: 730, EVENT_RETENTION_DAYS: 90 },
      { scan_retention_days: 730, event_retention_days: 89 },
    );
    const { config } = stand.deps;
    const stored = { scan_retention_days: 0, event_retention_days: 0, ...chosen };
    expect(effectiveRetention(config, stored)).to.deep.equal({
      scan_retention_days: 1000,
      event_retention_days: 89,
    });
  });
});
