import { expect } from 'chai';
import { UnitNumbers } from '../../../shared/risk/unit-numbers.ts';

describe('unit numbers', () => {
  let numbers: UnitNumbers;
  // So little memory that most names go to the file.
  beforeEach(() => {
    numbers = new UnitNumbers({ segmentBytes: 10_000, segmentsInMemory: 2 });
  });
  afterEach(() => numbers.close());

  it('count units as they come, and know each of them again, however many came after', () => {
    const units = Array.from({ length: 70_000 }, (_, i) => `unit ${i}`);
    expect(units.map((unit) => numbers.numberOf(unit))).to.deep.equal([...units.keys()]);
    for (let i = 0; i < units.length; i += 99) expect(numbers.numberOf(units[i]!)).to.equal(i);
    expect(numbers.numberOf('another')).to.equal(70_000);
  });

  it('tell units apart by their whole id and its type', () => {
    const units = ['1', 1, '', 'é', '\u{d800}', '\u{d801}', 'x'.repeat(5_000), `${'x'.repeat(4_999)}y`, 1e21];
    units.push('"'.repeat(99), '€'.repeat(198));
    for (let round = 0; round < 2; round++)
      expect(units.map((unit) => numbers.numberOf(unit))).to.deep.equal([...units.keys()]);
  });
});
