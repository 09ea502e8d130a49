import { expect } from 'chai';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { open } from '../../bench/lib/http-load.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';
const TIMEOUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

describe('the load generator', () => {
  it('outlives a server that gives an idle connection up unasked, and asks over another', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      if (connections === 1) socket.end(TIMEOUT);
      else socket.on('data', () => socket.write(ANSWER));
      socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const [accepted, connection] = await Promise.all([
      once(server, 'connection'),
      open((server.address() as AddressInfo).port),
    ]);
    await once(accepted[0], 'close');
    expect(await connection.request('/', '')).to.deep.equal({ status: 200, body: 'hi' });
    expect(await connection.request('/', '')).to.deep.equal({ status: 200, body: 'hi' });
    expect(connections).to.equal(2);
    connection.close();
    server.close();
    await once(server, 'close');
  });
});
