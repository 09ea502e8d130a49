import { createServer, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { dropForwardedPorts } from '../../../api/middleware/forwarded-ports.ts';
import { clientAddress } from '../../../api/verify/client-address.ts';
import { startStand } from '../../support/verification-stand.ts';

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

describe('a port behind an address of X-Forwarded-For', () => {
  for (const [header, expected] of [
    ['203.0.113.9:51234', '203.0.113.9'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['198.51.100.1:80, 203.0.113.9:81', '198.51.100.1,203.0.113.9'],
    ['2001:db8::1', '2001:db8::1'],
    ['203.0.113.9', '203.0.113.9'],
    ['nonsense]', 'nonsense]'],
  ]) {
    it(`leaves ${expected} of ${header}`, () => {
      const request = { headers: { 'x-forwarded-for': header } } as unknown as IncomingMessage;
      dropForwardedPorts(request);
      expect(request.headers['x-forwarded-for']).to.equal(expected);
    });
  }

  it('does not make one visitor many: the limit holds, and the scan has its place', async () => {
    const stand = await startStand({ RATE_LIMIT_VERIFY_PER_MINUTE: '3' });
    try {
      const { token } = await stand.mintUnit();
      const statuses: number[] = [];
      for (const port of [5001, 5002, 5003, 5004])
        statuses.push(
          (
            await fetch(`${stand.origin}/v/${token}`, {
              headers: { 'x-forwarded-for': `198.51.100.7:${port}` },
            })
          ).status,
        );
      expect(statuses).to.deep.equal([200, 200, 200, 429]);
      const { rows } = await stand.database.pool.query('select distinct host(ip) as ip, country from scans');
      expect(rows).to.deep.equal([{ ip: '198.51.100.7', country: 'DE' }]);
    } finally {
      await stand.close();
    }
  });
});
