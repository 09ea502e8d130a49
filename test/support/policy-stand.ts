/** A stand for tests of risk policies: a unit, and visitors who make it suspicious. */
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
