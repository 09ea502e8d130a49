/** Second half of the story: consumers scan, the workers judge, the webhooks arrive. */
import { setTimeout as sleep } from 'node:timers/promises';
import { firstProblem } from './facts.ts';
import { MARKETS, type PrintedCode, type Story } from './mint.ts';
import { verifyAs, type Consumer, type Verification } from './service-client.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** Addresses of universities, which have stood in one place for decades. */
const BERLIN: Consumer = { place: 'Berlin', country: 'DE', ip: '141.20.1.1' };
const TOKYO: Consumer = { place: 'Tokyo', country: 'JP', ip: '133.11.0.1' };
const SAO_PAULO: Consumer = { place: 'São Paulo', country: 'BR', ip: '143.107.1.1' };

/** What the story brings about, and how often. */
const EXPECTED_EVENTS: Record<string, number> = {
  'barcode_job.completed': 1,
  'scan.recorded': 3,
  'suspicious_scan.detected': 1,
  'product.diverted': 1,
};
/** Between the scans of one code in two continents. */
const GAP_MS = 2_000;
const POLL_MS = 100;
const PATIENCE_MS = 15_000;

/** The same code in Berlin and at once in Tokyo, another one where it is not sold, and an invented one. */
export async function scanAround(story: Story, codes: [PrintedCode, PrintedCode]): Promise<void> {
  const { facts, screen, signal } = story;
  const [copied, diverted] = codes;
  const genuine = await verifyAs(BERLIN, copied.address, signal);
  facts.add(
    BERLIN.place,
    `${genuine.result}, the first scan of unit ${genuine.unit.serial}`,
    firstProblem(
      ...verdict(genuine, 'genuine', BERLIN),
      [genuine.unit.serial === copied.serial, `the unit is ${genuine.unit.serial}, not ${copied.serial}`],
      [genuine.scan.count === 1, `it counts ${genuine.scan.count} scans`],
    ),
  );
  await sleep(GAP_MS, undefined, { signal });
  const suspicious = await verifyAs(TOKYO, copied.address, signal);
  const travel = suspicious.risk.signals.find(({ type }) => type === 'impossible_travel');
  facts.add(
    TOKYO.place,
    `${suspicious.result}, the same code ${GAP_MS / 1000} seconds later: ${travel?.distanceKm?.toLocaleString('en')} km is impossible travel`,
    firstProblem(...verdict(suspicious, 'suspicious', TOKYO), [
      travel !== undefined,
      'the answer does not tell of impossible travel',
    ]),
  );
  const elsewhere = await verifyAs(SAO_PAULO, diverted.address, signal);
  facts.add(
    SAO_PAULO.place,
    `${elsewhere.result}, a unit that is meant for ${MARKETS.join(' and ')}`,
    firstProblem(...verdict(elsewhere, 'diverted', SAO_PAULO)),
  );
  const invented = await verifyAs(BERLIN, copied.address.replace(/[^/]+$/, 'A'.repeat(26)), signal);
  facts.add(
    'Invented code',
    `${invented.result}, and no scan is recorded`,
    firstProblem([invented.result === 'unknown' && invented.scanId === null, `it is ${invented.result}`]),
  );
  screen.step('Scanned in Berlin, in Tokyo two seconds later, and in São Paulo');
  await untilJudged(story, [genuine, suspicious, elsewhere]);
}

type Expectation = readonly [holds: boolean, problem: string];

const verdict = (answer: Verification, result: string, { country }: Consumer): Expectation[] => [
  [answer.result === result, `the answer is ${answer.result}, not ${result}`],
  [answer.scan.country === country, `the scan is placed in ${answer.scan.country}, not in ${country}`],
];

/** What was answered at once is confirmed by the workers, with the whole history before them. */
async function untilJudged({ client, facts, screen, signal }: Story, answers: Verification[]): Promise<void> {
  const read = async (): Promise<(Verification & { id: string })[]> =>
    (await client.get<{ data: (Verification & { id: string })[] }>('/api/v1/scans')).data;
  const scans = await poll(read, (found) => found.every(({ assessment }) => assessment === 'final'), signal);
  const disagreeing = answers.filter(({ scanId, result }) => {
    const scan = scans.find(({ id }) => id === scanId);
    return scan?.assessment !== 'final' || scan.result !== result;
  });
  facts.add(
    'Scan history',
    `${scans.length} scans, each verdict confirmed by the workers as final`,
    firstProblem(
      [scans.length === answers.length, `${scans.length} scans for ${answers.length} answers`],
      [disagreeing.length === 0, `not confirmed: ${disagreeing.map(({ result }) => result).join(', ')}`],
    ),
  );
  screen.step('Verdicts confirmed by the workers');
}

/** Waits until every event that the service lists has reached the receiver. */
export async function awaitWebhooks(
  { client, facts, screen, signal }: Story,
  receiver: WebhookReceiver,
): Promise<void> {
  const total = Object.values(EXPECTED_EVENTS).reduce((sum, count) => sum + count, 0);
  await poll(
    async () => receiver.events,
    (events) => new Set(events.map(({ id }) => id)).size >= total,
    signal,
  );
  const { data: listed } = await client.get<{ data: { id: string }[] }>('/api/v1/events');
  const missing = listed.filter(({ id }) => receiver.events.every((event) => event.id !== id));
  facts.add(
    'Webhooks',
    `${receiver.events.length} deliveries over HTTPS, ${receiver.events.length} valid signatures`,
    firstProblem(
      [receiver.refusals.length === 0, `a signature was refused: ${receiver.refusals[0]}`],
      [receiver.events.length > 0, 'none arrived'],
      [missing.length === 0, `${missing.length} of ${listed.length} events did not arrive`],
    ),
  );
  for (const [type, expected] of Object.entries(EXPECTED_EVENTS)) {
    const ids = receiver.events.filter((event) => event.type === type).map(({ id }) => id);
    const count = new Set(ids).size;
    facts.add('', `${count} × ${type}`, count === expected ? '' : `${count} × ${type}, not ${expected}`);
  }
  screen.step(`Webhooks received, ${receiver.events.length} of them`);
}

/** @returns the last value read, whether or not it holds when patience ends: the caller says what is wrong with it. */
async function poll<T>(
  read: () => Promise<T>,
  holds: (value: T) => boolean,
  signal: AbortSignal,
): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = await read();
    if (holds(value) || performance.now() > deadline) return value;
    await sleep(POLL_MS, undefined, { signal });
  }
}
