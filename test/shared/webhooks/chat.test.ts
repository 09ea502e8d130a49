import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { EVENT_CATALOGUE, type EventType } from '../../../shared/events/catalogue.ts';
import { LANGUAGES, type Language } from '../../../shared/languages.ts';
import { bodyOf, type EndpointFormat } from '../../../shared/webhooks/body.ts';
import { CHAT_WORDS } from '../../../shared/webhooks/chat/words.ts';

const PUBLIC_URL = 'https://verify.example.com';
const TYPES = Object.keys(EVENT_CATALOGUE) as EventType[];

/** @param changes of the data that the documentation shows; undefined for what an old event does not have */
const sent = (
  format: EndpointFormat,
  type: EventType,
  { language = 'en', ...changes }: { language?: Language } & Record<string, unknown> = {},
) =>
  JSON.parse(
    bodyOf(
      { format, language },
      {
        id: 'evt_1',
        type,
        createdAt: new Date('2026-11-20T09:30:00Z'),
        data: JSON.stringify({ ...EVENT_CATALOGUE[type].example, ...changes }),
      },
      PUBLIC_URL,
    ).toString(),
  );
const text = (...given: Parameters<typeof sent> extends [unknown, ...infer Rest] ? Rest : never): string =>
  sent('slack', ...given).text;

