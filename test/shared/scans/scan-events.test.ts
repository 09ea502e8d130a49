import { expect } from 'chai';
import { newUuid } from '../../../shared/ids.ts';
import { eventsOf, suspicionsOf, type Scored } from '../../../shared/scans/scan-events.ts';

const MINUTE = 60_000;
const NOON = Date.parse('2026-06-10T12:00:00.000Z');

/** A suspicious scan of one unit with a cool-down of an hour, by minutes after noon. */
function suspicious(
  minute: number,
  {
    id = newUuid(),
    score = 80,
    signals = [['clone', 80]],
    lastAlertAt = null,
  }: {
    id?: string;
    score?: number;
    signals?: [type: string, weight: number][];
    lastAlertAt?: Date | null;
  } = {},
): Scored {
  const told = signals.map(([type, weight]) => ({ type, weight }));
  return {
    scan: { id, result: 'suspicious', riskLevel: 'high', riskScore: score, signals: told },
    row: { id, at: new Date(NOON + minute * MINUTE), scorings: 0, risk_level: 'none', lat: null },
    unit: {
      ...UNIT,
      last_alert_at: lastAlertAt,
      held_alerts: 0,
      alert_cooldown_minutes: 60,
      decision: null,
      decided_at: null,
    },
    risk: { level: 'high', verdict: 'suspicious', score, signals: told },
  } as unknown as Scored;
}

const UNIT = {
  unit_id: newUuid(),
  org_id: newUuid(),
  product_id: newUuid(),
  batch_id: newUuid(),
  markets: [],
};

const alertsOf = (scored: Scored[]) =>
  eventsOf(scored, new Map())
    .events.filter(({ type }) => type === 'suspicious_scan.detected')
    .map(({ data }) => data as { at: string; reasons: string[]; heldBack: number });

describe('what scored scans have to tell', () => {
  it('is held back within the cool-down before and after the last alert, and told from its end on', () => {
    const lastAlertAt = new Date(NOON);
    const minutes = [-60, -59, 0, 59, 60].filter(
      (minute) => alertsOf([suspicious(minute, { lastAlertAt })]).length > 0,
    );
    expect(minutes).to.deep.equal([-60, 60]);
    const alerts = alertsOf([0, 20, 40, 60].map((minute) => suspicious(minute)));
    expect(alerts.map(({ heldBack }) => heldBack)).to.deep.equal([0, 2]);
  });

  it('has for reasons the signals with a weight, and all where each share of a low score is rounded to none', () => {
    const reasonsFor = (...signals: [string, number][]) =>
      alertsOf([suspicious(0, { signals })]).map(({ reasons }) => reasons);
    expect(reasonsFor(['impossible_travel', 0], ['clone', 80])).to.deep.equal([['clone']]);
    expect(reasonsFor(['impossible_travel', 0], ['clone', 0])).to.deep.equal([
      ['clone', 'impossible_travel'],
    ]);
  });

  it('is one suspicion for each unit, whatever the order of its scans', () => {
    const [first, second, third] = [newUuid(), newUuid(), newUuid()];
    const scored = [
      suspicious(1, { id: second, score: 70 }),
      suspicious(2, {
        id: third,
        score: 90,
        signals: [
          ['impossible_travel', 60],
          ['diversion', 0],
        ],
      }),
      suspicious(0, { id: first, score: 80, signals: [['clone', 80]] }),
    ];
    const [suspicion, ...others] = suspicionsOf(scored);
    expect(others).to.deep.equal([]);
    expect(suspicion).to.deep.include({
      unitId: UNIT.unit_id,
      scans: 3,
      maxScore: 90,
      signals: ['clone', 'impossible_travel'],
      firstScanId: first,
      lastScanId: third,
    });
  });
});
