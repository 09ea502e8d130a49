import { createServer, request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { clientAddress } from '../../../api/verify/client-address.ts';

const HEADERS = [
  undefined,
  '203.0.113.9',
  ' 203.0.113.9 ',
  '203.0.113.9, 10.0.0.1',
  '198.51.100.1, 203.0.113.9, 10.0.0.1',
  '10.0.0.2, 10.0.0.1',
  'spoofed, 203.0.113.9',
  'nonsense',
  '2001:db8::1',
  '',
  ', ,',
];

describe('the client’s address without Express', () => {
  for (const trust of [false, 'loopback', 1, 2, ['loopback', '10.0.0.0/8'], '10.0.0.0/8']) {
    it(`is the one that Express finds when it trusts ${JSON.stringify(trust)}`, async () => {
      const app = express();
      app.set('trust proxy', trust);
      const addressOf = clientAddress(app);
      const server = createServer((req, res) => {
        const ours = addressOf(req);
        app(req, res);
        res.setHeader('X-Ours', ours);
        res.end(JSON.stringify({ express: (req as express.Request).ip, ours }));
      });
      // Answers nothing: it only makes the request Express's.
      app.use(() => undefined);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      try {
        for (const header of HEADERS) {
          // Twice: the second time the peer is known.
          for (let time = 0; time < 2; time += 1) {
            const sent = request({
              port: (server.address() as AddressInfo).port,
              host: '127.0.0.1',
              headers: header === undefined ? {} : { 'X-Forwarded-For': header },
              agent: false,
            }).end();
            const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer>];
            let text = '';
            for await (const chunk of response) text += chunk.toString();
            const answer = JSON.parse(text) as { express: string; ours: string };
            expect(answer.ours, String(header)).to.equal(answer.express);
          }
        }
      } finally {
        server.close();
      }
    });
  }
});
