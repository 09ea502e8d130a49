import { expect } from 'chai';
import { isWithin } from '../../../shared/places/cidrs.ts';

describe('addresses in networks', () => {
  const networks = ['192.0.2.0/24', '2001:db8:4::/48'];

  it('finds an address in a network of its kind, IPv4 in IPv6 too', () => {
    for (const ip of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8:4:1::7'])
      expect(isWithin(networks, ip), ip).to.equal(true);
    for (const ip of ['192.0.3.7', '2001:db8:5::7', '::c000:207'])
      expect(isWithin(networks, ip), ip).to.equal(false);
  });

  it('finds what is no address in none, as a proxy may write it', () => {
    for (const text of ['', 'unknown', '_hidden', '192.0.2.', '192.0.2.7, 192.0.2.8'])
      expect(isWithin(networks, text), text).to.equal(false);
  });
});
