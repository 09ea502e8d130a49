import { expect } from 'chai';
import { networkId, plainAddress, truncateIp } from '../../../shared/places/addresses.ts';

const NO_IPV4 = [
  '010.2.3.4',
  '1.2.3.04',
  '256.2.3.4',
  '1.2.3.256',
  '1.2.3.',
  '.1.2.3',
  '1..2.3',
  '1.2.3.4.5',
];

describe('addresses kept short', () => {
  it('cuts IPv4 to /24 and IPv6 to /48', () => {
    expect(truncateIp('203.0.113.77')).to.equal('203.0.113.0');
    expect(truncateIp('::ffff:203.0.113.77')).to.equal('203.0.113.0');
    expect(truncateIp('2001:db8:1:f02:3:4:5:6')).to.equal('2001:db8:1::');
    expect(truncateIp('fe80::1%eth0')).to.equal('fe80::');
  });

  it('has no network for what is no address', () => {
    for (const text of ['', 'localhost', '1.2.3', '0x7f.1', '2130706433', '1.2.3.4, 5.6.7.8', ...NO_IPV4]) {
      expect(plainAddress(text), text).to.equal(null);
      expect(truncateIp(text), text).to.equal(null);
      expect(networkId(text, Buffer.alloc(32)), text).to.equal(null);
    }
  });

  it('names a network alike for its addresses, apart from others, and by the key', () => {
    const key = Buffer.alloc(32, 1);
    const id = networkId('203.0.113.77', key);
    expect(id).to.match(/^[\w-]{16}$/);
    expect(networkId('203.0.113.1', key)).to.equal(id);
    expect(networkId('203.0.114.1', key)).not.to.equal(id);
    expect(networkId('203.0.113.77', Buffer.alloc(32, 2))).not.to.equal(id);
    expect(networkId('2001:db8:1:2::1', key)).to.equal(networkId('2001:db8:1:3::1', key));
  });
});
