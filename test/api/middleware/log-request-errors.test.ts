import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { logRequestErrors } from '../../../api/middleware/log-request-errors.ts';
import type { RequestErrorLog } from '../../../shared/request-errors/service.ts';

describe('the log of refused requests', () => {
  let server: Server;
  let noted: Promise<{ ip: string | null; status: number }>;

  before(async () => {
    const app = express();
    noted = new Promise((resolve) => {
      app.use(logRequestErrors({ note: resolve } as unknown as RequestErrorLog));
    });
    app.get('/', (req, res) => {
      res.locals.actor = { orgId: 'org' };
      // As Node leaves a request whose reader has stopped in the middle, while the answer to it still goes out.
      res.once('prefinish', () => Object.defineProperty(req, 'socket', { value: null }));
      res.status(413).end();
    });
    server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => new Promise((resolve) => server.close(resolve)));

  it('knows from where a request came whose connection is gone by the end of its answer', async () => {
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect(answer.status).to.equal(413);
    expect(await noted).to.include({ ip: '127.0.0.1', status: 413 });
  });
});
