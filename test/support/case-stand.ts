/** A stand for tests of risk cases: a unit whose code was copied, and the case that came of it. */
import { encodeId } from '../../shared/ids.ts';
import { startStand, type MintedUnit, type Stand } from './verification-stand.ts';

export interface CaseStand extends Stand {
  unit: MintedUnit;
  /** The public id of the case that `renew` left. */
  caseId: string;
  /** Another unit with copies, and the clock as it was. @throws where they made no case, or several */
  renew(): Promise<void>;
  scan(ip: string): Promise<{ result: string; risk: { level: string } }>;
  /** Visitors on three continents within an hour, from networks that begin with `from`. */
  copies(from: number): Promise<void>;
  /** The unit's cases, newest first. */
  cases(): Promise<any[]>;
  change(body: object, id?: string): ReturnType<Stand['call']>;
}

export async function startCaseStand(): Promise<CaseStand> {
  const base = await startStand();
  const stand: CaseStand = Object.assign(base, {
    unit: await base.mintUnit(),
    caseId: '',
    async renew() {
      base.resetClock();
      stand.unit = await base.mintUnit();
      await stand.copies(10);
      const [only, ...others] = await stand.cases();
      if (only === undefined || others.length > 0) throw new Error(`${others.length} cases too many`);
      stand.caseId = only.id;
    },
    async scan(ip: string) {
      const { token } = stand.unit;
      const response = await fetch(`${base.origin}/v/${token}`, { headers: { 'x-forwarded-for': ip } });
      return (await response.json()) as { result: string; risk: { level: string } };
    },
    async copies(from: number) {
      for (let i = 0; i < 6; i++) {
        await stand.scan(`${['198.51', '203.0', '192.0'][i % 3]}.${from + i}.7`);
        base.advance(20 * 60_000);
      }
      await base.score();
    },
    async cases() {
      const id = encodeId('unit', stand.unit.unitId);
      return (await base.call('GET', `/api/v1/risk-cases?unitId=${id}`)).body.data;
    },
    change: (body: object, id = stand.caseId) => base.call('PATCH', `/api/v1/risk-cases/${id}`, body),
  });
  return stand;
}
