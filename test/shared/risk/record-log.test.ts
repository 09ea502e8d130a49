import { expect } from 'chai';
import { MAX_RECORD_BYTES, RecordLog, type RecordLogOptions } from '../../../shared/risk/record-log.ts';

describe('a log of records', () => {
  let log: RecordLog;
  const open = (options: RecordLogOptions) => (log = new RecordLog(options));
  afterEach(() => log.close());

  /** Each byte tells the record and its own place. */
  const recordOf = (seed: number, length: number) =>
    Buffer.from(Array.from({ length }, (_, i) => (seed * 31 + i) % 251));
  const append = (seed: number, length: number) => log.append(recordOf(seed, length), length);
  const stored = (position: number, length: number) => {
    const { bytes, at } = log.read(position);
    return Buffer.from(bytes.subarray(at, at + length));
  };

  it('gives back each record whole, wherever in a segment it ends and whether that is still in memory', () => {
    // Records of one room, of which three fill the segment, or are up to a few bytes more than that.
    for (let segmentBytes = 96; segmentBytes <= 106; segmentBytes++) {
      open({ segmentBytes, segmentsInMemory: 2 });
      const positions = Array.from({ length: 20 }, (_, i) => append(i, 31));
      for (const [i, position] of positions.entries())
        expect(stored(position, 31), `${i} of ${segmentBytes}`).to.deep.equal(recordOf(i, 31));
      log.close();
    }
  });

  it('takes records of any length up to the longest, and reads them from the file, too', () => {
    open({ segmentBytes: MAX_RECORD_BYTES + 40, segmentsInMemory: 1 });
    const lengths = [1, 31, 32, 33, 509, 510, 511, 512, 513, 5_000, MAX_RECORD_BYTES - 1, MAX_RECORD_BYTES];
    const positions = lengths.map((length, i) => append(i, length));
    append(99, MAX_RECORD_BYTES);
    for (const [i, length] of lengths.entries())
      expect(stored(positions[i]!, length).equals(recordOf(i, length)), `${length} bytes`).to.equal(true);
  });

  it('puts a record in the place of another where it fits, and beside it where it does not or is out of memory', () => {
    open({ segmentBytes: 200, segmentsInMemory: 1 });
    const [first, second] = [append(1, 20), append(2, 20)];
    expect(log.replace(first, recordOf(3, 32), 32)).to.equal(first);
    expect(log.replace(second, recordOf(6, 25), 25)).to.equal(second);
    expect([stored(first, 32), stored(second, 25)]).to.deep.equal([recordOf(3, 32), recordOf(6, 25)]);

    const grown = log.replace(first, recordOf(4, 33), 33);
    expect(grown).not.to.equal(first);
    expect([stored(grown, 33), stored(second, 25)]).to.deep.equal([recordOf(4, 33), recordOf(6, 25)]);

    for (let i = 0; i < 9; i++) append(i, 31);
    const moved = log.replace(second, recordOf(5, 20), 20);
    expect(moved).not.to.equal(second);
    expect([stored(grown, 33), stored(moved, 20)]).to.deep.equal([recordOf(4, 33), recordOf(5, 20)]);
  });
});
