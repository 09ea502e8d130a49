import { expect } from 'chai';
import { chunkUnits, type SheetOptions } from '../../../shared/barcode-jobs/options.ts';

const sheet = (columns: number, rows: number): SheetOptions => ({
  layout: { pageWidth: 210, pageHeight: 297, columns, rows, labelWidth: 8, labelHeight: 8 },
  fields: [],
});

describe('chunkUnits', () => {
  const slow = { total: 1_000_000, formats: ['pdf'], fast: false, most: 5_000 } as const;

  it('gives parts whole sheets, and no more units than a part may have', () => {
    for (const [columns, rows] of [
      [3, 7],
      [5, 13],
      [9, 70],
      [1, 1],
    ] as const) {
      const perSheet = columns * rows;
      const units = chunkUnits({ ...slow, sheet: sheet(columns, rows) });
      expect(units % perSheet, `${perSheet}`).to.equal(0);
      expect(units, `${perSheet}`).to.be.within(1_001 - perSheet, 1_000);
    }
  });

  it('cuts a sheet of more labels than a part may have', () => {
    expect(chunkUnits({ ...slow, sheet: sheet(20, 60) })).to.equal(1_000);
  });
});
