import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { FIXED, MIXED, MOBILE, readTable } from '../../cli/network-kinds/curated.ts';
import { useByName } from '../../cli/network-kinds/holders.ts';
import { knownPlaces, placeKey, spreadOf, type Sample, type Spot } from '../../cli/network-kinds/spread.ts';
import { readSystems, sampleOf, type System } from '../../cli/network-kinds/systems.ts';
import { cityDatabasePath, openCityDatabase } from '../../shared/places/city-database.ts';
import kinds from '../../shared/places/network-kinds.json' with { type: 'json' };

describe('the table of kinds of networks', () => {
  let systems: Map<number, System>;

  before(() => {
    systems = readSystems();
  });

  const tables = { MOBILE: readTable(MOBILE), FIXED: readTable(FIXED), MIXED: readTable(MIXED) };

  it('names systems that are whose it says, each once', () => {
    const all = Object.values(tables).flatMap((table) => [...table]);
    const strange = all.filter(([asn, word]) => {
      const holder = systems.get(asn)?.holder ?? '';
      return !holder.toLowerCase().includes(word.toLowerCase());
    });
    expect(strange).to.deep.equal([]);
    expect(new Set(all.map(([asn]) => asn)).size)
      .to.equal(all.length)
      .and.above(400);
  });

  it('has what is curated, and of lines what the cities know', () => {
    const mobile = new Set(kinds.mobile.split(' ').map(Number));
    const fixed = new Set(Object.values(kinds.fixed.ipv4).join(' ').split(' ').map(Number.parseFloat));
    expect([...tables.MOBILE.keys()].filter((asn) => !mobile.has(asn))).to.deep.equal([]);
    expect([...tables.MIXED.keys()].filter((asn) => mobile.has(asn) || fixed.has(asn))).to.deep.equal([]);
    expect([...tables.FIXED.keys()].filter((asn) => fixed.has(asn)).length / tables.FIXED.size).to.be.above(
      0.7,
    );
  });

  it('is what the cities make of the systems, as far as some are looked at', () => {
    const cities = openCityDatabase(readFileSync(cityDatabasePath('ipv4')));
    const entryOf = (asn: number): string | null => {
      const system = systems.get(asn)!;
      const spread = spreadOf(sampleOf(system, 'ipv4', cities))!;
      const heaps = knownPlaces(spread, system.size);
      return heaps && [asn, ...heaps.map(placeKey)].join('@');
    };
    const written = new Map(
      Object.values(kinds.fixed.ipv4)
        .join(' ')
        .split(' ')
        .map((entry) => [Number.parseFloat(entry), entry]),
    );
    // Comcast, Charter, Virgin Media, DFN, EPB Fiber; and two whose addresses are all at one point: JCOM, LG Powercomm.
    for (const asn of [7922, 20115, 5089, 680, 26827, 9824, 17858])
      expect(entryOf(asn), String(asn)).to.equal(written.get(asn) ?? null);
    expect(written.get(7922)).to.include('@');
    expect(written.has(9824)).to.equal(false);
  });
});

describe('the use of a network by its holder’s name', () => {
  const uses = {
    fixed: [
      'University of Delaware',
      'Technische Universität Kaiserslautern',
      'EPB Fiber Optics',
      'Stadtwerke Konstanz GmbH',
      'Twin Lakes Telephone Cooperative Corporation',
      'LIWEST Kabelmedien GmbH',
      'Fibra do Vale Ltda',
    ],
    mobile: [
      'Inland Cellular',
      'Telefonia Celular de Nicaragua SA.',
      'ZAO "Aquafon-GSM"',
      'TOT Mobile Co LTD',
    ],
    provider: ['LUP TELECOMUNICACOES LTDA', 'Nets Provedor de Internet'],
    unknown: [
      'JAB Wireless, INC.',
      'Cable & Wireless Panama',
      'Telefonica de Argentina',
      'Vodafone Kabel Deutschland GmbH',
      'Broadband Hosting B.V.',
      'Fiber Data Center LLC',
      'Exxon Mobil Corporation',
      'China Mobile',
      'University Mobile VPN Cloud',
      'Marcellus Ltd',
      'Deutsche Satellite Broadband',
    ],
  };
  for (const [use, names] of Object.entries(uses))
    it(`is ${use} where it says so`, () => {
      for (const name of names) expect(useByName(name), name).to.equal(use);
    });
});

describe('how the cities spread a network', () => {
  const at = (country: string, lat: number, lon: number): Spot => ({ country, lat, lon });
  const sample = (...parts: [count: number, spotOf: (index: number) => Spot][]): Sample =>
    parts.flatMap(([count, spotOf]) =>
      Array.from({ length: count }, (_, index) => [spotOf(index), spotOf(index + 1)] as const),
    );
  const oneTown = sample([100, (index) => at('DE', 52.5 + (index % 5) / 20, 13.4)]);
  const towns = (index: number) => at('DE', 48 + (index % 30) / 5, 8 + (index % 7));

  it('knows a small network that is in one town, and no large one', () => {
    expect(knownPlaces(spreadOf(oneTown)!, 4096)).to.deep.equal([]);
    expect(knownPlaces(spreadOf(oneTown)!, 2 ** 20)).to.equal(null);
  });

  it('knows a network that is cut into many towns, but not its heap', () => {
    const spread = spreadOf(sample([30, () => at('DE', 50.11, 8.68)], [70, towns]))!;
    expect(spread).to.include({ country: 'DE', known: 0.7 });
    expect(knownPlaces(spread, 2 ** 20)).to.deep.equal([at('DE', 50.11, 8.68)]);
    expect(knownPlaces(spreadOf(sample([80, () => at('DE', 50.11, 8.68)], [20, towns]))!, 2 ** 20)).to.equal(
      null,
    );
  });

  it('knows IPv6 in one town only where IPv4 is in that town', () => {
    const six = spreadOf(oneTown)!;
    expect(knownPlaces(six, 4096, six)).to.deep.equal([]);
    expect(knownPlaces(six, 4096, spreadOf(sample([100, towns]))!)).to.equal(null);
    expect(knownPlaces(six, 4096, spreadOf(sample([100, () => at('DE', 48.1, 11.6)]))!)).to.equal(null);
  });
});
