import { expect } from 'chai';
import { fromUUID } from 'typeid-js';
import { encodeIds, newUuids } from '../../shared/ids.ts';

describe('ids in bulk', () => {
  const ff = (bytes: number) => Buffer.alloc(bytes, 0xff);

  it('are UUIDv7s of the moment, each later than the one before', () => {
    const now = Date.UTC(2026, 10, 20, 12);
    const ids = newUuids(10_000, undefined, now);
    expect(new Set(ids).size).to.equal(10_000);
    expect([...ids].sort()).to.deep.equal(ids);
    for (const id of ids)
      expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(ids[0]!.replaceAll('-', '').slice(0, 12), 16)).to.equal(now);
  });

  it('go on into the next millisecond when the counter is full', () => {
    const ids = newUuids(5000, ff, 1);
    expect([...ids].sort()).to.deep.equal(ids);
    expect(ids[0]).to.equal('00000000-0001-77ff-bfff-ffffffffffff');
    expect(ids.at(-1)!.slice(0, 13)).to.equal('00000000-0002');
  });

  it('have the public form that the library gives them', () => {
    const ids = [
      ...newUuids(500),
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      '01234567-89ab-7cde-8f01-23456789abcd',
    ];
    expect(encodeIds('unit', ids)).to.deep.equal(ids.map((id) => fromUUID(id, 'unit').toString()));
  });
});
