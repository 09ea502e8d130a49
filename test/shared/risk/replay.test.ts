import { expect } from 'chai';
import { journeys } from '../../../bench/lib/risk/journeys.ts';
import { NO_AUDIENCE, withUnit } from '../../../shared/risk/audience.ts';
import { DEFAULT_POLICY } from '../../../shared/risk/policy.ts';
import { lineReader } from '../../../shared/risk/replay-line.ts';
import { textReplayer } from '../../../shared/risk/replay.ts';
import { score } from '../../../shared/risk/score.ts';
import { Sightings } from '../../../shared/risk/sightings.ts';
import type { RiskProfile } from '../../../shared/risk/types.ts';

const RESULTS = { clear: 'genuine', suspicious: 'suspicious', diverted: 'diverted' };

describe('a replay', () => {
  it('answers to the last digit what the rules say with every profile at hand, though it packs and spills them', () => {
    // Every third visitor comes from a network of unknown kind.
    const traces = journeys(7, 400).map((trace) => ({
      ...trace,
      scans: trace.scans.map((scan, i) =>
        scan.place === null || i % 3 > 0
          ? scan
          : { ...scan, place: { ...scan.place, accuracyKm: 200, source: 'ip' as const } },
      ),
    }));
    const scans = traces
      .flatMap((trace) => trace.scans.map((scan) => ({ trace, scan })))
      .sort((a, b) => a.scan.at - b.scan.at);
    const profiles = new Map<string, RiskProfile>();
    const sightings = new Sightings();
    const answer = textReplayer(DEFAULT_POLICY, { segmentBytes: 20_000, segmentsInMemory: 2 });
    const verdicts = new Set<string>();
    const different: string[] = [];
    let audience = NO_AUDIENCE;

    for (const { trace, scan } of scans) {
      const { unitId, lotId, markets, activatedAt } = trace;
      const before = profiles.get(unitId) ?? null;
      const others = sightings.about(trace, before, DEFAULT_POLICY.diversion.lotUnits);
      const context = { markets, activatedAt, ...others, audience };
      const expected = score(before, scan, context, DEFAULT_POLICY);
      profiles.set(unitId, expected.profile);
      sightings.note(trace, before, expected.profile);
      audience = withUnit(audience, before, expected.profile);
      verdicts.add(expected.verdict);

      const { scanId, at, sessionId, networkId, place } = scan;
      const line = {
        scanId,
        unitId,
        at,
        sessionId,
        networkId,
        ...place,
        markets,
        activatedAt,
        batchId: lotId,
      };
      const { verdict, signals } = expected;
      const told = { scanId, score: expected.score, result: RESULTS[verdict], signals };
      if (JSON.stringify(answer(JSON.stringify(line))) !== JSON.stringify(told)) different.push(scanId);
    }
    expect(different).to.deep.equal([]);
    expect([...verdicts]).to.include.members(['clear', 'suspicious']);
  });

  it('takes a time that says which it is, and refuses any other by its field', () => {
    const told = (fields: object) => () =>
      textReplayer(DEFAULT_POLICY)(JSON.stringify({ scanId: 1, unitId: 'u', sessionId: 's', ...fields }));
    for (const at of [
      0,
      1_767_225_600,
      1_767_225_600_000,
      '1970-01-01T00:00Z',
      '2024-02-29T23:59:59.123456+05:30',
      '2026-01-01T00:00:00-0800',
      '2026-01-01 00:00:00Z',
      '2026-01-01T00:00:00',
      '2026-01-01',
    ])
      told({ at })();
    const noTime = 'at: expected an ISO 8601 time or milliseconds since the epoch';
    for (const at of [
      'yesterday 3',
      '2026-02-30T00:00:00Z',
      '2026-01-01T25:00:00Z',
      'Thu, 01 Jan 2026 00:00:00 GMT',
      '',
      true,
      // Microseconds and nanoseconds, as databases export them.
      1_767_225_600_000_000,
      1_767_225_600_000_000_000,
    ])
      expect(told({ at }), String(at)).to.throw(noTime);
    for (const at of [-1, '1969-12-31T23:59:59Z', '1970-01-01T00:00:00+01:00'])
      expect(told({ at }), String(at)).to.throw('at: before 1970');

    for (const activatedAt of [
      null,
      '1969-07-20',
      '2026-01-01',
      '2026-01-01T00:00:00Z',
      1_767_225_600,
      -300_000_000_000,
    ])
      told({ at: 0, activatedAt })();
    for (const activatedAt of ['yesterday 3', '2026-01-01T25:00:00', '2026-02-30'])
      expect(told({ at: 0, activatedAt }), activatedAt).to.throw(
        'activatedAt: expected an ISO 8601 time or milliseconds since the epoch',
      );
  });

  it('reads the same time from a text, seconds and milliseconds, also from before 1970', () => {
    const read = lineReader();
    const times = (at: unknown, activatedAt: unknown) => {
      const line = read(JSON.stringify({ scanId: 1, unitId: 'u', at, activatedAt }));
      return [line.at, line.activatedAt];
    };
    const told = [Date.UTC(2026, 0, 1, 12), Date.UTC(1960, 0, 1)];
    expect(times('2026-01-01T12:00:00Z', '1960-01-01')).to.deep.equal(told);
    expect(times('2026-01-01T14:00:00+02:00', '1960-01-01T00:00')).to.deep.equal(told);
    expect(times(1_767_268_800, -315_619_200)).to.deep.equal(told);
    expect(times(1_767_268_800_000, -315_619_200_000)).to.deep.equal(told);
  });

  it('takes whole texts and exact numbers for ids of scans and units, and refuses anything else by its field', () => {
    const told = (fields: object) => () =>
      textReplayer(DEFAULT_POLICY)(JSON.stringify({ scanId: 1, unitId: 'u', at: 0, ...fields }));
    for (const field of ['scanId', 'unitId']) {
      for (const id of [0, -7, 1.5, ' ', 'é']) told({ [field]: id })();
      for (const id of ['', null, true, ['u'], undefined])
        expect(told({ [field]: id }), `${field} ${String(id)}`).to.throw(
          `${field}: expected a string or a number`,
        );
      expect(told({ [field]: 2 ** 53 })).to.throw(`${field}: a number of 2^53 or more is not exact`);
    }
  });

  it('takes an empty session or network for one that is not known, and not for one visitor everywhere', () => {
    const lines = (who: object) =>
      [48, 35, -23, 6].map((lat, i) =>
        JSON.stringify({
          scanId: i,
          unitId: 'u',
          at: i * 7 * 86_400,
          lat,
          lon: 40 * i,
          accuracyKm: 16,
          ...who,
        }),
      );
    const scoresOf = (who: object) => lines(who).map(textReplayer(DEFAULT_POLICY));
    expect(scoresOf({ sessionId: '', networkId: '' })).to.deep.equal(scoresOf({}));
    expect(scoresOf({ sessionId: '', networkId: '' }).at(-1)!.result).to.equal('suspicious');
    expect(scoresOf({ sessionId: 'one', networkId: '' }).at(-1)!.result).to.equal('genuine');
  });

  it('takes a position within its bounds, and refuses any other by its field', () => {
    const told = (fields: object) => () =>
      textReplayer(DEFAULT_POLICY)(
        JSON.stringify({ scanId: 1, unitId: 'u', at: 0, lat: 0, lon: 0, ...fields }),
      );
    for (const [field, low, high] of [
      ['lat', -90, 90],
      ['lon', -180, 180],
      ['accuracyKm', 0, 21_000],
    ] as const) {
      for (const value of [low, high, null]) told({ [field]: value })();
      for (const value of [low - 0.1, high + 0.1, String(high), true, [high]])
        expect(told({ [field]: value }), `${field} ${String(value)}`).to.throw(
          `${field}: expected a number from ${low} to ${high}, or null`,
        );
    }
  });

  it('warns once of each half of a position that stands alone, and of none that is whole or missing', () => {
    const warnings: string[] = [];
    const read = lineReader((warning) => warnings.push(warning));
    const placeOf = (fields: object) =>
      read(JSON.stringify({ scanId: 1, unitId: 'u', at: 0, ...fields })).place;
    expect(placeOf({})).to.equal(null);
    expect(placeOf({ lat: 0, lon: 0 })).to.include({ lat: 0, lon: 0, country: null });
    expect(placeOf({ country: 'FR' })).to.include({ lat: null, lon: null, country: 'FR' });
    expect(warnings).to.deep.equal([]);
    for (let i = 0; i < 2; i++) {
      expect(placeOf({ lat: 48 })).to.equal(null);
      expect(placeOf({ lon: 2, country: 'fr' })).to.include({ lat: null, lon: null, country: 'FR' });
    }
    expect(warnings).to.deep.equal(['lat: half a position is none', 'lon: half a position is none']);
  });

  it('takes lines that are late by as much as the worker lets pass, and refuses what is not sorted', () => {
    const answer = textReplayer(DEFAULT_POLICY);
    const see = (at: number, unitId = 'u') => answer(JSON.stringify({ scanId: at, unitId, at }));
    const noon = Date.UTC(2026, 0, 1, 12);
    for (const seconds of [0, 60, 55, 58]) see(noon + seconds * 1000);
    // Four seconds before the line above, and six before the newest.
    expect(() => see(noon + 54_000)).to.throw(
      'at: 2026-01-01T12:00:54.000Z is more than 5 s before 2026-01-01T12:01:00.000Z of the same unit above; lines must be sorted by time',
    );
    see(noon, 'another');
  });

  it('goes by where a position comes from, and refuses what it does not know', () => {
    const lines = (source: string) =>
      [44.3, 47, 49.7, 47, 44.3, 49.7].map((lat, i) =>
        JSON.stringify({
          scanId: i,
          unitId: 'u',
          at: i * 7 * 86_400,
          sessionId: `s${i}`,
          lat,
          lon: 3 + 4 * (i % 2),
          accuracyKm: 200,
          country: 'FR',
          source,
        }),
      );
    const scoreOf = (source: string) => lines(source).map(textReplayer(DEFAULT_POLICY)).at(-1)!.score;
    expect(scoreOf('ip')).to.be.greaterThan(scoreOf('ip-mobile'));
    const unknown = 'source: expected one of gps, ip, ip-fixed, ip-mobile';
    expect(() => scoreOf('wifi')).to.throw(unknown);
    const nowhere = JSON.stringify({ scanId: 1, unitId: 'u', at: 0, source: 'wifi' });
    expect(() => textReplayer(DEFAULT_POLICY)(nowhere)).to.throw(unknown);
  });
});
