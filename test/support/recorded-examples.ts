/** Makes the examples of the reference of what was really sent and answered; ids, times and secrets become fixed ones. */
import { createHash } from 'node:crypto';
import { encodeId } from '../../shared/ids.ts';
import type { DocumentClient } from './document-client.ts';

type Examples = Record<string, Record<string, Record<string, unknown>>>;

const ID =
  /\b(org|user|key|prod|batch|unit|job|scan|rep|cons|whep|dlv|evt|bulk|rcl|case|sim|inv|sess|photo|note|rcv|aud|exp)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const SECRETS: [RegExp, string][] = [
  [/\bak_live_[A-Za-z0-9_-]+/g, 'ak_live_9f3kExampleExampleExample'],
  [/\bwhsec_[A-Za-z0-9+/=]+/g, 'whsec_RXhhbXBsZUV4YW1wbGVFeGFtcGxlRXhhbXBsZUV4YW0='],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyIn0.c2lnbmVk'],
  [
    /https:\/\/localhost:\d+\/auth\?.*/g,
    'https://login.oliveira.example/authorize?client_id=touchstone&redirect_uri=https%3A%2F%2Fverify.example.com%2Fsso%2Fcallback&response_type=code&scope=openid+email+profile&state=kQx2&nonce=Zt7b&code_challenge=E9Me&code_challenge_method=S256',
  ],
  [/signature=[\w-]+/g, 'signature=c2lnbmVk'],
  [/\b[0-9a-f]{64}\b/g, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
];
/** Of the table of a hundred colours nobody wants the hundredth. */
const MOST_ROWS = 2;
const MOST_TEXT = 400;

function createDisguise() {
  const known = new Map<string, string>();
  return (text: string): string => {
    let shown = text.replaceAll(ID, (id, prefix: string) => {
      const number = known.size + 1;
      const uuid = `01999d2c-7a50-7c3e-9f7b-${number.toString(16).padStart(12, '0')}`;
      if (!known.has(id)) known.set(id, encodeId(prefix as 'prod', uuid));
      return known.get(id)!;
    });
    for (const [pattern, replacement] of SECRETS) shown = shown.replaceAll(pattern, replacement);
    return shown;
  };
}

/** Times that the machine's clock gave, which no test holds. */
const REAL_TIME = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/;

function clean(value: unknown, disguise: (text: string) => string): unknown {
  if (typeof value === 'string') {
    if (REAL_TIME.test(value)) return value.replace(/\.\d+Z$/, '.000Z');
    return disguise(value).slice(0, MOST_TEXT);
  }
  if (Array.isArray(value)) return value.slice(0, MOST_ROWS).map((item) => clean(item, disguise));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [disguise(key), clean(inner, disguise)]),
  );
}

/** A token that no key of ours ever signed. */
const fakeToken = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 32);

const HIDDEN: Record<string, (value: string) => unknown> = {
  token: fakeToken,
  nonce: fakeToken,
  secret: (value) => (value.includes('_') ? value : 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'),
  otpauthUrl: () =>
    'otpauth://totp/Touchstone:ana%40oliveira.example?secret=JBSWY3DPEHPK3PXP&issuer=Touchstone',
  code: (value) => (/^\d{6}$/.test(value) ? '492039' : value),
  receiveUrl: () => 'https://verify.example.com/c/example-link-of-a-distributor',
  verifyUrl: () => 'HTTPS://VERIFY.EXAMPLE.COM/V/EXAMPLECODE',
};

function hide(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hide);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === 'recoveryCodes') return [key, ['k7qf-2mxd', '9tbr-w4hp']];
      return [key, typeof inner === 'string' && key in HIDDEN ? HIDDEN[key]!(inner) : hide(inner)];
    }),
  );
}

/** The first request and the first answer of each kind, for every operation. */
export function examplesOf(calls: DocumentClient['calls']): Examples {
  const disguise = createDisguise();
  const examples: Examples = {};
  const put = (operationId: string, part: string, type: string, value: unknown) => {
    const parts = (examples[operationId] ??= {});
    (parts[part] ??= {})[type] ??= clean(hide(value), disguise);
  };
  for (const { operation, call, type, answer } of calls) {
    const { operationId } = operation;
    if (call.body !== undefined && !(call.body instanceof FormData))
      put(operationId, 'request', type, call.body);
    const isShown = answer.bytes.length > 0 && /json$|csv$/.test(answer.mediaType);
    if (isShown) put(operationId, String(answer.status), answer.mediaType, answer.body);
  }
  return examples;
}
