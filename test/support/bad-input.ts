/** What callers must not get away with, in bodies, queries and paths: for tests over all operations. */
import { gzipSync } from 'node:zlib';
import { encodeId, newUuid } from '../../shared/ids.ts';
import type { ErrorCode } from '../../shared/errors.ts';

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
const bomb = gzipSync(Buffer.alloc(20_000_000, 0x20), { level: 9 });

export interface BadBody {
  name: string;
  body: string | Uint8Array;
  headers?: Record<string, string>;
  codes: ErrorCode[];
}

export const BAD_BODIES: BadBody[] = [
  { name: 'half a document', body: '{"name": ', codes: ['MALFORMED_JSON'] },
  { name: 'another language', body: '<xml/>', codes: ['MALFORMED_JSON'] },
  { name: 'two documents', body: '{}{}', codes: ['MALFORMED_JSON'] },
  {
    name: 'no UTF-8, but ISO 8859-1',
    body: Buffer.from('{"name": "Olivenöl"}', 'latin1'),
    codes: ['MALFORMED_JSON'],
  },
  { name: 'a number', body: '1', codes: ['VALIDATION_FAILED'] },
  { name: 'a text', body: '"x"', codes: ['VALIDATION_FAILED'] },
  { name: 'null', body: 'null', codes: ['VALIDATION_FAILED'] },
  { name: 'a list of something', body: '[{}]', codes: ['VALIDATION_FAILED'] },
  { name: 'an unknown field', body: '{"noSuchField": 1}', codes: ['VALIDATION_FAILED'] },
  { name: '__proto__', body: '{"__proto__": {"name": "x", "admin": true}}', codes: ['VALIDATION_FAILED'] },
  { name: 'constructor', body: '{"constructor": {"prototype": {"x": 1}}}', codes: ['VALIDATION_FAILED'] },
  { name: 'a NUL', body: '{"name": "a\\u0000b"}', codes: ['VALIDATION_FAILED'] },
  { name: 'a NUL in a name', body: '{"a\\u0000b": 1}', codes: ['VALIDATION_FAILED'] },
  { name: 'a lone surrogate', body: '{"name": "\\ud800"}', codes: ['VALIDATION_FAILED'] },
  {
    name: '50,000 levels of lists',
    body: `{"attributes": ${nested('[', ']', 50_000)}}`,
    codes: ['VALIDATION_FAILED'],
  },
  {
    name: '40,000 levels of objects',
    body: `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`,
    codes: ['VALIDATION_FAILED'],
  },
  { name: 'too many bytes', body: `{"name": "${'x'.repeat(300_000)}"}`, codes: ['PAYLOAD_TOO_LARGE'] },
  { name: 'a gzip bomb', body: bomb, headers: { 'content-encoding': 'gzip' }, codes: ['PAYLOAD_TOO_LARGE'] },
  {
    name: 'broken gzip',
    body: Buffer.from('nonsense'),
    headers: { 'content-encoding': 'gzip' },
    codes: ['BAD_REQUEST'],
  },
  {
    name: 'an unknown encoding',
    body: '{}',
    headers: { 'content-encoding': 'lzma' },
    codes: ['UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    name: 'text/plain',
    body: '{}',
    headers: { 'content-type': 'text/plain' },
    codes: ['UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    name: 'a form',
    body: 'name=x',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    codes: ['UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    name: 'a charset of old',
    body: '{}',
    headers: { 'content-type': 'application/json; charset=latin1' },
    codes: ['UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    name: 'no content type',
    body: Buffer.from('{}'),
    headers: { 'content-type': '' },
    codes: ['UNSUPPORTED_MEDIA_TYPE'],
  },
];

export const BAD_QUERIES = [
  'limit=0',
  'limit=201',
  'limit=-1',
  'limit=1.5',
  'limit=abc',
  'limit=',
  'limit=1e99',
  'limit=99999999999999999999',
  'limit=1&limit=2',
  'cursor=',
  'cursor=garbage',
  `cursor=${'A'.repeat(5000)}`,
  'cursor=../../etc',
  'cursor=%00',
  `cursor=${Buffer.from("0' or 1=1 --").toString('base64url')}`,
  'noSuchParameter=1',
  '__proto__=1',
  'limit[gt]=1',
];

/** In place of an id of this kind. */
export const badIds = (prefix: string): string[] => [
  'x',
  `${prefix}_`,
  newUuid(),
  encodeId(prefix === 'prod' ? 'batch' : 'prod', newUuid()),
  `${prefix}_${'8'.repeat(26)}`,
  `${prefix}_${'0'.repeat(27)}`,
  `${prefix}_${'u'.repeat(26)}`,
  encodeId('prod', newUuid()).replace('prod', prefix).toUpperCase(),
  '%00',
  '%F0%9F%98%80',
  "'%20or%201=1--",
  `${prefix}_${'0'.repeat(5000)}`,
  'constructor',
  '0',
  '-1',
];
