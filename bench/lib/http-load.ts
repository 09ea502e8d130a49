/**
 * A load generator light enough to leave the cores to what it measures: raw sockets, kept alive, one request at a time on
 * each. The same one loads every server of a comparison.
 */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

export interface LoadTarget {
  port: number;
  connections: number;
  /** The next request's path and headers (`Name: value\r\n…`). */
  next(): { path: string; headers: string };
  /** Sees each answer that came with status 200; costs what it does. */
  onAnswer?(body: string): void;
}

export interface LoadResult {
  /** Answers with status 200, per second. */
  rps: number;
  p50_ms: number;
  p99_ms: number;
  /** Other statuses, broken connections, and requests that never left. */
  errors: number;
}

export interface Connection {
  /** One at a time. A connection that the server gave up while it was idle is made anew. */
  request(path: string, headers: string): Promise<{ status: number; body: string }>;
  close(): void;
}

/** A connection, which is made anew where the server gave it up while it was idle. */
export async function open(port: number): Promise<Connection> {
  let line = await openLine(port);
  return {
    async request(path, headers) {
      if (line.isOver()) line = await openLine(port);
      return line.request(path, headers);
    },
    close: () => line.close(),
  };
}

async function openLine(port: number): Promise<Connection & { isOver(): boolean }> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let buffered = '';
  let over = false;
  let waiting: {
    resolve(answer: { status: number; body: string }): void;
    reject(error: Error): void;
  } | null = null;
  const end = () => {
    over = true;
    waiting?.reject(new Error('connection lost'));
    waiting = null;
  };
  // Answers are ASCII here but for a few characters of a message: latin1 keeps length in characters and bytes alike.
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    if (waiting === null) {
      // Nobody asked: 408, which a server sends to a connection that stays silent for too long, before it hangs up. Most of an
      // open loop's connections are never needed.
      end();
      socket.destroy();
      return;
    }
    buffered += chunk;
    const headersEnd = buffered.indexOf('\r\n\r\n');
    if (headersEnd < 0) return;
    const bodyAt = headersEnd + 4;
    const length = Number(/content-length: (\d+)/i.exec(buffered.slice(0, headersEnd))?.[1] ?? 0);
    if (buffered.length < bodyAt + length) return;
    const answer = { status: Number(buffered.slice(9, 12)), body: buffered.slice(bodyAt, bodyAt + length) };
    buffered = '';
    const { resolve } = waiting;
    waiting = null;
    resolve(answer);
  });
  socket.on('error', end).on('close', end);
  return {
    isOver: () => over,
    request: (path, headers) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
      }),
    close: () => socket.destroy(),
  };
}

function summarize(latencies: number[], errors: number, seconds: number): LoadResult {
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1));
  return { rps: Math.round(latencies.length / seconds), p50_ms: at(0.5), p99_ms: at(0.99), errors };
}

async function withConnections<T>(
  { port, connections }: LoadTarget,
  use: (open: Connection[]) => Promise<T>,
): Promise<T> {
  const opened = await Promise.all(Array.from({ length: connections }, () => open(port)));
  try {
    return await use(opened);
  } finally {
    for (const connection of opened) connection.close();
  }
}

/** Each connection sends its next request when it has its answer: how much the server can do. */
export function closedLoop(target: LoadTarget, seconds: number): Promise<LoadResult> {
  return withConnections(target, async (connections) => {
    const latencies: number[] = [];
    let errors = 0;
    const started = performance.now();
    const until = started + seconds * 1000;
    await Promise.all(
      connections.map(async (connection) => {
        for (let sent = performance.now(); sent < until; sent = performance.now()) {
          const { path, headers } = target.next();
          const { status, body } = await connection.request(path, headers);
          if (status !== 200) {
            errors += 1;
            continue;
          }
          latencies.push(performance.now() - sent);
          target.onAnswer?.(body);
        }
      }),
    );
    return summarize(latencies, errors, (performance.now() - started) / 1000);
  });
}

/**
 * Requests leave at a fixed rate whether or not the ones before are answered, as visitors come. A latency counts from the
 * moment at which the request was due, so that a server that stands still is charged for all who wait.
 */
export function openLoop(target: LoadTarget, rate: number, seconds: number): Promise<LoadResult> {
  return withConnections(target, async (connections) => {
    const idle = [...connections];
    const due: number[] = [];
    const latencies: number[] = [];
    const underWay = new Set<Promise<void>>();
    let errors = 0;
    let scheduled = 0;
    const started = performance.now();

    const send = async (connection: Connection, at: number): Promise<void> => {
      const { path, headers } = target.next();
      try {
        const { status, body } = await connection.request(path, headers);
        if (status === 200) {
          latencies.push(performance.now() - at);
          target.onAnswer?.(body);
        } else errors += 1;
        idle.push(connection);
        pump();
      } catch {
        errors += 1;
      }
    };
    const pump = (): void => {
      while (due.length > 0 && idle.length > 0) {
        const sent = send(idle.pop()!, due.shift()!);
        underWay.add(sent);
        void sent.finally(() => underWay.delete(sent));
      }
    };

    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        const elapsed = performance.now() - started;
        const wanted = Math.min(Math.floor((elapsed * rate) / 1000), rate * seconds);
        for (; scheduled < wanted; scheduled += 1) due.push(started + (scheduled * 1000) / rate);
        pump();
        if (scheduled >= rate * seconds) {
          clearInterval(timer);
          resolve();
        }
      }, 1);
    });
    while (underWay.size > 0) await Promise.all(underWay);
    return summarize(latencies, errors + due.length, (performance.now() - started) / 1000);
  });
}
