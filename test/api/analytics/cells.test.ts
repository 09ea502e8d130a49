import { expect } from 'chai';
import { presentCell } from '../../../api/analytics/schema.ts';
import { cellOf } from '../../../shared/analytics/service.ts';

const shown = (lat: number | null, lon: number | null) =>
  presentCell({ key: String(cellOf(lat, lon)), scans: 1, byResult: {} }).cell;

describe('a cell of the map', () => {
  it('is a degree wide and high around its scans', () => {
    expect(shown(52.5, 13.4)).to.deep.equal({ south: 52, west: 13, north: 53, east: 14 });
    expect(shown(-90, -180)).to.deep.equal({ south: -90, west: -180, north: -89, east: -179 });
  });

  it('is null for scans whose place is not known', () => {
    expect(shown(null, null)).to.equal(null);
  });
});
