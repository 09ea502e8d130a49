import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { sendStream } from '../../api/send-stream.ts';

describe('a body that is sent part by part', () => {
  let server: Server;
  let url: string;
  let taken: string[];
  let ended: Promise<void>;

  before(async () => {
    const app = express();
    app.get('/', async (_req, res) => {
      taken = [];
      let end!: () => void;
      ended = new Promise((resolve) => (end = resolve));
      async function* parts() {
        try {
          for (const part of ['a', 'b', 'c']) {
            taken.push(part);
            yield part;
          }
        } finally {
          end();
        }
      }
      res.setHeader('Content-Type', 'text/csv');
      await sendStream(res, parts());
    });
    server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(() => new Promise((resolve) => server.close(resolve)));

  it('goes out whole', async () => {
    const answer = await fetch(url);
    expect(await answer.text()).to.equal('abc');
  });

  it('is not read for a HEAD, beyond the part that tells whether it can be', async () => {
    const answer = await fetch(url, { method: 'HEAD' });
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.equal('text/csv');
    expect(await answer.text()).to.equal('');
    await ended;
    expect(taken).to.deep.equal(['a']);
  });
});
