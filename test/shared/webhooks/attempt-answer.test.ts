import { once } from 'node:events';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { closeAll, post, receiverFor, senderWith } from '../../support/webhook-attempts.ts';

describe('a webhook attempt’s answer', () => {
  afterEach(closeAll);

  const answer = async (body: Buffer | string, headers: Record<string, string> = {}) => {
    const receiver = await receiverFor();
    receiver.respond = (response) => response.writeHead(200, headers).end(body);
    return post(senderWith(), receiver.origin);
  };

  it('is kept up to 4 KB, marked where it was cut', async () => {
    expect(await answer('x'.repeat(4096))).to.include({
      responseBody: 'x'.repeat(4096),
      responseTruncated: false,
    });
    expect(await answer('x'.repeat(4097))).to.include({
      ok: true,
      responseBody: `${'x'.repeat(4096)}… [truncated]`,
      responseTruncated: true,
    });
  });

  it('is not cut through a character, and holds nothing that Postgres cannot store', async () => {
    expect((await answer('€'.repeat(2000))).responseBody).to.equal(`${'€'.repeat(1365)}… [truncated]`);
    expect((await answer(Buffer.from([0x61, 0x00, 0xff, 0x62]))).responseBody).to.equal('a\u{FFFD}\u{FFFD}b');
  });

  it('is read to 64 KB and no further, and the endless rest is dropped with its connection', async () => {
    const receiver = await receiverFor();
    let written = 0;
    let hasClosed: Promise<unknown> = Promise.resolve();
    receiver.respond = (response) => {
      hasClosed = once(response, 'close');
      response.writeHead(200);
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 0x61))) written += 16_384;
      };
      response.on('drain', pour);
      pour();
    };
    const outcome = await post(senderWith(), receiver.origin, { deadlineMs: 5000 });
    expect(outcome).to.include({ ok: true, status: 200, responseTruncated: true });
    await hasClosed;
    expect(written).to.be.below(64 * 1024 * 1024);
  });

  for (const [coding, compress] of Object.entries({
    gzip: gzipSync,
    'x-gzip': gzipSync,
    br: brotliCompressSync,
    deflate: deflateSync,
    'deflate (raw)': deflateRawSync,
  })) {
    const headers = { 'Content-Encoding': coding.replace(' (raw)', '') };

    it(`is decompressed: ${coding}`, async () => {
      expect(await answer(compress('{"received":true}'), headers)).to.include({
        responseBody: '{"received":true}',
        responseTruncated: false,
      });
    });

    it(`may be a bomb at no cost: ${coding}`, async () => {
      const bomb = compress(Buffer.alloc(50 * 1024 * 1024, 0x61));
      const before = process.memoryUsage();
      const outcome = await answer(bomb, headers);
      const after = process.memoryUsage();
      expect(outcome).to.include({ ok: true, responseBody: `${'a'.repeat(4096)}… [truncated]` });
      expect(after.arrayBuffers + after.external - before.arrayBuffers - before.external).to.be.below(
        20 * 1024 * 1024,
      );
    });
  }

  it('acknowledges by its status even if nobody can decompress it', async () => {
    expect(await answer('plain', { 'Content-Encoding': 'gzip' })).to.include({
      ok: true,
      responseBody: '[5 bytes of gzip]',
    });
    expect(await answer('?????', { 'Content-Encoding': 'zstd' })).to.include({
      ok: true,
      responseBody: '[5 bytes of zstd]',
    });
    expect(await answer(gzipSync(gzipSync('x')), { 'Content-Encoding': 'gzip, gzip' })).to.include({
      ok: true,
    });
  });

  it('has its headers kept within bounds, and without credentials', async () => {
    const outcome = await answer('', {
      'Set-Cookie': 'session=secret',
      'X-Long': 'y'.repeat(2000),
      'X-Ok': 'fine',
    });
    expect(outcome.responseHeaders).to.include({ 'set-cookie': '[not kept]', 'x-ok': 'fine' });
    expect(outcome.responseHeaders['x-long']).to.have.length(513);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`x-${n}`, '1']));
    expect(Object.keys((await answer('', many)).responseHeaders)).to.have.length(40);
  });

  it('fails as body when it breaks off', async () => {
    const receiver = await receiverFor();
    receiver.respond = (response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('half');
      setImmediate(() => response.destroy());
    };
    expect(await post(senderWith(), receiver.origin)).to.include({
      ok: false,
      errorClass: 'body',
      status: 200,
    });
  });

  const written = async (text: string) => {
    const receiver = await receiverFor();
    receiver.respond = (response) => response.socket!.write(text);
    return receiver;
  };

  for (const [name, rest] of Object.entries({
    'with its length': 'Content-Length: 2\r\n\r\nok',
    'in chunks': 'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    'without a length': '\r\nok',
  })) {
    it(`acknowledges as 204 also where a text comes with it ${name}`, async () => {
      const { origin } = await written(`HTTP/1.1 204 No Content\r\n${rest}`);
      const sender = senderWith();
      for (let n = 0; n < 3; n += 1) {
        expect(await post(sender, origin)).to.include({ ok: true, errorClass: null, status: 204 });
      }
    });
  }

  it('fails with the status of a 304 that tells the length of what it leaves out', async () => {
    const { origin } = await written('HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n');
    const sender = senderWith();
    for (let n = 0; n < 2; n += 1)
      expect(await post(sender, origin)).to.include({ ok: false, errorClass: 'status', status: 304 });
  });

  it('fails as body when its lengths contradict each other', async () => {
    const { origin } = await written('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nokk');
    expect(await post(senderWith(), origin)).to.include({ ok: false, errorClass: 'body', status: null });
  });

  it('fails as body when its head is far too large', async () => {
    const outcome = await answer(
      '',
      Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`x-${n}`, 'z'.repeat(1000)])),
    );
    expect(outcome).to.include({ ok: false, errorClass: 'body', status: null });
  });

  it('fails as connect when the connection closes instead', async () => {
    const receiver = await receiverFor();
    receiver.respond = (response) => response.destroy();
    expect(await post(senderWith(), receiver.origin)).to.include({
      ok: false,
      errorClass: 'connect',
      status: null,
    });
  });
});
