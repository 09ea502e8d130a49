import diagnostics from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { createSecureContext, rootCertificates } from 'node:tls';
import { Agent, type Dispatcher } from 'undici';
import { parseAllowedCidrs, vetUrlShape, type Resolve } from '../egress/address-guard.ts';
import { createAnswerReader, loggableHeaders, type AnswerReader, type Snippet } from './answer-reader.ts';
import {
  ConnectionError,
  createGuardedConnector,
  type ConnectionTimings,
} from '../egress/guarded-connector.ts';
import { createResolver } from '../egress/resolve-host.ts';
import { keepSome } from '../keep-some.ts';

/** From the first look-up to the last byte of the answer. */
const DEFAULT_DEADLINE_MS = 10_000;

/**
 * Why an attempt failed.
 * `blocked`: the URL or its address is not allowed; nothing was sent. `dns`, `connect`, `tls`: the connection could
 * not be made, or broke before an answer. `timeout`: the deadline passed, in whatever step. `status`: an answer other
 * than 2xx. `body`: the answer broke off, or was not HTTP. `aborted`: we stopped it ourselves (shutdown); whether it
 * was received is not known, and it must not count against the receiver.
 */
export type AttemptErrorClass =
  | 'blocked'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'status'
  | 'body'
  | 'aborted';

/** Milliseconds; null where it was not measured: a kept-alive connection has no DNS, connect and TLS step. */
export interface AttemptTimings extends ConnectionTimings {
  firstByteMs: number | null;
  totalMs: number;
}

export interface AttemptOutcome {
  /** A 2xx answer, read to its end or to the limit within the deadline. */
  ok: boolean;
  errorClass: AttemptErrorClass | null;
  /** One sentence for the delivery log; holds nothing that the other side sent. */
  error: string | null;
  status: number | null;
  /** Bounded, and without credentials; fit for the log. */
  responseHeaders: Record<string, string>;
  /** At most 4 KB of the decompressed answer, marked at its end if there was more. */
  responseBody: string;
  responseTruncated: boolean;
  /** `Retry-After` as received. */
  retryAfter: string | null;
  timings: AttemptTimings;
}

export interface AttemptRequest {
  url: string;
  /** All headers but those of HTTP itself; {@link Sender.userAgent} belongs to them. */
  headers: Record<string, string>;
  body: Buffer;
  /** Default {@link DEFAULT_DEADLINE_MS}. */
  deadlineMs?: number;
  /** Stops the attempt, as `aborted`. */
  signal?: AbortSignal;
}

export interface SenderOptions {
  /** The program's version, for the User-Agent. */
  version: string;
  /** Networks that are not public but may be sent to, in CIDR notation. */
  allowedCidrs?: readonly string[];
  /** PEM file with certificate authorities to trust beside the usual ones; read once, here. */
  caFile?: string | null;
  /**
   * Open connections to one origin; more attempts wait, at their own deadline's cost. No limit by default: endpoints
   * behind one host (an automation service) must not wait for each other, and the caller bounds its concurrency.
   */
  connectionsPerHost?: number;
  /** Longest wait for a new connection; an attempt's own deadline may end it sooner. Default {@link DEFAULT_DEADLINE_MS}. */
  connectTimeoutMs?: number;
  /** Name resolution, replaceable in tests. */
  resolve?: Resolve;
}

export interface Sender {
  /** What this program calls itself. */
  readonly userAgent: string;
  /** Makes one POST. Never rejects: whatever happens is an outcome. */
  send(request: AttemptRequest): Promise<AttemptOutcome>;
  /** Waits for the attempts under way, at most until their deadlines, then closes all connections. Send no more. */
  close(): Promise<void>;
}

/** Parsed targets are kept for this many URLs; then the cache starts over. */
const MAX_CACHED_TARGETS = 10_000;

/** Below the 5 s after which Node servers (and others) close an idle connection under our feet. */
const KEEP_ALIVE_MS = 4_000;
const MAX_KEEP_ALIVE_MS = 30_000;

/** Published by undici right after `onRequestStart`, in the same turn, with the socket that the request goes out on. */
const SEND_HEADERS = 'undici:client:sendHeaders';

/** How undici calls answers with a head that is too large, or with lengths that contradict each other. */
const NOT_HTTP = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);

const NO_STEPS: ConnectionTimings = { dnsMs: null, connectMs: null, tlsMs: null };

type Target = { origin: string; path: string } | { refused: string };

/**
 * The webhook sender: keep-alive connections per origin, vetted addresses, verified TLS, no redirects, one deadline,
 * bounded answers. Share one per process.
 * @throws RangeError on a malformed network in `allowedCidrs`; the error of `readFileSync` on an unreadable `caFile`.
 */
