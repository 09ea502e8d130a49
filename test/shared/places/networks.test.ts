import { expect } from 'chai';
import { publicAddress } from '../../../shared/places/addresses.ts';
import type { Family } from '../../../shared/places/asn-ranges.ts';
import { openNetworks, type NetworkKinds } from '../../../shared/places/networks.ts';
import type { Places } from '../../../shared/places/places.ts';
import { testPlaces } from '../../support/places.ts';

describe('kinds of networks', () => {
  let places: Places;

  before(async () => {
    places = await testPlaces();
  });

  const known: [source: string, radiusKm: number, addresses: Record<string, string>][] = [
    [
      'ip-fixed',
      16,
      {
        Comcast: '73.0.0.10',
        Charter: '75.131.186.10',
        Cox: '68.0.0.10',
        'Virgin Media': '80.3.1.1',
        'Free (lines)': '82.64.1.1',
        'Telkom Indonesia': '36.68.1.1',
        "AIS of Thailand's lines": '49.228.100.1',
        "Germany's universities": '141.20.1.1',
        "Germany's universities, mapped": '::ffff:141.20.1.1',
        'WIDE of Japan, IPv6': '2001:200::1',
      },
    ],
    [
      'ip-mobile',
      207,
      {
        'T-Mobile US': '100.191.100.50',
        'AT&T Mobility': '166.212.0.10',
        'Verizon Wireless': '174.200.0.1',
        'NTT Docomo': '27.228.0.10',
        Rakuten: '157.192.0.10',
        'Free Mobile': '37.160.1.1',
        'Three UK': '188.28.1.1',
        Jio: '49.37.1.1',
        Telkomsel: '114.120.1.1',
        "AIS of Thailand's telephones": '49.230.0.10',
        'T-Mobile US, IPv6': '2607:fb91:a600::10',
        'Verizon Wireless, IPv6': '2600:1000::1',
        'Jio, IPv6': '2409:4000::1',
      },
    ],
    [
      'ip',
      200,
      {
        'Deutsche Telekom': '79.192.0.10',
        'Orange France': '90.1.1.1',
        BT: '86.130.1.1',
        'Vodafone Germany': '2.201.10.10',
        'Telefónica Spain': '95.121.10.10',
        'China Telecom': '1.80.0.1',
        'AT&T, which announces telephones among lines': '99.49.80.100',
        'AT&T, IPv6': '2600:1700::1',
        'a resolver': '8.8.8.8',
        'a cloud': '3.96.0.10',
        'a relay': '104.28.28.1',
        'a company gateway': '220.42.0.10',
        'Comcast in IPv6, which the cities have in heaps': '2601:240::1',
      },
    ],
  ];
  for (const [source, accuracyKm, addresses] of known)
    for (const [name, ip] of Object.entries(addresses))
      it(`takes ${name} for ${source}`, () => {
        expect(places.locate(ip)).to.include({ source, accuracyKm });
      });
});

describe('networks by their ranges', () => {
  const CSV = {
    ipv4: [
      '16777216,16777471,10,Lines',
      '16777472,16777727,11,"Telephones, Inc."',
      '16778240,16778495,10,Lines',
      '4009754624,4009754879,11,"Telephones, Inc."',
    ],
    ipv6: [
      '2001:200::,2001:200:ffff:ffff:ffff:ffff:ffff:ffff,10,Lines',
      '2400:0:1::,2400:0:1:0:ffff:ffff:ffff:ffff,11,Telephones',
      '2400:0:1:1::5,2400:0:1:1::9,10,Lines',
      '2400:0:1:8::,2400:0:1:8:ffff:ffff:ffff:ffff,11,Telephones',
      '2a00::1:2:3:4:5,2a00::ffff:ffff:ffff:ffff:ffff,11,Telephones',
    ],
  };
  const table: NetworkKinds = {
    mobile: '11',
    fixed: { ipv4: { DE: '10@50.11,8.68' }, ipv6: { DE: '9 10' } },
  };
  const berlin = { country: 'DE', lat: 52.5, lon: 13.4, name: 'Berlin' };
  const kindOf = (family: Family, ip: string, city: Partial<typeof berlin> = {}): string =>
    openNetworks(Buffer.from(CSV[family].join('\n')), family, table).kindOf(publicAddress(ip)!, {
      ...berlin,
      ...city,
    });

  it('finds the first and the last address of a range, and nothing between ranges', () => {
    expect(['1.0.0.0', '1.0.0.255'].map((ip) => kindOf('ipv4', ip))).to.deep.equal(['fixed', 'fixed']);
    expect(['1.0.1.0', '1.0.1.255'].map((ip) => kindOf('ipv4', ip))).to.deep.equal(['mobile', 'mobile']);
    expect(['1.0.2.0', '1.0.3.255'].map((ip) => kindOf('ipv4', ip))).to.deep.equal(['unknown', 'unknown']);
    expect(kindOf('ipv4', '1.0.4.0')).to.equal('fixed');
    expect(['1.0.5.0', '223.255.255.255'].map((ip) => kindOf('ipv4', ip))).to.deep.equal([
      'unknown',
      'unknown',
    ]);
  });

  it('knows no line that the cities have in a heap or abroad', () => {
    expect(kindOf('ipv4', '1.0.0.1', { lat: 50.11, lon: 8.68 })).to.equal('unknown');
    // As far north, and as far east.
    expect(kindOf('ipv4', '1.0.0.1', { lat: 50.11, lon: 9 })).to.equal('fixed');
    expect(kindOf('ipv4', '1.0.0.1', { lat: 53, lon: 8.68 })).to.equal('fixed');
    expect(kindOf('ipv4', '1.0.0.1', { country: 'FR' })).to.equal('unknown');
    expect(kindOf('ipv4', '1.0.1.1', { country: 'FR' })).to.equal('mobile');
  });

  it('reads IPv6 by its first 64 bits, and leaves out what is less', () => {
    expect(['2001:200::1', '2001:200:ffff::1'].map((ip) => kindOf('ipv6', ip))).to.deep.equal([
      'fixed',
      'fixed',
    ]);
    expect(kindOf('ipv6', '2001:201::1')).to.equal('unknown');
    expect(['2400:0:1::1', '2400:0:1:8::1'].map((ip) => kindOf('ipv6', ip))).to.deep.equal([
      'mobile',
      'mobile',
    ]);
    expect(
      ['2400:0:1:4::1', '2400:0:1:9::1', '2400:0:1:1::5', '2400:0:0:ffff::1', '2a00::1:2:3:4:5'].map((ip) =>
        kindOf('ipv6', ip),
      ),
    ).to.deep.equal(Array(5).fill('unknown'));
  });
});
