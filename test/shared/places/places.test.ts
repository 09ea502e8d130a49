import { expect } from 'chai';
import { openPlaces } from '../../../shared/places/places.ts';
import type { Places } from '../../../shared/places/places.ts';

describe('places of addresses', () => {
  let places: Places;

  before(async () => {
    places = await openPlaces();
  });

  // Networks that universities have held since the 1980s: the least likely to move when the database is renewed.
  const known: [ip: string, country: string, city: string, lat: number, lon: number][] = [
    ['141.20.1.1', 'DE', 'Berlin', 52.5, 13.4],
    ['133.11.0.1', 'JP', 'Chiyoda City', 35.7, 139.8],
    ['18.9.22.69', 'US', 'Cambridge', 42.4, -71.1],
    ['143.107.1.1', 'BR', 'Sao Paulo', -23.6, -46.6],
    ['2001:638::1', 'DE', 'Berlin', 52.5, 13.4],
    ['2001:200::1', 'JP', 'Fujisawa', 35.4, 139.4],
  ];
  for (const [ip, country, city, lat, lon] of known) {
    it(`places ${ip} in ${city}, ${country}`, () => {
      const place = places.locate(ip)!;
      expect(place).to.include({ country, city });
      expect(place.lat).to.be.closeTo(lat, 0.5);
      expect(place.lon).to.be.closeTo(lon, 0.5);
      // The database's further digits are none of the place's.
      expect([place.lat, place.lon].map((degrees) => Number(degrees.toFixed(2)))).to.deep.equal([
        place.lat,
        place.lon,
      ]);
    });
  }

  it('takes the word of a caller who knows the network', () => {
    expect(places.locate('133.11.0.1', 'fixed')).to.include({ accuracyKm: 16, source: 'ip-fixed' });
    expect(places.locate('2001:638::1', 'mobile')).to.include({ accuracyKm: 207, source: 'ip-mobile' });
  });

  it('unwraps IPv4 in IPv6', () => {
    expect(places.locate('::ffff:141.20.1.1')).to.deep.equal(places.locate('141.20.1.1'));
    expect(places.locate('::ffff:8d14:101')).to.deep.equal(places.locate('141.20.1.1'));
  });

  it('says the same of an address after very many others', () => {
    const before = known.map(([ip]) => places.locate(ip));
    const many = Array.from({ length: 30_000 }, (_, n) => `${80 + (n % 10)}.${n >> 7}.${(n * 7) % 256}.1`);
    const towns = many.map((ip) => places.locate(ip)?.city);
    expect(known.map(([ip]) => places.locate(ip))).to.deep.equal(before);
    expect(many.map((ip) => places.locate(ip)?.city)).to.deep.equal(towns);
    expect(new Set(towns).size).to.be.greaterThan(1_000);
  });

  it('gives no place to private, reserved and malformed addresses', () => {
    const nowhere = [
      ['10.0.0.1', '172.16.0.1', '192.168.1.1', '127.0.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
      ['224.0.0.1', '255.255.255.255', '192.0.2.1', '198.51.100.7', '203.0.113.9'],
      ['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'ff02::1', '2001:db8::1', '::ffff:10.0.0.1'],
      ['64:ff9b::8d14:101', '2002:8d14:101::', '::g'],
      [
        '',
        'localhost',
        '141.20.1',
        '141.20.1.1.1',
        '141.20.1.256',
        '0x8d.20.1.1',
        '2366898433',
        ' 141.20.1.1',
      ],
    ].flat();
    for (const ip of nowhere) expect(places.locate(ip), ip).to.equal(null);
  });
});