describe('what an endpoint is sent', () => {
  it('is the envelope, byte for byte, where it asks for events', () => {
    const data = '{"scanId":"scan_1"}';
    const event = {
      id: 'evt_1',
      type: 'scan.recorded',
      createdAt: new Date('2026-11-20T09:30:01.25Z'),
      data,
    };
    expect(bodyOf({ format: 'event', language: 'ja' }, event, PUBLIC_URL).toString()).to.equal(
      '{"id":"evt_1","type":"scan.recorded","createdAt":"2026-11-20T09:30:01.250Z","data":{"scanId":"scan_1"}}',
    );
  });

  it('is a text with the facts and a link in a channel of Slack', () => {
    expect(text('suspicious_scan.detected')).to.equal(
      [
        '*Suspicious scan*',
        'Product: Aurelia Extra Virgin Olive Oil 0.5 l · 0000417',
        'Lot: L2611',
        'Why: impossible travel',
        'Risk score: 62',
        'Country: Brazil',
        '<https://verify.example.com/app/cases/case_01kbb5m3b4e8r0t2w4y6a8c0e2|Open>',
      ].join('\n'),
    );
    expect(text('product.diverted', { language: 'de' })).to.include(
      'Land: Polen\nMärkte: Deutschland, Österreich\n',
    );
    expect(text('product.diverted', { language: 'ja' })).to.include('販売地域：ドイツ、オーストリア\n');
    const reasons = ['clone', 'impossible_travel'];
    expect(text('suspicious_scan.detected', { language: 'ar', reasons })).to.include(
      'السبب: رمز منسوخ، سفر مستحيل\n',
    );
    expect(text('consignment.received', { language: 'fr' })).to.include(
      'Reçues\u00a0: 488 / 500\nManquantes\u00a0: 12',
    );
    expect(text('consignment.received', { status: 'received', missingCount: 0, damagedCount: 0 })).to.equal(
      [
        '*A consignment has arrived*',
        'Consignment: PO-20417',
        'Destination: Nordhandel GmbH',
        'Received: 488 / 500',
        '<https://verify.example.com/app/consignments/cons_01kb8x2f6tf2p4s6v8x0z2b4d6|Open>',
      ].join('\n'),
    );
    expect(text('barcode_job.failed', { language: 'ja' })).to.include(
      'コード：4,000 / 10,000\nエラー：STORAGE_FULL',
    );
  });

  it('is a card with them in Teams', () => {
    const { type, summary, attachments } = sent('teams', 'product.diverted', { language: 'ar' });
    const [{ contentType, content }] = attachments;
    expect({ type, contentType }).to.deep.equal({
      type: 'message',
      contentType: 'application/vnd.microsoft.card.adaptive',
    });
    expect(content).to.deep.include({ type: 'AdaptiveCard', lang: 'ar', rtl: true });
    const [title, facts] = content.body;
    expect([title.text, summary]).to.deep.equal(Array(2).fill(CHAT_WORDS.ar.titles['product.diverted']));
    expect(facts.facts.map((fact: { title: string }) => fact.title)).to.deep.equal(
      (['product', 'lot', 'country', 'markets'] as const).map((name) => CHAT_WORDS.ar.facts[name]),
    );
    expect(content.actions).to.deep.equal([
      {
        type: 'Action.OpenUrl',
        title: 'فتح',
        url: 'https://verify.example.com/app/units/unit_01kb8x0qhre5ws8f3v7m2k4n6p',
      },
    ]);
    // Nothing to tell is no empty list.
    expect(sent('teams', 'webhook.test').attachments[0].content.body).to.have.length(1);
  });

  it('says of each kind of event in each language what it is, and leads to a page', () => {
    for (const type of TYPES) {
      const said = LANGUAGES.map((language) => text(type, { language }));
      expect(new Set(said).size, type).to.equal(LANGUAGES.length);
      for (const one of said) {
        expect(one, type).to.match(
          /^\*[^*]+\*\n[\s\S]*<https:\/\/verify\.example\.com\/app\/[a-z/]+\/[a-z]+_\w+\|\S+>$/,
        );
        expect(one, type).not.to.match(/undefined|null|NaN|: ?$/m);
      }
    }
  });

  it('has the dashboard’s words for results and reasons', () => {
    for (const language of LANGUAGES) {
      const file = new URL(`../../../dashboard/src/screens/scans/locales/${language}.json`, import.meta.url);
      const dashboard = JSON.parse(readFileSync(file, 'utf8'));
      const { results, reasons } = CHAT_WORDS[language];
      expect(dashboard.results, language).to.deep.equal(results);
      for (const [reason, words] of Object.entries(reasons))
        expect(dashboard.signals[reason].toLowerCase(), language).to.equal(words.toLowerCase());
    }
  });

  it('is told of an event that was written before there was all of its data', () => {
    for (const type of TYPES)
      for (const missing of Object.keys(EVENT_CATALOGUE[type].example)) {
        const body = text(type, { [missing]: undefined });
        // The id that its page goes by has always been there.
        if (!missing.endsWith('Id'))
          expect(body, `${type} without ${missing}`).not.to.match(/undefined|null|NaN/);
      }
  });

  it('has nothing in it that a stranger wrote', () => {
    const report = text('counterfeit_report.created', {
      message: 'go to evil.example',
      purchasedFrom: 'evil.example',
      price: 'evil.example',
    });
    expect(report).not.to.include('evil');
    expect(report).to.include('Photos: 2');
  });

  it('calls nobody and links nowhere by a name', () => {
    const productName =
      '<!channel> <https://evil.example|x> @all & [x](https://evil.example)\n*Suspicious scan*';
    const slack = text('scan.recorded', { productName });
    expect(slack.split('\n').filter((line) => line.startsWith('*'))).to.have.length(1);
    expect(slack.slice(0, slack.lastIndexOf('\n'))).not.to.match(/<|>|@a|&lt|& /);
    const { content } = sent('teams', 'scan.recorded', { productName }).attachments[0];
    // An address alone is a link too, where a program looks for one; Mattermost takes Markdown in the text as well.
    const address = text('scan.recorded', { productName: 'evil.example http://192.0.2.7/a b@evil.example' });
    for (const said of [slack, address, JSON.stringify(content.body)])
      expect(said.replaceAll(PUBLIC_URL, '')).not.to.match(/\]\(|https?:\/\/(evil|192)|evil\.example/);
    expect(address.replaceAll('\u2060', '')).to.include('evil.example http://192.0.2.7/a b@evil.example');
    expect(text('suspicious_scan.detected', { productName: 'Oil 0.5 l' })).to.include('Oil 0.5 l');
    const markets = ['AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR'];
    expect(text('product.diverted', { markets, serial: 'x'.repeat(500) }).length).to.be.below(600);
    expect(text('product.diverted', { markets })).to.include('Greece, …\n');
  });
});
