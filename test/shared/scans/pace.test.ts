import { expect } from 'chai';
import type { Pool } from '../../../shared/db.ts';
import type { Waker } from '../../../shared/queues.ts';
import { createPace, FLOOR_MS, SPREAD_MS } from '../../../shared/scans/pace.ts';
import { createVerifier } from '../../../shared/scans/verifier.ts';
import { mintTokens } from '../../../shared/units/token.ts';
import { randomBytes } from 'node:crypto';

/** Time that passes only while somebody waits, and chances one after another. */
function handTime(...chances: number[]) {
  const time = {
    now: 1_000,
    drawn: 0,
    nowMs: () => time.now,
    wait: async (ms: number) => {
      time.now += ms;
    },
    random: () => chances[time.drawn++ % chances.length]!,
  };
  return time;
}

const VISITOR = { ip: '198.51.100.7', userAgent: null, session: null };

describe('the time of an answer about nobody’s code', () => {
  function verifierIn(
    time: ReturnType<typeof handTime>,
    keys: Parameters<typeof mintTokens>[0],
    lookUpMs: number,
  ) {
    let statements = 0;
    const db = {
      query: async () => {
        statements += 1;
        time.now += lookUpMs;
        return { rows: [] };
      },
    } as unknown as Pool;
    const verifier = createVerifier({
      db,
      clock: { now: () => new Date(0) },
      tokenKeys: keys,
      networkKey: Buffer.alloc(32),
      places: { locate: () => null },
      waker: {} as Waker,
      sameScanMs: 0,
      pace: time,
    });
    return { verifier, statements: () => statements };
  }

  /** @returns milliseconds until the answer, and how many statements it took. */
  async function timed(
    token: string,
    keys: Parameters<typeof mintTokens>[0],
    lookUpMs: number,
    chance: number,
  ) {
    const time = handTime(chance);
    const { verifier, statements } = verifierIn(time, keys, lookUpMs);
    const { verification } = await verifier.verify({ token }, VISITOR);
    return { ms: time.now - 1_000, statements: statements(), verification };
  }

  const keys = [{ id: 'k1', bytes: randomBytes(32) }] as const;
  const elsewhere = [{ id: 'k1', bytes: randomBytes(32) }] as const;
  const neverMinted = mintTokens(keys, 1, randomBytes)[0]!.token;
  const forged = neverMinted.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  const ofAnotherDeployment = mintTokens(elsewhere, 1, randomBytes)[0]!.token;

  it('is the same to the tick for forged, malformed, foreign and never minted ones, look-up or not', async () => {
    for (const lookUpMs of [0.4, 3, 19]) {
      for (const chance of [0, 0.37, 0.99]) {
        const unknown = await timed(neverMinted, keys, lookUpMs, chance);
        expect(unknown.statements).to.equal(1);
        expect(unknown.ms).to.be.closeTo(FLOOR_MS + SPREAD_MS * chance, 1e-9);
        for (const token of [forged, ofAnotherDeployment, 'x', '']) {
          const refused = await timed(token, keys, lookUpMs, chance);
          expect(refused.statements, token).to.equal(0);
          expect(refused.ms, token).to.be.closeTo(unknown.ms, 1e-9);
          expect(refused.verification).to.deep.equal(unknown.verification);
        }
      }
    }
  });

  it('grows alike where look-ups take longer than the least', async () => {
    const [look, refuse] = [handTime(0.5), handTime(0.5)];
    const lookedUp = createPace(look);
    look.now += 70;
    await lookedUp.hold(1_000, 'looked-up');
    const refused = createPace(refuse);
    refused.note(70);
    await refused.hold(1_000, 'refused');
    expect([look.now, refuse.now]).to.deep.equal([1_070, 1_070]);
    // A look-up that was quick has no reason to wait for as long as the others took.
    const quick = handTime(0.5);
    const pace = createPace(quick);
    pace.note(70);
    await pace.hold(1_000, 'looked-up');
    expect(quick.now).to.equal(1_000 + FLOOR_MS + SPREAD_MS * 0.5);
  });

  it('is a look-up’s for one that is refused without any, however many were refused before', async () => {
    const time = handTime(0.5);
    const { verifier } = verifierIn(time, keys, 70);
    for (const token of [neverMinted, forged, forged, forged]) {
      const began = time.now;
      await verifier.verify({ token }, VISITOR);
      expect(time.now - began).to.equal(70);
    }
  });

  it('draws a refusal’s time from the last look-ups alone', async () => {
    const time = handTime(0, 0.999);
    const pace = createPace(time);
    pace.note(9_000);
    for (let i = 0; i < 256; i += 1) pace.note(50);
    await pace.hold(1_000, 'refused');
    expect(time.now).to.equal(1_050);
  });
});
