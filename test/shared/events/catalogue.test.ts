import { expect } from 'chai';
import {
  EVENT_CATALOGUE,
  eventFilterSchema,
  eventTypeDocuments,
  MAX_EVENT_DATA_BYTES,
  parseEventData,
  SUBSCRIBABLE_EVENT_TYPES,
  type EventType,
} from '../../../shared/events/catalogue.ts';
import {
  productDiverted,
  scanRecorded,
  suspiciousScanDetected,
} from '../../../shared/events/event-examples.ts';
import { resolvePolicy } from '../../../shared/risk/policy.ts';
import { score } from '../../../shared/risk/score.ts';
import type { PlaceSource, UnitContext } from '../../../shared/risk/types.ts';

const types = Object.keys(EVENT_CATALOGUE) as EventType[];

describe('the event catalogue', () => {
  it('has the eight types of the contract, and the test event', () => {
    expect([...SUBSCRIBABLE_EVENT_TYPES]).to.have.members([
      'scan.recorded',
      'suspicious_scan.detected',
      'product.diverted',
      'counterfeit_report.created',
      'barcode_job.completed',
      'barcode_job.failed',
      'consignment.received',
      'consignment.recalled',
    ]);
    expect(types.filter((type) => !SUBSCRIBABLE_EVENT_TYPES.includes(type))).to.deep.equal(['webhook.test']);
  });

  it('gives scan.recorded the four keys of the contract', () => {
    expect(EVENT_CATALOGUE['scan.recorded'].example).to.include.all.keys(
      'scanId',
      'productUnitId',
      'result',
      'country',
    );
    expect(EVENT_CATALOGUE['scan.recorded'].example.scanId).to.match(/^scan_/);
    expect(EVENT_CATALOGUE['scan.recorded'].example.productUnitId).to.match(/^unit_/);
  });

  for (const type of types) {
    it(`holds ${type} to its schema: the example fits, and nothing missing or extra does`, () => {
      const { example } = EVENT_CATALOGUE[type];
      expect(parseEventData(type, example)).to.deep.equal(example);
      expect(() => parseEventData(type, { ...example, orgSecret: 1 })).to.throw(TypeError, 'orgSecret');
      for (const key of Object.keys(example)) {
        const { [key]: _, ...rest } = example as Record<string, unknown>;
        expect(() => parseEventData(type, rest), key).to.throw(TypeError, key);
      }
    });
  }

  it('refuses an unknown type, also one that every object has', () => {
    for (const type of ['scan.deleted', 'constructor', '__proto__']) {
      expect(() => parseEventData(type as EventType, {})).to.throw(TypeError, 'no event type');
    }
  });

  it('names the place of a mistake and not the value', () => {
    const bad = { ...EVENT_CATALOGUE['scan.recorded'].example, scanId: 'whsec_canary' };
    expect(() => parseEventData('scan.recorded', bad))
      .to.throw(TypeError)
      .with.property('message')
      .that.matches(/scanId/)
      .and.does.not.match(/canary/);
  });

  it('is served as JSON Schema with a whole envelope as example', () => {
    for (const document of eventTypeDocuments()) {
      const schema = document.dataSchema as { required: string[]; additionalProperties: boolean };
      expect(schema.additionalProperties, document.type).to.equal(false);
      expect(schema.required).to.have.members(Object.keys(document.example.data));
      expect(document.example).to.have.all.keys('id', 'type', 'createdAt', 'data');
      expect(JSON.parse(JSON.stringify(document))).to.deep.equal(document);
    }
  });

  it('refuses data of more than a megabyte', () => {
    const { example } = EVENT_CATALOGUE['scan.recorded'];
    const large = { ...example, serial: 'x'.repeat(MAX_EVENT_DATA_BYTES) };
    expect(() => parseEventData('scan.recorded', large)).to.throw(TypeError, 'larger than');
  });

  it('has scans as examples of which the rules say the same', () => {
    const scanOf = (
      {
        country,
        place,
        at,
      }: {
        country: string;
        place: { source: string } & Record<'lat' | 'lon' | 'accuracyKm', number>;
        at: string;
      },
      who: string,
    ) => ({
      at: Date.parse(at),
      sessionId: who,
      networkId: who,
      place: { ...place, country, source: place.source as PlaceSource },
    });
    const policy = resolvePolicy();
    const activatedAt = Date.parse('2026-11-01T00:00:00Z');
    const told = ({ score, level, signals }: ReturnType<typeof assess>) => ({
      score,
      riskLevel: level,
      signals,
    });
    const assess = (
      profile: Parameters<typeof score>[0],
      scan: ReturnType<typeof scanOf>,
      context: UnitContext,
    ) => score(profile, scan, context, policy);

    const everywhere = { markets: ['DE', 'BR'], activatedAt };
    const before = { ...scanRecorded, at: suspiciousScanDetected.signals[0]!.from.at };
    const { profile } = assess(null, scanOf(before, 'a'), everywhere);
    const copied = assess(profile, scanOf(suspiciousScanDetected, 'b'), everywhere);
    expect(suspiciousScanDetected).to.deep.include({ result: copied.verdict, ...told(copied) });

    const { markets } = productDiverted;
    const diverted = assess(null, scanOf(productDiverted, 'a'), { markets, activatedAt });
    expect(productDiverted).to.deep.include({ result: diverted.verdict, ...told(diverted) });
  });

  it('filters by names or by "*" alone', () => {
    for (const good of [
      ['*'],
      ['scan.recorded'],
      ['scan.recorded', 'product.diverted'],
      [...SUBSCRIBABLE_EVENT_TYPES],
    ]) {
      expect(eventFilterSchema.safeParse(good).success, JSON.stringify(good)).to.equal(true);
    }
    for (const bad of [
      [],
      ['*', 'scan.recorded'],
      ['scan.recorded', 'scan.recorded'],
      ['scan.*'],
      ['webhook.test'],
      '*',
      [1],
    ]) {
      expect(eventFilterSchema.safeParse(bad).success, JSON.stringify(bad)).to.equal(false);
    }
  });
});
