/** A stand for tests of risk policies: a unit, and visitors who make it suspicious. */
import { expect } from 'chai';
import { newestSimulation, settleSimulation } from './simulations.ts';
import { startStand, type MintedUnit, type Stand } from './verification-stand.ts';

/** Finds nothing in what `travel` does. */
export const LENIENT = { clone: { enabled: false }, impossibleTravel: { enabled: false } };

export interface PolicyStand extends Stand {
  unit: MintedUnit;
  /** No policies, another unit, and the clock as it was. */
  renew(): Promise<void>;
  /** @returns what the visitor is told of the unit. */
  scan(ip: string): Promise<string>;
  /** Two visitors on two continents, five minutes apart. @returns what the second is told. */
  travel(): Promise<string>;
  /** Starts one. @returns its public id. @throws where it is not accepted, or wakes nobody */
  simulate(body: object): Promise<string>;
  /** Works on one as a worker does. @param id its UUID */
  settleSimulation(id: string, stopping?: AbortSignal): ReturnType<typeof settleSimulation>;
  /** @returns the newest one's UUID. */
  newestSimulation(): Promise<string>;
  /** @returns what `GET` says of it. */
  readSimulation(id: string): Promise<any>;
  /** Until so many statements wait for a lock in this database. */
  waitersOf(count: number): Promise<void>;
}

export async function startPolicyStand(): Promise<PolicyStand> {
  const base = await startStand();
  const stand: PolicyStand = Object.assign(base, {
    unit: await base.mintUnit(),
    async renew() {
      base.resetClock();
      await base.database.pool.query('delete from risk_policies');
      stand.unit = await base.mintUnit();
    },
    async scan(ip: string) {
      const answer = await fetch(`${base.origin}/v/${stand.unit.token}`, {
        headers: { 'x-forwarded-for': ip },
      });
      return ((await answer.json()) as { result: string }).result;
    },
    async travel() {
      await stand.scan('198.51.100.7');
      base.advance(90_000);
      return stand.scan('203.0.113.7');
    },
    async simulate(body: object) {
      base.woken.length = 0;
      const started = await base.call('POST', '/api/v1/risk-policies/simulate', body);
      expect(started.status).to.equal(202);
      expect(started.body).to.include({ status: 'queued', result: null });
      expect(base.woken).to.deep.equal(['simulateRiskPolicies']);
      return started.body.id as string;
    },
    settleSimulation: (id: string, stopping?: AbortSignal) => settleSimulation(base, id, stopping),
    newestSimulation: () => newestSimulation(base),
    readSimulation: async (id: string) => (await base.call('GET', `/api/v1/risk-simulations/${id}`)).body,
    async waitersOf(count: number) {
      for (;;) {
        const { rows } = await base.database.pool.query<{ n: number }>(
          `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        if (rows[0]!.n >= count) return;
      }
    },
  });
  return stand;
}
