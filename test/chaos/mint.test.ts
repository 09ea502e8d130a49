import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { encodeId } from '../../shared/ids.ts';
import { tokenOf } from '../../shared/units/token.ts';
import { createInstallation, type Installation } from '../support/processes.ts';
import { eventually } from '../support/eventually.ts';
import { seedBatch, seedJob } from '../support/seed.ts';

const CHUNK_UNITS = 500;
const MANY = 10_000;
const FEW = 6_000;

describe('minting through the end of its workers', function () {
  this.timeout(60_000);
  let installation: Installation;

  before(async () => {
    installation = await createInstallation({
      MINT_CHUNK_UNITS: String(CHUNK_UNITS),
      // Every chain of wake-ups of a job is in the worker's hands when it ends.
      MINT_CONCURRENCY: '8',
    });
  });
  afterEach(() => installation.endAll());
  after(() => installation.remove());

  it('mints exactly the batch, once, when a worker is killed in the middle', async () => {
    const job = await startJob(installation, MANY);
    const [first] = await Promise.all([
      installation.startWorker('barcodes'),
      installation.startWorker('maintenance'),
    ]);
    await eventually('some chunks done', async () => (await job.unitsDone()) >= 2 * CHUNK_UNITS);
    expect(await first.end('SIGKILL')).to.equal('signal SIGKILL');
    const doneByFirst = await job.unitsDone();
    expect(doneByFirst, 'it was killed too late').to.be.lessThan(MANY);
    await installation.startWorker('barcodes');
    await job.completion();
    await expectWholeBatch(installation, job);
  });

  it('goes on when Postgres drops every connection of its workers, as a restart does', async () => {
    const job = await startJob(installation, FEW);
    const drop = async (): Promise<number> => {
      const { rowCount } = await installation.core.db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name like 'touchstone-worker%'`,
      );
      return rowCount ?? 0;
    };
    await Promise.all([installation.startWorker('barcodes'), installation.startWorker('maintenance')]);
    let dropped = 0;
    for (const part of [1, 3, 5]) {
      await eventually('further chunks done', async () => (await job.unitsDone()) >= part * CHUNK_UNITS);
      dropped += await drop();
    }
    expect(dropped, 'connections that were dropped').to.be.greaterThan(3);
    await job.completion();
    await expectWholeBatch(installation, job);
  });

  it('hands its job over on SIGTERM, with nobody sweeping', async () => {
    const job = await startJob(installation, FEW);
    const second = await installation.startWorker('barcodes');
    await eventually('some chunks done', async () => (await job.unitsDone()) >= 2 * CHUNK_UNITS);
    expect(await second.end('SIGTERM')).to.equal('exit code 0');
    expect(await job.unitsDone(), 'it ended too late').to.be.lessThan(FEW);
    expect(await job.chunksHeld(), 'chunks still under a lease').to.equal(0);
    await installation.startWorker('barcodes');
    await job.completion();
    await expectWholeBatch(installation, job);
  });
});

interface MintJob {
  id: string;
  batchId: string;
  quantity: number;
  unitsDone(): Promise<number>;
  chunksHeld(): Promise<number>;
  completion(): Promise<void>;
}

async function startJob(installation: Installation, quantity: number): Promise<MintJob> {
  const { core } = installation;
  const { batchId } = await seedBatch(installation, quantity);
  const id = await seedJob(installation, batchId, CHUNK_UNITS);
  const number = async (sql: string): Promise<number> => {
    const { rows } = await core.db.query<{ n: number }>(sql, [id]);
    return rows[0]!.n;
  };
  return {
    id,
    batchId,
    quantity,
    unitsDone: () =>
      number(
        `select coalesce(sum(units), 0) as n from barcode_job_chunks where job_id = $1 and state = 'done'`,
      ),
    chunksHeld: () =>
      number(`select count(*) as n from barcode_job_chunks where job_id = $1 and lease_until is not null`),
    completion: () =>
      eventually(
        'the job’s completion',
        async () =>
          (await number(`select count(*) as n from barcode_jobs where id = $1 and status = 'completed'`)) ===
          1,
        40_000,
      ),
  };
}

async function expectWholeBatch({ core, env }: Installation, job: MintJob): Promise<void> {
  const { rows: units } = await core.db.query<{
    id: string;
    ordinal: number;
    serial: string;
    code: Buffer;
    token_key: string;
  }>(`select id, ordinal, serial, code, token_key from product_units where batch_id = $1 order by ordinal`, [
    job.batchId,
  ]);
  expect(units.length).to.equal(job.quantity);
  expect(units.every((unit, index) => unit.ordinal === index)).to.equal(true);
  const tokens = units.map((unit) => tokenOf(core.config.TOKEN_KEYS, unit.code, unit.token_key));
  expect(new Set(tokens).size).to.equal(job.quantity);

  const { rows: artifacts } = await core.db.query<{ name: string; sha256: string; storage_key: string }>(
    'select name, sha256, storage_key from barcode_artifacts where job_id = $1',
    [job.id],
  );
  for (const { name, sha256, storage_key } of artifacts) {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path.join(env['STORAGE_DIR']!, storage_key)))
      hash.update(chunk as Buffer);
    expect(hash.digest('hex'), name).to.equal(sha256);
  }
  const codes = artifacts.find(({ name }) => name === 'codes.csv')!;
  const csv = await readFile(path.join(env['STORAGE_DIR']!, codes.storage_key), 'utf8');
  const printed = csv.trimEnd().split('\n').slice(1);
  expect(printed.map((line) => line.split(',').slice(0, 3).join(','))).to.deep.equal(
    units.map((unit, index) => `${encodeId('unit', unit.id)},${unit.serial},${tokens[index]}`),
  );

  const { rows: events } = await core.db.query<{ type: string }>(
    `select type from events where data->>'jobId' = $1`,
    [encodeId('job', job.id)],
  );
  expect(events).to.deep.equal([{ type: 'barcode_job.completed' }]);
}
