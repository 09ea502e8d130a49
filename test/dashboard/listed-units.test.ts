import { expect } from 'chai';
import {
  likelierKey,
  LIST_KEYS,
  listedIn,
  type ListKey,
} from '../../dashboard/src/screens/units/listed-units.ts';

const UNIT = 'unit_01h455vb4pex5vsknk084sn02q';
const ROWS = ['unitId,serial,token,address', `${UNIT},"A,1",TOKEN,https://x.example/v/TOKEN`];

describe('what a list of units names', () => {
  it('is read from codes.csv and codes.ndjson by ids, serials or codes', () => {
    const csv = `\uFEFF${ROWS.join('\r\n')}\r\n`;
    const semicolons = ROWS.join('\n').replaceAll(',', ';').replace('"A;1"', '"A,1"');
    const ndjson = JSON.stringify({
      unitId: UNIT,
      serial: 'A,1',
      token: 'TOKEN',
      address: 'https://x.example',
    });
    for (const list of [csv, semicolons, ndjson]) {
      expect(listedIn('unitId', list)).to.deep.equal({ items: [UNIT], strays: [] });
      expect(listedIn('serial', list)).to.deep.equal({ items: ['A,1'], strays: [] });
      expect(listedIn('code', list)).to.deep.equal({ items: ['TOKEN'], strays: [] });
    }
  });

  it('is what stands on lines or between spaces, once', () => {
    expect(listedIn('serial', 'A1\rA2\r\nA3, A4; A5\tA1\n\n  A,6 ', 'A7,\n"A8"')).to.deep.equal({
      items: ['A1', 'A2', 'A3', 'A4', 'A5', 'A,6', 'A7,', 'A8'],
      strays: [],
    });
    const scanned = ']d2010950600013435210H/7\u001d217K2M';
    for (const list of [scanned, `unitId,code\n${UNIT},${scanned}`])
      expect(listedIn('code', list)).to.deep.equal({ items: [scanned], strays: [] });
    const printed = '(01) 09506000134352 (10) H7 (21)\t7K2M (01)09506000134352 (21)7K2N, T3';
    expect(listedIn('code', printed).items).to.deep.equal([
      '(01)09506000134352(10)H7(21)7K2M',
      '(01)09506000134352(21)7K2N',
      'T3',
    ]);
    expect(listedIn('code', 'https://x.example/v/T1?lang=de\nT2').items).to.deep.equal([
      'https://x.example/v/T1?lang=de',
      'T2',
    ]);
  });

  it('is nothing where a line has no such cell, or what the service would not take at all', () => {
    const long = 'X'.repeat(21);
    expect(listedIn('serial', `A1\n${long}\nÄ1\n{"token":"T"}`)).to.deep.equal({
      items: ['A1'],
      strays: [long, 'Ä1', '{"token":"T"}'],
    });
    expect(listedIn('code', 'unitId,serial\nunit_1,A1').strays).to.deep.equal(['unit_1,A1']);
    expect(listedIn('serial', 'serial;lot\n;L1').strays).to.deep.equal([';L1']);
    expect(listedIn('code', 'C'.repeat(2_001)).items).to.deep.equal([]);
  });

  it('seems to go by something else where nothing on it is what it is said to go by', () => {
    const seems = (by: ListKey, list: string) => likelierKey(by, listedIn(by, list));
    const token = '7K3M9QXW2D5R8TBCNPH4VJ6Y';
    const codes = ['https://x.example/v/T1', '(01)09506000134352(21)7K2N', ']d2010950600013435221x', token];
    for (const code of codes) {
      expect(seems('unitId', code), code).to.equal('code');
      expect(seems('code', code), code).to.equal(null);
    }
    expect(seems('serial', `${token}\n${codes[0]}`)).to.equal('code');
    for (const by of ['serial', 'code'] as const) expect(seems(by, `${UNIT}\n${UNIT}`)).to.equal('unitId');
    expect(seems('unitId', 'A1\nA2')).to.equal('serial');
    // Some are right, none is clear, all are rows of a file that has everything, or there are none.
    expect(seems('unitId', `${UNIT}\nA1`)).to.equal(null);
    expect(seems('unitId', `${token}\nÄ`)).to.equal(null);
    expect(seems('serial', 'A1\nA2')).to.equal(null);
    for (const by of LIST_KEYS) {
      expect(seems(by, ROWS.join('\n'))).to.equal(null);
      expect(seems(by, '')).to.equal(null);
    }
  });
});