export function createSender(options: SenderOptions): Sender {
  const allowed = parseAllowedCidrs(options.allowedCidrs ?? []);
  const newConnections = new WeakMap<Socket, ConnectionTimings>();
  const agent = new Agent({
    connect: createGuardedConnector({
      allowed,
      resolve: options.resolve ?? createResolver(),
      secureContext: createSecureContext({
        minVersion: 'TLSv1.2',
        ...(options.caFile ? { ca: [...rootCertificates, readFileSync(options.caFile, 'utf8')] } : {}),
      }),
      connectTimeoutMs: options.connectTimeoutMs ?? DEFAULT_DEADLINE_MS,
      onConnected: (socket, timings) => newConnections.set(socket, timings),
    }),
    ...(options.connectionsPerHost === undefined ? {} : { connections: options.connectionsPerHost }),
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
    // Ours is one deadline for everything; undici's two timers would only cost.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const targets = new Map<string, Target>();
  const targetOf = (url: string): Target => {
    const known = targets.get(url);
    if (known) return known;
    const verdict = vetUrlShape(url, allowed);
    const target = verdict.ok
      ? { origin: verdict.url.origin, path: verdict.url.pathname + verdict.url.search }
      : { refused: verdict.refused.message };
    keepSome(targets, url, target, MAX_CACHED_TARGETS);
    return target;
  };

  const stoppers = new WeakMap<AbortSignal, Set<Attempt>>();
  /** One listener for all attempts of a signal: adding and removing one for each costs more than signing it. */
  const stoppedBy = (signal: AbortSignal): Set<Attempt> => {
    const known = stoppers.get(signal);
    if (known !== undefined) return known;
    const attempts = new Set<Attempt>();
    stoppers.set(signal, attempts);
    signal.addEventListener('abort', () => attempts.forEach((attempt) => attempt.onAbort()), { once: true });
    return attempts;
  };

  let underWay = 0;
  let onIdle: (() => void) | null = null;
  const settled = () => {
    underWay -= 1;
    if (underWay === 0) onIdle?.();
  };

  let starting: Attempt | null = null;
  const onStarting = (attempt: Attempt) => {
    starting = attempt;
  };
  const onSendHeaders = (message: unknown) => {
    if (starting === null) return;
    const { socket } = message as { socket: Socket };
    starting.steps = newConnections.get(socket) ?? NO_STEPS;
    newConnections.delete(socket);
    starting = null;
  };
  diagnostics.subscribe(SEND_HEADERS, onSendHeaders);

  return {
    userAgent: `Touchstone/${options.version} (+webhooks)`,
    send: (request) =>
      new Promise((resolve) => {
        underWay += 1;
        const settle = (outcome: AttemptOutcome) => {
          resolve(outcome);
          settled();
        };
        const siblings = request.signal === undefined ? null : stoppedBy(request.signal);
        const attempt = new Attempt(request, settle, onStarting, siblings);
        const target = targetOf(request.url);
        if ('refused' in target) return attempt.fail('blocked', target.refused);
        if (request.signal?.aborted) return attempt.onAbort();
        try {
          const { headers, body } = request;
          agent.dispatch(
            { origin: target.origin, path: target.path, method: 'POST', headers, body },
            attempt,
          );
        } catch (error) {
          attempt.onResponseError(null, error as Error);
        }
      }),
    close: async () => {
      if (underWay > 0) await new Promise<void>((resolve) => (onIdle = resolve));
      // Not `agent.close()`: that would wait for connections that nobody waits for any more.
      await agent.destroy();
      diagnostics.unsubscribe(SEND_HEADERS, onSendHeaders);
    },
  };
}

/**
 * One attempt as undici's handler. It is a class, and not undici's `request()`, for its price: no stream and no
 * promise chain per answer (measured in `bench/webhook-sender.ts`).
 */
class Attempt implements Dispatcher.DispatchHandler {
  steps: ConnectionTimings = NO_STEPS;
  private readonly startedAt = performance.now();
  private readonly deadlineMs: number;
  private readonly timer: NodeJS.Timeout;
  /** Those that the same signal stops. */
  private readonly siblings: Set<Attempt> | null;
  private readonly resolve: (outcome: AttemptOutcome) => void;
  private readonly onStarting: (attempt: Attempt) => void;
  private controller: Dispatcher.DispatchController | null = null;
  private reader: AnswerReader | null = null;
  private firstByteMs: number | null = null;
  private status: number | null = null;
  private headers: Record<string, string | string[] | undefined> = {};
  private isOver = false;

  constructor(
    request: AttemptRequest,
    resolve: (outcome: AttemptOutcome) => void,
    onStarting: (attempt: Attempt) => void,
    siblings: Set<Attempt> | null,
  ) {
    this.resolve = resolve;
    this.onStarting = onStarting;
    this.siblings = siblings;
    this.deadlineMs = request.deadlineMs ?? DEFAULT_DEADLINE_MS;
    this.timer = setTimeout(onDeadline, this.deadlineMs, this);
    siblings?.add(this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.isOver) return controller.abort(new Error('the attempt is over'));
    this.controller = controller;
    this.onStarting(this);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.isOver || status < 200) return;
    this.firstByteMs = performance.now() - this.startedAt;
    this.status = status;
    this.headers = headers;
    const coding = headers['content-encoding'];
    this.reader = createAnswerReader(Array.isArray(coding) ? coding.join(', ') : coding);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isOver || this.reader === null || this.reader.push(chunk)) return;
    this.answer();
    this.controller?.abort(new Error('enough of the answer was read'));
  }

  onResponseEnd(): void {
    if (this.isOver) return;
    // It has arrived: neither the deadline nor a shutdown can undo that in the moment until it is reported.
    this.disarm();
    // undici takes the connection back in a `setImmediate` that it queues after this call. Reporting only after that
    // lets the caller's next attempt reuse the connection; without, a busy loop opens twice as many as it needs.
    process.nextTick(setImmediate, answer, this);
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.isOver) return;
    if (error instanceof ConnectionError) {
      this.steps = error.timings;
      return this.fail(error.step, error.message);
    }
    // These end with their head (RFC 9112 §6.3): a text that some servers send with it, or the length of one that a 304 may tell, breaks the
    // connection alone.
    if (this.status === 204 || this.status === 304) return this.answer();
    if (this.status !== null) return this.fail('body', `the answer broke off (${codeOf(error)})`);
    const isHttpError = error.name === 'HTTPParserError' || NOT_HTTP.has(codeOf(error));
    if (isHttpError) return this.fail('body', 'the answer is not valid HTTP');
    this.fail('connect', `the connection closed before an answer (${codeOf(error)})`);
  }

  onAbort(): void {
    this.fail('aborted', 'stopped by the sender before it was finished');
    this.controller?.abort(new Error('aborted'));
  }

  /** Ends the attempt without a complete answer; without effect if it is over. */
  fail(errorClass: AttemptErrorClass, error: string): void {
    if (!this.isOver) this.end(errorClass, error);
  }

  onDeadline(): void {
    const step =
      this.controller === null ? 'connecting' : this.status === null ? 'waiting for an answer' : 'reading it';
    this.fail('timeout', `not finished after ${this.deadlineMs} ms (${step})`);
    this.controller?.abort(new Error('deadline'));
  }

  private disarm(): void {
    clearTimeout(this.timer);
    this.siblings?.delete(this);
  }

  answer(): void {
    const status = this.status ?? 0;
    if (status >= 200 && status < 300) return this.end(null, null);
    const isRedirect = status >= 300 && status < 400;
    this.end('status', `answered ${status}${isRedirect ? '; redirects are not followed' : ''}`);
  }

  private end(errorClass: AttemptErrorClass | null, error: string | null): void {
    this.isOver = true;
    this.disarm();
    const totalMs = performance.now() - this.startedAt;
    const snippet = this.reader?.snippet() ?? { text: '', truncated: false };
    const settle = ({ text, truncated }: Snippet) => {
      // Twice, where a proxy adds its own.
      const [retryAfter = null] = [this.headers['retry-after']].flat();
      this.resolve({
        ok: errorClass === null,
        errorClass,
        error,
        status: this.status,
        responseHeaders: loggableHeaders(this.headers),
        responseBody: text,
        responseTruncated: truncated,
        retryAfter,
        timings: {
          dnsMs: rounded(this.steps.dnsMs),
          connectMs: rounded(this.steps.connectMs),
          tlsMs: rounded(this.steps.tlsMs),
          firstByteMs: rounded(this.firstByteMs),
          totalMs: rounded(totalMs)!,
        },
      });
    };
    if (snippet instanceof Promise) void snippet.then(settle);
    else settle(snippet);
  }
}

const onDeadline = (attempt: Attempt): void => attempt.onDeadline();
const answer = (attempt: Attempt): void => attempt.answer();

/** Hundredths of a millisecond: what is finer than that is noise, and in the log many bytes of it. */
const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms * 100) / 100);

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
