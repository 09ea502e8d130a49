import { expect } from 'chai';
import fc from 'fast-check';
import {
  decodeId,
  encodeId,
  ID_PREFIXES,
  idPattern,
  newUuid,
  requireId,
  uuidFloor,
} from '../../shared/ids.ts';

const prefix = fc.constantFrom(...ID_PREFIXES);

describe('ids', () => {
  it('come back as they went, for every prefix and UUID', () => {
    fc.assert(
      fc.property(prefix, fc.uuid(), (kind, uuid) => {
        const id = encodeId(kind, uuid);
        expect(id).to.match(new RegExp(`^${kind}_[0-9a-z]{26}$`));
        expect(decodeId(kind, id)).to.equal(uuid);
      }),
    );
  });

  it('of another kind are none', () => {
    fc.assert(
      fc.property(prefix, prefix, fc.uuid(), (kind, other, uuid) => {
        fc.pre(kind !== other);
        expect(decodeId(other, encodeId(kind, uuid))).to.equal(null);
      }),
    );
  });

  it('that are malformed are null, whatever they are, and never throw', () => {
    fc.assert(
      fc.property(prefix, fc.string({ unit: 'binary' }), (kind, text) => {
        expect(decodeId(kind, text)).to.equal(null);
      }),
    );
    fc.assert(
      fc.property(prefix, fc.string(), (kind, text) => {
        const id = decodeId(kind, `${kind}_${text}`);
        expect(id === null || encodeId(kind, id) === `${kind}_${text}`).to.equal(true);
      }),
    );
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(idPattern('prod'))), (text) => {
        const id = decodeId('prod', text);
        expect(id === null || encodeId('prod', id) === text).to.equal(true);
      }),
    );
    for (const bad of [
      'prod_0np0nmmpvampm0kkpjmjvnjjkk',
      `prod_${'8'.repeat(26)}`,
      `prod_${'0'.repeat(25)}`,
      `prod_${'0'.repeat(26)}\n`,
      'prod_',
      '',
    ]) {
      expect(decodeId('prod', bad), bad).to.equal(null);
      expect(() => requireId('prod', bad))
        .to.throw()
        .with.property('code', 'NOT_FOUND');
    }
  });

  it('sort by the order in which they were made, as UUID and as text', () => {
    const uuids = Array.from({ length: 2_000 }, newUuid);
    expect(uuids.toSorted()).to.deep.equal(uuids);
    const ids = uuids.map((uuid) => encodeId('scan', uuid));
    expect(ids.toSorted()).to.deep.equal(ids);
    expect(new Set(uuids).size).to.equal(uuids.length);
  });

  it('of a moment are not below its floor, nor at that of the next', () => {
    const before = Date.now();
    const uuid = newUuid();
    expect(uuid >= uuidFloor(new Date(before))).to.equal(true);
    expect(uuid < uuidFloor(new Date(before + 60_000))).to.equal(true);
    expect(uuidFloor(new Date(-1))).to.equal('00000000-0000-0000-0000-000000000000');
  });
});
