import { expect } from 'chai';
import * as events from '../../../shared/epcis/events.ts';
import type { ConsignmentFact, RecallFact, ScanFact, UnitFact } from '../../../shared/epcis/repository.ts';
import { encodeId, newUuid } from '../../../shared/ids.ts';

const here = { publicUrl: 'https://verify.example.com', orgId: newUuid() };
const home = `${here.publicUrl}/epcis/${encodeId('org', here.orgId)}`;
const fact = { id: newUuid(), at: new Date('2026-06-01T10:00:00Z') };
const unit: UnitFact = { ...fact, unit_id: newUuid(), serial: '1', gtin: null, lot: null, expires_on: null };

describe('a fact as an EPCIS event', () => {
  for (const [result, disposition] of [
    ['genuine', 'conformant'],
    // Which of the two was scanned, the thing or its copy, is not known.
    ['suspicious', 'unknown'],
    ['diverted', 'non_conformant'],
    ['suspended', 'unavailable'],
    ['recalled', 'recalled'],
    ['expired', 'expired'],
    ['inactive', 'inactive'],
  ] as const)
    it(`is ${disposition} for a scan that was ${result}`, () => {
      const scan: ScanFact = { ...unit, result, country: 'DE', lat: null, lon: null };
      const { readPoint, ...event } = events.scanned(here, scan);
      expect(event.disposition).to.equal(disposition);
      expect(readPoint).to.deep.equal({ id: `${here.publicUrl}/epcis/country_DE` });
      expect(events.scanned(here, { ...scan, country: null })).to.not.have.property('readPoint');
    });

  it('tells of a minted unit the lot and the expiry that it has, and nothing in their place', () => {
    expect(events.minted(here, unit)).to.not.have.property('ilmd');
    expect(events.minted(here, { ...unit, lot: 'L1' }).ilmd).to.deep.equal({ 'cbvmda:lotNumber': 'L1' });
    expect(events.minted(here, { ...unit, expires_on: '2030-01-31' }).ilmd).to.deep.equal({
      'cbvmda:itemExpirationDate': '2030-01-31',
    });
  });

  it('ships from the organization itself where a consignment names no origin, and to nowhere without a destination', () => {
    const consignment: ConsignmentFact = {
      ...fact,
      sscc: null,
      origin: null,
      destination: null,
      document_references: [
        { type: 'Purchase-Order', value: '1' },
        { type: 'Letter', value: '2' },
      ],
      is_complete: true,
      units: [],
    };
    for (const event of [events.shipped(here, consignment), events.calledOff(here, consignment)]) {
      expect(event.readPoint).to.deep.equal({ id: home });
      expect(event.sourceList).to.deep.equal([{ type: 'location', source: home }]);
      expect(event).to.not.have.any.keys('destinationList', 'bizLocation');
      expect(event.bizTransactionList!.map(({ type }) => type)).to.deep.equal(['po', undefined]);
    }
    const received = events.received(here, consignment);
    expect(received).to.not.have.any.keys('destinationList', 'bizLocation', 'readPoint');
  });

  it('leaves a recalled thing where it is, and counts the units of a batch alone', () => {
    const recall: RecallFact = {
      ...fact,
      scope: 'batch',
      target_id: newUuid(),
      sscc: null,
      serial: null,
      gtin: '09506000134352',
      lot: 'L1',
      quantity: null,
    };
    const batch = { epcClass: 'https://id.gs1.org/01/09506000134352/10/L1' };
    for (const tell of [events.recalled, events.lifted]) {
      expect(tell(here, recall)).to.not.have.property('bizLocation');
      expect(tell(here, recall).quantityList).to.deep.equal([batch]);
      expect(tell(here, { ...recall, quantity: 7 }).quantityList).to.deep.equal([{ ...batch, quantity: 7 }]);
      expect(tell(here, { ...recall, scope: 'product', quantity: 7 }).quantityList).to.deep.equal([
        { epcClass: 'https://id.gs1.org/01/09506000134352' },
      ]);
    }
  });
});
