import { expect } from 'chai';
import type { AttemptOutcome } from '../../../shared/webhooks/attempt.ts';
import { startHttpsReceiver } from '../../support/https-receiver.ts';
import {
  ca,
  closeAll,
  closeLater,
  post,
  receiverFor,
  senderWith,
  tcpServer,
} from '../../support/webhook-attempts.ts';

describe('a webhook attempt', () => {
  afterEach(closeAll);

  it('posts the very bytes and headers, with our User-Agent, to the host of the URL', async () => {
    const receiver = await receiverFor();
    const body = Buffer.from([0x7b, 0x22, 0xff, 0x00, 0x7d]);
    const sender = senderWith();
    const headers = {
      'User-Agent': sender.userAgent,
      'X-Service-Event': 'scan.recorded',
      'Content-Type': 'application/json',
    };
    const outcome = await post(sender, `${receiver.origin}/in?x=1`, { body, headers });
    expect(outcome).to.include({ ok: true, status: 204, errorClass: null, error: null, responseBody: '' });
    const [request] = receiver.requests;
    expect(request).to.include({ method: 'POST', path: '/in?x=1', servername: 'localhost' });
    expect(request!.body.equals(body)).to.equal(true);
    expect(request!.headers).to.include({
      host: `localhost:${receiver.port}`,
      'user-agent': 'Touchstone/9.8.7 (+webhooks)',
      'x-service-event': 'scan.recorded',
      'content-length': '5',
    });
  });

  it('keeps the connection, and times only the steps that were made', async () => {
    const receiver = await receiverFor();
    const sender = senderWith();
    const first = await post(sender, receiver.origin);
    const second = await post(sender, receiver.origin);
    expect(receiver.connections()).to.equal(1);
    expect(first.timings.dnsMs).to.be.a('number');
    expect(first.timings.connectMs).to.be.a('number');
    expect(first.timings.tlsMs).to.be.a('number');
    expect(first.timings.firstByteMs).to.be.at.most(first.timings.totalMs);
    expect(second.timings).to.include({ dnsMs: null, connectMs: null, tlsMs: null });
    expect(second.timings.firstByteMs).to.be.a('number');
  });

  it('fails with the status of any answer other than 2xx, and hands Retry-After on', async () => {
    const receiver = await receiverFor();
    const sender = senderWith();
    for (const status of [400, 404, 410, 429, 500, 503]) {
      receiver.respond = (response) => response.writeHead(status, { 'Retry-After': '7' }).end('no');
      expect(await post(sender, receiver.origin)).to.include({
        ok: false,
        errorClass: 'status',
        status,
        retryAfter: '7',
        responseBody: 'no',
      });
    }
  });

  it('takes the first Retry-After of two, as a proxy adds its own', async () => {
    const receiver = await receiverFor();
    receiver.respond = (response) => response.writeHead(503, { 'Retry-After': ['7', '9'] }).end();
    expect(await post(senderWith(), receiver.origin)).to.include({ status: 503, retryAfter: '7' });
  });

  it('follows no redirect', async () => {
    const receiver = await receiverFor();
    const target = await receiverFor();
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.respond = (response) => response.writeHead(status, { Location: target.origin }).end();
      expect(await post(senderWith(), receiver.origin)).to.include({
        ok: false,
        errorClass: 'status',
        status,
      });
    }
    expect(target.connections()).to.equal(0);
  });

  it('does not take an informational answer for the answer', async () => {
    const receiver = await receiverFor();
    receiver.respond = (response) => {
      response.writeProcessing();
      response.writeHead(200).end('done');
    };
    expect(await post(senderWith(), receiver.origin)).to.include({
      ok: true,
      status: 200,
      responseBody: 'done',
    });
    receiver.respond = (response) => response.writeProcessing();
    const outcome = await post(senderWith(), receiver.origin, { deadlineMs: 100 });
    expect(outcome).to.include({ errorClass: 'timeout', status: null });
    expect(outcome.timings.firstByteMs).to.equal(null);
  });
});

describe('a webhook attempt’s deadline', () => {
  afterEach(closeAll);

  const deadlineMs = 120;
  const expectTimeout = (outcome: AttemptOutcome) => {
    expect(outcome).to.include({ ok: false, errorClass: 'timeout' });
    expect(outcome.timings.totalMs).to.be.within(deadlineMs - 5, deadlineMs + 1000);
  };

  it('covers the name look-up', async () => {
    expectTimeout(
      await post(senderWith({ resolve: () => new Promise(() => {}) }), 'https://slow.example/', {
        deadlineMs,
      }),
    );
  });

  it('covers the TLS handshake', async () => {
    const silent = await tcpServer(() => {});
    expectTimeout(await post(senderWith(), silent.origin, { deadlineMs }));
  });

  it('covers the wait for an answer', async () => {
    const receiver = await receiverFor();
    receiver.respond = () => {};
    const outcome = await post(senderWith(), receiver.origin, { deadlineMs });
    expectTimeout(outcome);
    expect(outcome.status).to.equal(null);
  });

  it('covers the body to its last byte, though the status was good', async () => {
    const receiver = await receiverFor();
    receiver.respond = (response) => {
      response.writeHead(200).write('drip');
      const drip = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(drip));
    };
    const outcome = await post(senderWith(), receiver.origin, { deadlineMs });
    expectTimeout(outcome);
    expect(outcome.status).to.equal(200);
    expect(outcome.responseBody).to.match(/^drip/);
  });

  it('does not hold up attempts to other hosts', async () => {
    const hung = await receiverFor();
    const healthy = await receiverFor();
    hung.respond = () => {};
    const sender = senderWith();
    const stop = new AbortController();
    const stuck = Array.from({ length: 20 }, () => post(sender, hung.origin, { signal: stop.signal }));
    const prompt = await Promise.all(Array.from({ length: 20 }, () => post(sender, healthy.origin)));
    expect(prompt.every(({ ok }) => ok)).to.equal(true);
    // All of them were still under way.
    stop.abort();
    for (const outcome of await Promise.all(stuck)) expect(outcome.errorClass).to.equal('aborted');
  });

  it('is not the same as being stopped by us, before or in the middle', async () => {
    const receiver = await receiverFor();
    const stop = new AbortController();
    receiver.respond = () => stop.abort();
    const sender = senderWith();
    expect(await post(sender, receiver.origin, { signal: stop.signal })).to.include({
      ok: false,
      errorClass: 'aborted',
    });
    expect(await post(sender, receiver.origin, { signal: stop.signal })).to.include({
      errorClass: 'aborted',
    });
    expect(receiver.requests).to.have.length(1);
  });
});

