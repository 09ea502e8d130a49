import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Db } from '../db.ts';
import type { UploadLine } from './upload-lines.ts';

const BLOCK = 65_536;

/** As COPY's text format wants it. https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS */
const escaped = (text: string): string =>
  text.replace(
    /[\\\n\r\t]/g,
    (character) => `\\${{ '\\': '\\', '\n': 'n', '\r': 'r', '\t': 't' }[character]!}`,
  );

/**
 * Writes the lines of an upload by COPY, as fast as they are read.
 * @param client of a transaction that allows its statements as long
 * @param withinMs longest wait for all of them: it is the storage that is waited for, and not Postgres
 * @returns how many there were. @throws what reading the lines throws.
 */
export async function copyItems(
  client: Db,
  jobId: string,
  lines: AsyncIterable<UploadLine>,
  withinMs: number,
): Promise<number> {
  const copy = copyFrom('copy bulk_job_items (job_id, line, ref, key, problem, problem_code) from stdin');
  const stream = (client as ClientBase).query(Object.assign(copy, { query_timeout: withinMs }));
  let count = 0;
  const rows = async function* () {
    let block = '';
    for await (const { line, ref, key, problem } of lines) {
      count += 1;
      const cells = [jobId, String(line), ref, key, problem?.message ?? null, problem?.code ?? null];
      block += `${cells.map((cell) => (cell === null ? '\\N' : escaped(cell))).join('\t')}\n`;
      if (block.length > BLOCK) {
        yield block;
        block = '';
      }
    }
    if (block !== '') yield block;
  };
  await pipeline(rows, stream);
  return count;
}
