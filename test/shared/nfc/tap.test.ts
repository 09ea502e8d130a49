import { expect } from 'chai';
import { parseKeyring } from '../../../shared/keyring.ts';
import { aesCmac } from '../../../shared/nfc/cmac.ts';
import { tagKeysOf } from '../../../shared/nfc/tag-keys.ts';
import { counterOfTap, parseTap, tagUrlOf, type SentTap } from '../../../shared/nfc/tap.ts';
import { createTag } from '../../support/nfc-tag.ts';

const hex = (text: string) => Buffer.from(text, 'hex');
const sentBy = (query: string) => parseTap(Object.fromEntries(new URLSearchParams(query)));
const counterOf = (key: Buffer, query: string) => counterOfTap(key, sentBy(query) as SentTap);

describe('AES-CMAC', () => {
  it('is that of the RFC, for nothing, a block, some of one, and several', () => {
    const key = hex('2b7e151628aed2a6abf7158809cf4f3c');
    const message = hex(
      '6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710',
    );
    const macs = [0, 16, 40, 64].map((length) => aesCmac(key, message.subarray(0, length)).toString('hex'));
    expect(macs).to.deep.equal([
      'bb1d6929e95937287fa37d129b756746',
      '070a16b46b4d4144f79bdd9dd04a287c',
      'dfa66747de9ae63030ca32611497c827',
      '51f0bebf7e3b9d92fc49741779363cfe',
    ]);
  });
});

describe('the tap of an NFC tag', () => {
  const zeros = Buffer.alloc(16);
  /** NXP AN12196, 3.4. */
  const VECTOR = 'picc_data=EF963FF7828658A599F3041510671E88&cmac=94EED9EE65337086';

  it('says its counter where the tag’s key signed it, encrypted as NXP’s own example has it, or in plain', () => {
    expect(counterOf(zeros, VECTOR)).to.equal(0x3d);
    expect(counterOf(zeros, 'uid=04DE5F1EACC040&ctr=00003D&cmac=94EED9EE65337086')).to.equal(0x3d);
    expect(counterOf(zeros, VECTOR.toLowerCase())).to.equal(0x3d);
  });

  it('says nothing where another key signed it, or anything of it is another', () => {
    expect(counterOf(Buffer.alloc(16, 1), VECTOR)).to.equal(null);
    expect(counterOf(zeros, 'picc_data=EF963FF7828658A599F3041510671E88&cmac=94EED9EE65337087')).to.equal(
      null,
    );
    expect(counterOf(zeros, 'picc_data=EF963FF7828658A599F3041510671E89&cmac=94EED9EE65337086')).to.equal(
      null,
    );
    expect(counterOf(zeros, 'uid=04DE5F1EACC040&ctr=00003E&cmac=94EED9EE65337086')).to.equal(null);
    expect(counterOf(zeros, 'uid=04DE5F1EACC041&ctr=00003D&cmac=94EED9EE65337086')).to.equal(null);
    expect(counterOf(zeros, `picc_data=${'0'.repeat(32)}&cmac=${'0'.repeat(16)}`)).to.equal(null);
  });

  it('is read from an address that has one, whatever else is in it; anything odd is one that no tag made', () => {
    expect(parseTap({})).to.equal(null);
    expect(parseTap({ lang: 'de', utm_source: 'x', ctr: '7' })).to.equal(null);
    expect(sentBy(`lang=de&${VECTOR}`)).to.be.an('object');
    const [picc_data, cmac] = ['EF963FF7828658A599F3041510671E88', '94EED9EE65337086'];
    for (const query of [
      { cmac },
      { cmac: '', picc_data },
      { cmac: `${cmac}0`, picc_data },
      { cmac, picc_data: picc_data.slice(1) },
      { cmac, picc_data: `${picc_data.slice(1)}g` },
      { cmac: [cmac, cmac], picc_data },
      { cmac: { a: cmac }, picc_data },
      { cmac, uid: '04DE5F1EACC040' },
      { cmac, ctr: '00003D' },
      { cmac, uid: '04DE5F1EACC0', ctr: '00003D' },
    ])
      expect(parseTap(query), JSON.stringify(query)).to.equal('malformed');
  });

  it('comes as often as the tag counts', () => {
    const tag = createTag(zeros);
    expect([tag.tap(), tag.tapInPlain(), tag.tap()].map((query) => counterOf(zeros, query))).to.deep.equal([
      1, 2, 3,
    ]);
  });

  it('takes the place of zeros in the address that the tag is written with', () => {
    const url = tagUrlOf('https://t.example', 'ABC');
    expect(url).to.equal(
      'https://t.example/v/ABC?picc_data=00000000000000000000000000000000&cmac=0000000000000000',
    );
  });
});

describe('the keys of a unit’s NFC tag', () => {
  const [older, newer] = [
    `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    `k2:${Buffer.alloc(32, 2).toString('base64')}`,
  ];
  const code = Buffer.alloc(10, 7);

  it('are the unit’s alone, two of 16 bytes, and the same for ever', () => {
    const keys = tagKeysOf(parseKeyring(older), code, 'k1');
    expect(keys.read.toString('hex')).to.equal('3a21dd69a440b1df73245645688e2391');
    expect(keys.master.toString('hex')).to.equal('80ae9d06bc1cb496b4faee0329d82e27');
    expect(tagKeysOf(parseKeyring(older), Buffer.alloc(10, 8), 'k1').read).not.to.deep.equal(keys.read);
  });

  it('are those of the key that made the unit’s token, wherever that stands in the ring, and none without it', () => {
    const keys = tagKeysOf(parseKeyring(older), code, 'k1');
    expect(tagKeysOf(parseKeyring(`${newer},${older}`), code, 'k1')).to.deep.equal(keys);
    expect(tagKeysOf(parseKeyring(newer), code, 'k2')).not.to.deep.equal(keys);
    expect(() => tagKeysOf(parseKeyring(newer), code, 'k1')).to.throw(RangeError, 'k1');
  });
});
