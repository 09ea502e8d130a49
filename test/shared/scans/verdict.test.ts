import { expect } from 'chai';
import {
  SCAN_RESULTS,
  VERDICT_MESSAGES,
  verdictMessage,
  verdictOf,
  verdictOnceScored,
  type VerdictInput,
} from '../../../shared/scans/verdict.ts';

const NOW = new Date('2026-06-10T00:00:00.000Z');

describe('the public verdict', () => {
  it('lets the first that holds win, over every combination of states', () => {
    const seen = new Set<string>();
    for (const status of ['minted', 'active', 'suspended', 'voided'] as const)
      for (const isRecalled of [true, false])
        for (const expiresOn of [null, '2026-06-01', '2026-07-01'])
          for (const risk of ['clear', 'suspicious', 'diverted'] as const)
            for (const riskState of ['clear', 'suspect', 'confirmed'] as const) {
              const input: VerdictInput = { status, isRecalled, expiresOn, risk, riskState };
              const holds = [
                [isRecalled, 'recalled'],
                [status === 'suspended', 'suspended'],
                [status !== 'active', 'inactive'],
                [expiresOn === '2026-06-01', 'expired'],
                [risk === 'suspicious' || riskState === 'confirmed', 'suspicious'],
                [risk === 'diverted', 'diverted'],
                [true, 'genuine'],
              ] as const;
              const [, expected] = holds.find(([condition]) => condition)!;
              expect(verdictOf(input, NOW), JSON.stringify(input)).to.equal(expected);
              seen.add(expected);
            }
    expect([...seen]).to.have.members([...SCAN_RESULTS]);
  });

  it('is good to the end of the last day, wherever on Earth that ends last', () => {
    const at = (time: string) =>
      verdictOf(
        { status: 'active', isRecalled: false, expiresOn: '2026-06-10', risk: 'clear', riskState: 'clear' },
        new Date(time),
      );
    expect(at('2026-06-11T11:59:59.999Z')).to.equal('genuine');
    expect(at('2026-06-11T12:00:00.000Z')).to.equal('expired');
  });

  it('says of a genuine code no more than the risk beside it allows', () => {
    for (const level of ['none', 'low'] as const)
      expect(verdictMessage('genuine', level, 'clear')).to.match(/nothing unusual is known about it\.$/);
    const neutral = 'This code was issued by the brand for this product.';
    for (const level of ['medium', 'high'] as const)
      expect(verdictMessage('genuine', level, 'clear')).to.equal(neutral);
    // Others' scans change no verdict, and still something is known.
    expect(verdictMessage('genuine', 'none', 'suspect')).to.equal(neutral);
    expect(verdictMessage('suspicious', 'high', 'suspect')).to.equal(VERDICT_MESSAGES.suspicious);
    expect(verdictMessage('suspicious', 'high', 'confirmed')).to.match(/the brand, which has found/);
    expect(verdictMessage('expired', 'medium', 'suspect')).to.equal(VERDICT_MESSAGES.expired);
    // A person's finding is the reason of no other verdict.
    expect(verdictMessage('recalled', 'high', 'confirmed')).to.equal(VERDICT_MESSAGES.recalled);
  });

  it('of a scan is once scored the risk’s, and stays what the unit was at its time where that was no matter of risk', () => {
    for (const before of SCAN_RESULTS) {
      const isOfRisk = ['genuine', 'suspicious', 'diverted'].includes(before);
      const scored = (['clear', 'suspicious', 'diverted'] as const).map((risk) =>
        verdictOnceScored(before, { risk, riskState: 'clear' }, NOW),
      );
      expect(scored, before).to.deep.equal(
        isOfRisk ? ['genuine', 'suspicious', 'diverted'] : [before, before, before],
      );
    }
  });

  it('never says "fake"', () => {
    for (const message of Object.values(VERDICT_MESSAGES)) {
      expect(message).not.to.match(/\b(fake|counterfeit|forgery)\b/i);
    }
  });
});
