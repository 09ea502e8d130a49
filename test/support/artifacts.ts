/** What a finished job made, fetched as a customer fetches it. */
import { unzipSync } from 'fflate';
import type { TestApi, TestOrganization } from './api.ts';

export interface FetchedArtifact {
  kind: string;
  name: string;
  sha256: string;
  bytes: Buffer;
}

/** All artifacts of a completed job, by name. */
export async function fetchArtifacts(
  api: TestApi,
  org: TestOrganization,
  jobId: string,
): Promise<Map<string, FetchedArtifact>> {
  const { body: job } = await org.get(`/barcode-jobs/${jobId}`).expect(200);
  if (job.status !== 'completed') throw new Error(`the job is ${job.status}: ${JSON.stringify(job.error)}`);
  const found = new Map<string, FetchedArtifact>();
  for (const { kind, name, sha256, url } of job.artifacts) {
    const { body } = await api
      .http()
      .get(new URL(url).pathname + new URL(url).search)
      .buffer(true)
      .parse((res, done) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => done(null, Buffer.concat(chunks)));
      })
      .expect(200);
    found.set(name, { kind, name, sha256, bytes: body as Buffer });
  }
  return found;
}

/** What a job makes that lists a batch's codes, and activates its units. */
export async function mintCodeLists(
  api: TestApi,
  org: TestOrganization,
  batchId: string,
): Promise<Map<string, FetchedArtifact>> {
  const job = await org.startJob(batchId, { formats: ['svg'], activate: true });
  await api.runJob(job.id);
  return fetchArtifacts(api, org, job.id);
}

/** The lines of `codes.csv`, that of the names first. */
export const csvLinesOf = (artifacts: ReadonlyMap<string, FetchedArtifact>): string[] =>
  artifacts.get('codes.csv')!.bytes.toString().trimEnd().split('\n');

/** The files of all ZIP parts, by name, in order. */
export function imagesOf(artifacts: ReadonlyMap<string, FetchedArtifact>): Map<string, Buffer> {
  const files = [...artifacts.values()]
    .filter(({ kind }) => kind === 'images')
    .sort((a, b) => a.name.localeCompare(b.name))
    .flatMap(({ bytes }) => Object.entries(unzipSync(bytes)));
  return new Map(files.map(([name, bytes]) => [name, Buffer.from(bytes)]));
}

export interface CodeLine {
  unitId: string;
  serial: string;
  token: string;
  address: string;
  lot: string | null;
  expiresOn: string | null;
  gs1: string | null;
  /** Where the packages have some. */
  hiddenCode?: string;
  nfcUrl?: string;
  nfcKey?: string;
  nfcMasterKey?: string;
}

export const codesOf = (artifacts: ReadonlyMap<string, FetchedArtifact>): CodeLine[] =>
  artifacts
    .get('codes.ndjson')!
    .bytes.toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as CodeLine);
