/** The codes as data: a line for each unit, in CSV and in NDJSON. */
import type { ClaimedChunk } from '../../shared/barcode-jobs/chunks.ts';
import { hiddenCodeOf } from '../../shared/hidden-codes/hidden-code.ts';
import { encodeIds } from '../../shared/ids.ts';
import type { Keyring } from '../../shared/keyring.ts';
import { tagKeysOf, type TagKeys } from '../../shared/nfc/tag-keys.ts';
import { tagUrlOf } from '../../shared/nfc/tap.ts';
import type { Pace } from './pace.ts';
import type { PrintedUnit } from './symbols.ts';

type Secrets = Pick<ClaimedChunk, 'hidden_codes' | 'nfc_tags'>;

export const csvHeader = ({ hidden_codes: hidden, nfc_tags: tagged }: Secrets): string =>
  `unitId,serial,token,address,lot,expiresOn,gs1${hidden ? ',hiddenCode' : ''}${tagged ? ',nfcUrl,nfcKey,nfcMasterKey' : ''}\n`;

const BLOCK = 64 * 1024;

/**
 * Both lists of a chunk, as the parts that are joined at the end of the job. The hidden codes of packages that have some, and the keys of
 * their NFC tags, are in these files alone.
 */
export async function codeLists(
  chunk: Pick<ClaimedChunk, 'lot' | 'expires_on'> & Secrets,
  units: readonly PrintedUnit[],
  tokenKeys: Keyring,
  pace: Pace,
): Promise<{ csv: Buffer[]; ndjson: Buffer[] }> {
  const ids = encodeIds(
    'unit',
    units.map((unit) => unit.id),
  );
  const [first] = units;
  const origin = first === undefined ? '' : new URL(first.address).origin;
  const lot = chunk.lot === null ? '' : csvCell(chunk.lot);
  const csvTail = `,${lot},${chunk.expires_on ?? ''},`;
  const jsonTail = `,"lot":${JSON.stringify(chunk.lot)},"expiresOn":${JSON.stringify(chunk.expires_on)},"gs1":`;
  const parts = { csv: [] as Buffer[], ndjson: [] as Buffer[] };
  let csv = '';
  let ndjson = '';
  for (const [index, { serial, token, address, gs1, code, token_key: keyId }] of units.entries()) {
    const hidden = chunk.hidden_codes ? hiddenCodeOf(tokenKeys, code, keyId) : null;
    const tag = chunk.nfc_tags ? tagOf(tagUrlOf(origin, token), tagKeysOf(tokenKeys, code, keyId)) : null;
    const plain = PLAIN.test(serial);
    csv += `${ids[index]!},${plain ? serial : csvCell(serial)},${token},${address}${csvTail}${gs1 === null ? '' : csvCell(gs1)}${hidden === null ? '' : `,${hidden}`}${tag === null ? '' : tag.csv}\n`;
    ndjson += `{"unitId":"${ids[index]!}","serial":${plain ? `"${serial}"` : JSON.stringify(serial)},"token":"${token}","address":"${address}"${jsonTail}${gs1 === null ? 'null' : JSON.stringify(gs1)}${hidden === null ? '' : `,"hiddenCode":"${hidden}"`}${tag === null ? '' : tag.json}}\n`;
    if (ndjson.length > BLOCK) {
      parts.csv.push(Buffer.from(csv));
      parts.ndjson.push(Buffer.from(ndjson));
      csv = '';
      ndjson = '';
    }
    const turn = pace.step();
    if (turn !== undefined) await turn;
  }
  parts.csv.push(Buffer.from(csv));
  parts.ndjson.push(Buffer.from(ndjson));
  return parts;
}

/** What goes into a unit's NFC tag, as both lists have it at the end of its line. */
function tagOf(url: string, keys: TagKeys): { csv: string; json: string } {
  const [read, master] = [keys.read.toString('hex'), keys.master.toString('hex')];
  return {
    csv: `,${url},${read},${master}`,
    json: `,"nfcUrl":"${url}","nfcKey":"${read}","nfcMasterKey":"${master}"`,
  };
}

const PLAIN = /^[0-9A-Za-z]+$/;

/** Quoted, and never taken for a formula by a spreadsheet (OWASP, CSV injection); NDJSON has the exact text. */
const csvCell = (text: string): string =>
  `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