describe('a webhook attempt’s connection', () => {
  afterEach(closeAll);

  it('is verified: another authority, another name, an expired certificate, no TLS at all', async () => {
    const receiver = await receiverFor();
    const wrongName = await receiverFor('other.example');
    const expired = await startHttpsReceiver(
      ca.certFor('localhost', { notBefore: new Date('2020-01-01'), notAfter: new Date('2020-02-01') }),
    );
    closeLater(() => expired.close());
    const plain = await tcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    for (const [sender, url] of [
      [senderWith({ caFile: null }), receiver.origin],
      [senderWith(), wrongName.origin],
      [senderWith(), expired.origin],
      [senderWith(), plain.origin],
    ] as const) {
      const outcome = await post(sender, url);
      expect(outcome).to.include({ ok: false, errorClass: 'tls', status: null });
      expect(outcome.error).to.not.match(/OpenSSH|other\.example/);
    }
    expect([...receiver.requests, ...wrongName.requests, ...expired.requests]).to.deep.equal([]);
  });

  it('is verified against the URL’s host, and not against the address that it resolved to', async () => {
    const receiver = await receiverFor('hooks.example');
    const sender = senderWith({ resolve: () => Promise.resolve(['127.0.0.1']) });
    expect(await post(sender, `https://hooks.example:${receiver.port}/`)).to.include({ ok: true });
    expect(receiver.requests[0]).to.include({ servername: 'hooks.example' });
    expect(receiver.requests[0]!.headers.host).to.equal(`hooks.example:${receiver.port}`);
    expect(await post(sender, `https://elsewhere.example:${receiver.port}/`)).to.include({
      errorClass: 'tls',
    });
  });

  it('fails as connect when nobody listens, and as dns when the name is unknown', async () => {
    const receiver = await receiverFor();
    await receiver.close();
    expect(await post(senderWith(), receiver.origin)).to.include({ ok: false, errorClass: 'connect' });
    const unknown = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    const outcome = await post(
      senderWith({ resolve: () => Promise.reject(unknown) }),
      'https://unknown.example/',
    );
    expect(outcome).to.include({ ok: false, errorClass: 'dns' });
    expect(outcome.error).to.include('ENOTFOUND');
  });

  for (const [name, url] of Object.entries({
    'an IP literal': 'https://127.0.0.1:PORT/',
    'an IP literal in disguise': 'https://2130706433:PORT/',
    'an IPv6 literal': 'https://[::ffff:7f00:1]:PORT/',
    localhost: 'https://localhost:PORT/',
    'a name that resolves there': 'https://rebind.example:PORT/',
  })) {
    it(`is never opened to a private address by way of ${name}`, async () => {
      const receiver = await receiverFor();
      const sender = senderWith({
        allowedCidrs: [],
        resolve: (host) => Promise.resolve([host === 'localhost' ? '::1' : '93.184.216.34', '127.0.0.1']),
      });
      const outcome = await post(sender, url.replace('PORT', String(receiver.port)));
      expect(outcome).to.include({ ok: false, errorClass: 'blocked', status: null });
      expect(receiver.connections()).to.equal(0);
    });
  }

  it('goes to the address that was vetted, and is vetted anew when it is made anew (rebinding)', async () => {
    const receiver = await receiverFor('rebind.example');
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['10.0.0.1']];
    const sender = senderWith({ resolve: () => Promise.resolve(answers.shift() ?? []) });
    const url = `https://rebind.example:${receiver.port}/`;
    receiver.respond = (response) => response.writeHead(200, { Connection: 'close' }).end();
    expect(await post(sender, url)).to.include({ ok: true });
    expect(await post(sender, url)).to.include({ errorClass: 'blocked' });
    expect(await post(sender, url)).to.include({ errorClass: 'blocked' });
    expect(receiver.connections()).to.equal(1);
  });

  it('waits for one of the host’s connections where their number is limited', async () => {
    const receiver = await receiverFor();
    const sender = senderWith({ connectionsPerHost: 2 });
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => post(sender, receiver.origin)));
    expect(outcomes.every(({ ok }) => ok)).to.equal(true);
    expect(receiver.connections()).to.equal(2);
  });
});
