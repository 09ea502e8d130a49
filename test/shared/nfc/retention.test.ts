import { expect } from 'chai';
import { forgetOldTaps } from '../../../shared/nfc/retention.ts';
import { openAddress } from '../../support/open-address.ts';
import { startStand, type MintedUnit, type Stand } from '../../support/verification-stand.ts';

const DAY = 86_400_000;
const KEPT_DAYS = 30;

describe('what is kept of taps of NFC tags', () => {
  let stand: Stand;

  // Each with a mark of its own, which no clock turns back.
  beforeEach(async () => {
    stand = await startStand();
  });
  afterEach(() => stand?.close());

  let network = 0;
  /** By somebody new. */
  const open = async ({ token }: MintedUnit, query: string) => {
    network += 1;
    const from = `198.51.${network}.7`;
    const { text } = await openAddress(`${stand.origin}/v/${token}?${query}`, from, {});
    return JSON.parse(text).nfcTap as { outcome: string; counter: number; staleSince: string | null };
  };
  const forget = (now = stand.now(), batch?: number) =>
    forgetOldTaps({ db: stand.database.pool, clock: { now: () => now } }, KEPT_DAYS, batch);
  const kept = async ({ unitId }: MintedUnit) => {
    const { rows } = await stand.database.pool.query(
      'select counter, stale_since is null as fresh from nfc_taps where unit_id = $1 order by counter, at',
      [unitId],
    );
    return rows.map(({ counter, fresh }: any) => [counter, fresh]);
  };

  it('is the latest new one of each unit, by which those of before are still known as used', async () => {
    const [unit, other] = [await stand.mintUnit({ nfcTag: true }), await stand.mintUnit({ nfcTag: true })];
    const taps = [unit.tag.tap(), unit.tag.tap(), unit.tag.tap()];
    for (const tap of taps) await open(unit, tap);
    await open(unit, taps[2]!);
    await open(unit, taps[0]!);
    await open(other, other.tag.tap());
    const latest = stand.now();
    expect(await kept(unit)).to.have.length(5);
    expect(await forget()).to.equal(0);

    stand.advance((KEPT_DAYS + 1) * DAY);
    expect(await forget()).to.equal(6);
    expect(await kept(unit)).to.deep.equal([[3, true]]);
    expect(await kept(other)).to.deep.equal([[1, true]]);
    expect(await open(unit, taps[1]!)).to.deep.equal({
      outcome: 'replayed',
      counter: 2,
      staleSince: latest.toISOString(),
    });
    expect((await open(unit, taps[2]!)).outcome).to.equal('replayed');
    expect((await open(unit, unit.tag.tap())).outcome).to.equal('fresh');
  });

  it('is all that is younger, and what is older goes in steps, each scan’s once', async () => {
    const unit = await stand.mintUnit({ nfcTag: true });
    for (let n = 0; n < 5; n += 1) await open(unit, unit.tag.tap());
    // The ids of scans are of the real time.
    const border = Date.now() + 1;
    while (Date.now() <= border);
    await open(unit, unit.tag.tap());
    await open(unit, unit.tag.tap());
    const later = new Date(border + KEPT_DAYS * DAY);
    expect(await forget(later, 2)).to.equal(5);
    expect(await kept(unit)).to.deep.equal([
      [6, true],
      [7, true],
    ]);
    expect(await forget(later, 2)).to.equal(0);
  });
});
