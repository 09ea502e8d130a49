import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { vetJson } from '../../../api/middleware/json-body.ts';
import type { AppError } from '../../../shared/errors.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';

describe('what JSON may hold', () => {
  const refusalOf = (text: string) => {
    try {
      vetJson(JSON.parse(text));
      return null;
    } catch (error) {
      const { path, code } = (error as AppError).options.errors![0]!;
      return { path, code };
    }
  };
  const nested = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

  it('is text that Postgres can store, in keys as in values', () => {
    expect(refusalOf('{"a":{"b":"x\\u0000"}}')).to.deep.equal({ path: 'a.b', code: 'NUL_CHARACTER' });
    expect(refusalOf('{"a":{"x\\u0000":1}}')).to.deep.equal({ path: 'a', code: 'NUL_CHARACTER' });
    expect(refusalOf('{"a":["\\ud800"]}')).to.deep.equal({ path: 'a.0', code: 'LONE_SURROGATE' });
    expect(refusalOf('{"a":{"\\udc00":1}}')).to.deep.equal({ path: 'a', code: 'LONE_SURROGATE' });
    expect(refusalOf('{"a":{"\\ud83e\\uded2":"\\ud83e\\uded2"}}')).to.equal(null);
  });

  it('is no prototype, however deep', () => {
    expect(refusalOf('{"a":[{"__proto__":{}}]}')).to.deep.equal({ path: 'a.0', code: 'FORBIDDEN_KEY' });
  });

  it('is 32 levels deep at the most', () => {
    expect(refusalOf(nested(32))).to.equal(null);
    expect(refusalOf(nested(33))).to.deep.equal({ path: 'a.a.a', code: 'TOO_DEEP' });
    expect(refusalOf(nested(20_000))).to.deep.equal({ path: 'a.a.a', code: 'TOO_DEEP' });
  });
});

describe('a JSON body', () => {
  let api: TestApi;
  let org: TestOrganization;
  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  /** @returns status and body of the answer to what is sent in pieces, as a client does that does not know the length. */
  const stream = async (type: string, ...pieces: Buffer[]) => {
    const sending = request({
      port: (api.server.address() as AddressInfo).port,
      method: 'POST',
      path: '/api/v1/products',
      headers: { 'X-Api-Key': org.key, 'Content-Type': type },
    });
    for (const piece of pieces) sending.write(piece);
    sending.end();
    const [answer] = (await once(sending, 'response')) as [IncomingMessage];
    const body = JSON.parse(Buffer.concat(await answer.toArray()).toString()) as Record<string, unknown>;
    return { status: answer.statusCode, body };
  };

  it('may come in pieces, without a length', async () => {
    const json = Buffer.from('{"name":"Azeitão","sku":"in-pieces"}');
    // The first one ends within a character.
    const { status, body } = await stream('application/json', json.subarray(0, 15), json.subarray(15));
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body).to.include({ name: 'Azeitão', sku: 'in-pieces' });
    const other = await stream('text/plain', json);
    expect(other.body).to.include({ code: 'UNSUPPORTED_MEDIA_TYPE', detail: 'send application/json' });
  });

  it('may be in UTF-16 where it says so', async () => {
    const json = Buffer.from('{"name":"Azeitão","sku":"utf-16"}', 'utf16le');
    const { status, body } = await stream('application/json; charset=utf-16le', json);
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body).to.include({ name: 'Azeitão' });
  });
});
