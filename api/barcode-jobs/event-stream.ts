/**
 * A job as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). One query a tick serves
 * all streams of the process.
 */
import type { Request, Response } from 'express';
import { watchJob } from '../../shared/barcode-jobs/watch.ts';
import type { JobRow } from '../../shared/barcode-jobs/service.ts';
import { AppError } from '../../shared/errors.ts';
import { createUnderWay } from '../../shared/under-way.ts';
import type { ApiDeps } from '../deps.ts';

const HEARTBEAT_MS = 15_000;
/** For the client: how soon to come back when the stream breaks. */
const RECONNECT_MS = 2_000;
const MOST_STREAMS = 500;
/** So that no organization takes all of them from the others. */
export const MOST_STREAMS_OF_ORGANIZATION = 50;
const HEADERS = { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' };
/** The id of the last event: a client that has had it need not come back. */
const END_ID = 'end';

/** Open streams of this process, by organization. */
const streams = createUnderWay();

/** @returns what gives the place back. @throws AppError RATE_LIMITED, UNAVAILABLE */
function takePlace(orgId: string): () => void {
  const headers = { 'Retry-After': '5' };
  if (streams.of(orgId) >= MOST_STREAMS_OF_ORGANIZATION)
    throw new AppError('RATE_LIMITED', {
      detail: `at most ${MOST_STREAMS_OF_ORGANIZATION} streams of an organization at a time; poll the job instead`,
      headers,
    });
  if (streams.all() >= MOST_STREAMS)
    throw new AppError('UNAVAILABLE', { detail: 'too many streams; poll the job instead', headers });
  return streams.begin(orgId);
}

const isOpen = (job: JobRow): boolean => job.status === 'queued' || job.status === 'running';

/**
 * Streams until the job has ended, the client is gone, or the server stops taking connections.
 * @param present the job as the API shows it.
 * @throws AppError RATE_LIMITED where the organization has streams enough, UNAVAILABLE where this process has
 */
export async function streamJob(
  deps: Pick<ApiDeps, 'db' | 'log'>,
  job: JobRow,
  req: Request,
  res: Response,
  present: (job: JobRow) => Promise<unknown>,
): Promise<void> {
  if (!isOpen(job) && req.get('last-event-id') === END_ID) {
    res.status(204).end();
    return;
  }
  // Nothing of the stream would be sent, and its head not before the job's end.
  if (req.method === 'HEAD') {
    res.status(200).set(HEADERS).end();
    return;
  }
  const leavePlace = takePlace(job.org_id);
  res.status(200).set(HEADERS);
  // Nginx would otherwise hold events back until its buffer is full.
  res.setHeader('X-Accel-Buffering', 'no');
  // The stream ends its connection, so that a process that stops need not wait for an idle one.
  res.setHeader('Connection', 'close');
  res.write(`retry: ${RECONNECT_MS}\n\n`);
  const heartbeat = setInterval(() => res.write(': still here\n\n'), HEARTBEAT_MS);
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const server = (req.socket as { server?: { listening: boolean } }).server;
  try {
    for await (const row of watchJob(deps, job, gone.signal)) {
      if (server?.listening === false) break;
      if (row === null) continue;
      const ended = !isOpen(row);
      const id = ended ? END_ID : `${row.done}`;
      const data = JSON.stringify(await present(row));
      res.write(`id: ${id}\nevent: ${ended ? 'end' : 'progress'}\ndata: ${data}\n\n`);
      if (ended) break;
    }
  } catch (error) {
    // The head is sent, so nothing can be answered; the client comes back by itself.
    deps.log.warn({ err: error }, 'a stream of a job broke');
  } finally {
    leavePlace();
    clearInterval(heartbeat);
    res.end();
  }
}
