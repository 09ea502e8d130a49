/** What an event is in a chat channel: a line, a few facts, and where to read on. */
import { countryName } from '../../countries.ts';
import type { EventData, EventType } from '../../events/catalogue.ts';
import type { Language } from '../../languages.ts';
import { isolatedIn, numberIn, seriesIn, shortened } from '../../mail/in-language.ts';
import { CHAT_WORDS, type ChatWords, type FactName } from './words.ts';

export interface ChatMessage {
  language: Language;
  title: string;
  /** In the order in which they are read. */
  facts: readonly { label: string; value: string }[];
  link: { label: string; url: string };
}

/** An event as it is stored. One that was written long ago may lack what was added since. */
export type StoredEvent = { [T in EventType]: { type: T; data: Partial<EventData<T>> } }[EventType];

/** Of a list of markets, before it says that there are more. */
const MOST_MARKETS = 12;
const MOST_CHARACTERS = 120;

type Given = readonly [FactName, string | null | undefined];

interface Told {
  title?: string | undefined;
  facts: readonly Given[];
  path: string;
}

interface Speech {
  words: ChatWords;
  name(...parts: (string | null | undefined)[]): string | null;
  number(value: number | undefined): string | null;
  series(parts: readonly string[]): string;
  country(code: string | null | undefined): string | null;
}

type Tellers = { [T in EventType]: (data: Partial<EventData<T>>, speech: Speech) => Told };

type Scan = Partial<EventData<'scan.recorded'>>;
type Job = Partial<EventData<'barcode_job.failed'>>;
type Consignment = Partial<EventData<'consignment.recalled'>>;

const ofUnit = ({ productName, serial, lot }: Scan, { name }: Speech): Given[] => [
  ['product', name(productName, serial)],
  ['lot', name(lot)],
];

const whose = ({ reference, sscc, distributor }: Consignment, { name }: Speech): Given[] => [
  ['consignment', name(reference ?? sscc)],
  ['destination', name(distributor)],
];

const share = (part: number | undefined, whole: number | undefined, { number }: Speech): string | null =>
  part === undefined || whole === undefined ? null : `${number(part)} / ${number(whole)}`;

const madeOf = ({ done, total }: Job, speech: Speech): Given => ['codes', share(done, total, speech)];

/** None at all is not worth a line. */
const unlessNone = (value: number | undefined): number | undefined => (value === 0 ? undefined : value);

const TELLERS: Tellers = {
  'scan.recorded': (data, speech) => ({
    facts: [
      ...ofUnit(data, speech),
      ['result', data.result && speech.words.results[data.result]],
      ['country', speech.country(data.country)],
    ],
    path: `/scans/${data.scanId}`,
  }),
  'suspicious_scan.detected': (data, speech) => ({
    facts: [
      ...ofUnit(data, speech),
      ['reasons', speech.series((data.reasons ?? []).map((reason) => speech.words.reasons[reason]))],
      ['score', speech.number(data.score)],
      ['country', speech.country(data.country)],
    ],
    path: data.caseId ? `/cases/${data.caseId}` : `/scans/${data.scanId}`,
  }),
  'product.diverted': (data, speech) => {
    const markets = data.markets ?? [];
    const named = markets.slice(0, MOST_MARKETS).map((code) => speech.country(code) ?? code);
    return {
      facts: [
        ...ofUnit(data, speech),
        ['country', speech.country(data.country)],
        ['markets', speech.series([...named, ...(markets.length > MOST_MARKETS ? ['…'] : [])])],
      ],
      path: `/units/${data.productUnitId}`,
    };
  },
  // Nothing that strangers wrote, as in mails: whoever files a report must not be able to put a link before the brand's people.
  'counterfeit_report.created': (data, speech) => ({
    facts: [
      ['product', speech.name(data.productName, data.serial)],
      ['lot', speech.name(data.lot)],
      ['country', speech.country(data.country)],
      ['photos', speech.number(unlessNone(data.photoCount))],
    ],
    path: `/reports/${data.reportId}`,
  }),
  'barcode_job.completed': (data, speech) => ({
    facts: [['codes', speech.number(data.done)]],
    path: `/minting/${data.jobId}`,
  }),
  'barcode_job.failed': (data, speech) => ({
    facts: [madeOf(data, speech), ['error', data.error?.code]],
    path: `/minting/${data.jobId}`,
  }),
  'consignment.received': (data, speech) => ({
    title:
      speech.words.titles[
        data.status === 'received' ? 'consignment.received' : 'consignment.received.partly'
      ],
    facts: [
      ...whose(data, speech),
      ['received', share(data.receivedCount, data.unitCount, speech)],
      ['missing', speech.number(unlessNone(data.missingCount))],
      ['damaged', speech.number(unlessNone(data.damagedCount))],
    ],
    path: `/consignments/${data.consignmentId}`,
  }),
  'consignment.recalled': (data, speech) => ({
    facts: [
      ...whose(data, speech),
      ['units', speech.number(data.unitCount)],
      ['reason', speech.name(data.reason)],
    ],
    path: `/consignments/${data.consignmentId}`,
  }),
  'webhook.test': ({ endpointId }) => ({ facts: [], path: `/developers/webhooks/${endpointId}` }),
};

/** @param publicUrl of the service, whose dashboard the link leads to */
export function chatMessage(event: StoredEvent, language: Language, publicUrl: string): ChatMessage {
  const words = CHAT_WORDS[language];
  const speech: Speech = {
    words,
    name: (...parts) => {
      const given = parts.flatMap((part) =>
        part === null || part === undefined ? [] : isolatedIn(language, shortened(part, MOST_CHARACTERS)),
      );
      return given.length === 0 ? null : given.join(' · ');
    },
    number: (value) => (value === undefined ? null : numberIn(language, value)),
    series: (parts) => seriesIn(language, parts),
    country: (code) => (code ? countryName(code, language) : null),
  };
  const tell = TELLERS[event.type] as (data: StoredEvent['data'], speech: Speech) => Told;
  const { title = words.titles[event.type], facts, path } = tell(event.data, speech);
  return {
    language,
    title,
    facts: facts.flatMap(([name, value]) => (value ? [{ label: words.facts[name], value }] : [])),
    link: { label: words.open, url: `${publicUrl}/app${path}` },
  };
}
