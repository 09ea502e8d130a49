import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createTestApi, type TestApi } from '../../support/api.ts';
import { expectProblem } from '../../support/problem.ts';

const PATHS = ['/c/x/receive', '/v/x/hidden-code', '/v/x/reports', '/counterfeit-reports'];

describe('a body that may be JSON or a form', () => {
  let api: TestApi;

  before(async () => {
    api = await createTestApi();
  });
  after(() => api.close());

  /** Without a `Content-Length`, which other clients send with the 0 of no body. @returns the answer as it came */
  async function postNothing(path: string, ...headers: string[]): Promise<string> {
    const socket = connect((api.server.address() as AddressInfo).port, '127.0.0.1');
    const lines = [`POST ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''];
    socket.write(lines.join('\r\n'));
    let answer = '';
    socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
    await once(socket, 'close');
    return answer;
  }

  it('is asked for where there is none, whatever type it is said to have', async () => {
    for (const path of PATHS)
      for (const type of [
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        'application/json',
        '',
      ]) {
        const answer = await postNothing(path, ...(type === '' ? [] : [`Content-Type: ${type}`]));
        expect(answer, `${path} ${type}`).to.match(/^HTTP\/1\.1 422 /);
        expect(answer).to.include('"code":"REQUIRED"');
      }
  });

  it('of a counterfeit report is refused with the types that it may have', async () => {
    const sent = api.http().post('/counterfeit-reports').type('text/plain').send('a fake');
    const { detail } = expectProblem(await sent, 'UNSUPPORTED_MEDIA_TYPE');
    expect(detail).to.equal(
      'send one of application/json, application/x-www-form-urlencoded, multipart/form-data',
    );
  });

  it('of a hidden code or a receipt is refused with the types that it may have', async () => {
    for (const path of ['/v/SC54T471XW7X69JR5ZAQ9NMA/hidden-code', '/c/none/receive']) {
      const sent = api.http().post(path).type('text/plain').send('7K3M-Q9TX');
      const { detail } = expectProblem(await sent, 'UNSUPPORTED_MEDIA_TYPE');
      expect(detail, path).to.equal('send one of application/json, application/x-www-form-urlencoded');
    }
  });
});
