import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { createApp } from '../../api/app.ts';
import { createHttpServer, SERVER_LIMITS } from '../../api/server.ts';
import { createLogger } from '../../shared/logger.ts';
import { createMetrics } from '../../shared/metrics.ts';
import { createTestApi, type TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';

describe('The HTTP server', () => {
  let api: TestApi;
  let server: Server;
  let port: number;
  const lines: string[] = [];

  before(async () => {
    api = await createTestApi();
    const log = createLogger('web', 'info', { write: (line) => void lines.push(line) });
    server = createHttpServer(createApp(api.deps, createMetrics('test')), log, {
      ...SERVER_LIMITS,
      headersTimeoutMs: 100,
      requestTimeoutMs: 200,
      checkEveryMs: 20,
      maxConnections: 3,
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    await api.close();
  });

  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  /** @returns all that comes until the server closes. */
  const rest = async (socket: Socket): Promise<string> => {
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    if (!socket.closed) await once(socket, 'close');
    return text;
  };
  const exchange = async (request: string): Promise<string> => {
    const socket = await open();
    socket.write(request);
    return rest(socket);
  };
  const statuses = (text: string) => [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);

  it('keeps an idle connection longer than a proxy does, in every test of the API too', async () => {
    // Node's own 5 s reset requests of tests that stood still for so long on a busy machine.
    const answer = await fetch(`http://127.0.0.1:${(api.server.address() as AddressInfo).port}/healthz`);
    expect(answer.headers.get('keep-alive')).to.equal('timeout=65');
  });

  it('waits for headers for a limited time, however steadily they trickle in', async () => {
    const socket = await open();
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
    const drip = setInterval(() => socket.write('X-A: b\r\n'), 10);
    try {
      expect(statuses(await rest(socket))).to.deep.equal(['408']);
    } finally {
      clearInterval(drip);
    }
  });

  it('waits for a body for a limited time', async () => {
    const socket = await open();
    const answer = rest(socket);
    socket.write(
      'POST /contact HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n',
    );
    const drip = setInterval(() => socket.write(' '), 10);
    try {
      expect(statuses(await answer)).to.deep.equal(['408']);
    } finally {
      clearInterval(drip);
    }
  });

  it('takes no more connections than it may, and new ones when old ones go', async () => {
    const held = await Promise.all([open(), open(), open()]);
    const one = await open();
    expect(await rest(one)).to.equal('');
    for (const socket of held) socket.destroy();
    const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    // The server hears of it a moment later.
    let answer = '';
    while (answer === '') answer = await exchange(get);
    expect(statuses(answer)).to.deep.equal(['200']);
  });

  const inner = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  const outer = (headers: string, body: string) =>
    `POST /contact HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;
  const smuggled: Record<string, string> = {
    'both lengths': outer('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${inner}`),
    'both lengths, the other way round': outer(
      'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
      `0\r\n\r\n${inner}`,
    ),
    'two lengths that differ': outer('Content-Length: 0\r\nContent-Length: 37\r\n', inner),
    'a list of lengths': outer('Content-Length: 0, 37\r\n', inner),
    'a signed length': outer('Content-Length: +0\r\n', inner),
    'an encoding that looks like chunked': outer('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${inner}`),
    'chunked before another encoding': outer('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${inner}`),
    'a space before the colon': outer('Content-Length : 0\r\n', inner),
    'a folded header': outer('X-A: b\r\n Content-Length: 0\r\n', inner),
    'a bare line feed after a chunk’s size': outer('Transfer-Encoding: chunked\r\n', `0\n\r\n${inner}`),
    'a chunk’s size that is none': outer('Transfer-Encoding: chunked\r\n', `0x0\r\n\r\n${inner}`),
    'a NUL in a header': outer('X-A: \0\r\nContent-Length: 0\r\n', inner),
  };
  for (const [name, request] of Object.entries(smuggled)) {
    it(`refuses ${name}, and answers nothing that was hidden behind`, async () => {
      const answered = statuses(await exchange(request));
      expect(answered).to.deep.equal(['400']);
    });
  }

  const problemIn = (answer: string) => {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).to.match(/^content-type: application\/problem\+json/im);
    expect(Number(/^content-length: (\d+)/im.exec(head)?.[1])).to.equal(Buffer.byteLength(body));
    const problem = JSON.parse(body) as Record<string, unknown>;
    expect(/^x-request-id: (.+)$/im.exec(head)?.[1]).to.equal(problem.requestId);
    return problem;
  };

  it('says as a problem document what it could not read, and in the log', async () => {
    const problem = problemIn(await exchange('GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: \0\r\n\r\n'));
    expect(problem).to.include({
      type: 'urn:touchstone:error:bad-request',
      status: 400,
      code: 'BAD_REQUEST',
      detail: 'the request is not valid HTTP: Invalid header value char',
    });
    const line = JSON.parse(lines.at(-1)!) as Record<string, unknown>;
    expect(line).to.include({ requestId: problem.requestId, code: 'BAD_REQUEST' });
  });

  it('says that no host is named, which HTTP/1.0 need not', async () => {
    const problem = problemIn(await exchange('GET /healthz HTTP/1.1\r\n\r\n'));
    expect(problem).to.include({ code: 'BAD_REQUEST', detail: 'the request has no Host header' });
    const line = JSON.parse(lines.at(-1)!) as Record<string, unknown>;
    expect(line).to.include({ requestId: problem.requestId, reason: 'no Host' });
    expect(statuses(await exchange('GET /healthz HTTP/1.0\r\n\r\n'))).to.deep.equal(['200']);
  });

  it('answers a request with an expectation that it does not know as one without', async () => {
    const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n';
    expect(statuses(await exchange(request))).to.deep.equal(['200']);
  });

  it('says that headers are too large, as a problem document', async () => {
    const answer = await exchange(
      `GET /healthz HTTP/1.1\r\nHost: x\r\nCookie: ${'a'.repeat(20_000)}\r\n\r\n`,
    );
    expect(problemIn(answer)).to.include({ status: 431, code: 'HEADERS_TOO_LARGE' });
  });

  it('logs nothing of connections that were opened ahead and not needed', async () => {
    const before = lines.length;
    expect(problemIn(await rest(await open()))).to.include({ code: 'REQUEST_TIMEOUT' });
    expect(lines.slice(before)).to.deep.equal([]);
  });

  /** A server of its own, whose every request is `answer`ed. */
  const withServer = async (
    answer: RequestListener,
    story: (socket: Socket) => Promise<void>,
  ): Promise<void> => {
    const held = createHttpServer(answer, api.deps.log);
    held.listen(0, '127.0.0.1');
    await once(held, 'listening');
    try {
      await story(connect((held.address() as AddressInfo).port, '127.0.0.1'));
    } finally {
      held.close();
      held.closeAllConnections();
    }
  };

  it('writes no refusal into an answer that is under way', () =>
    withServer(
      (_req, res) => {
        res.writeHead(200, { 'Content-Length': 99 });
        res.write('begun');
      },
      async (socket) => {
        const answer = rest(socket);
        socket.write(outer('Transfer-Encoding: chunked\r\n', '1\r\n \r\n'));
        await once(socket, 'data');
        socket.write('no size\r\n');
        const text = await answer;
        expect(statuses(text)).to.deep.equal(['200']);
        expect(text).to.match(/begun$/);
      },
    ));

  it('answers what came whole, before it refuses what came behind', async () => {
    const waiting: ServerResponse[] = [];
    await withServer(
      (_req, res) => void waiting.push(res),
      async (socket) => {
        const answer = rest(socket);
        socket.write(`${inner}${inner}no HTTP\r\n\r\n`);
        await eventually('both requests', () => waiting.length === 2);
        socket.write('nor this\r\n\r\n');
        for (const [index, res] of waiting.entries()) res.end(`answer ${index}\n`);
        const text = await answer;
        expect(statuses(text)).to.deep.equal(['200', '200', '400']);
        expect(text).to.match(/answer 0\nHTTP[^]+answer 1\nHTTP/);
      },
    );
  });
});
