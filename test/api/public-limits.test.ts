import { OPERATIONS } from '../../api/operations.ts';
import { createTestApi, type TestApi } from '../support/api.ts';
import { expectProblem } from '../support/problem.ts';

describe('what anybody may send without an account', () => {
  let api: TestApi;

  before(async () => {
    api = await createTestApi({
      env: { RATE_LIMIT_PUBLIC_PER_MINUTE: '2', RATE_LIMIT_VERIFY_PER_MINUTE: '2' },
    });
  });
  after(() => api.close());

  const REQUESTS: [string, 'get' | 'post', string][] = [
    ['a distributor’s page', 'get', '/c/nonsense'],
    ['a distributor’s confirmation', 'post', '/c/nonsense/receive'],
    ['a report about a code', 'post', '/v/nonsense/reports'],
    ['a report without a code', 'post', '/counterfeit-reports'],
    ...OPERATIONS.filter(({ access, path }) => access.kind === 'public' && path.startsWith('/api/')).map(
      ({ method, path }): [string, 'get' | 'post', string] => [path, method as 'get' | 'post', path],
    ),
  ];
  for (const [index, [name, method, path]] of REQUESTS.entries()) {
    it(`is limited for each address: ${name}`, async () => {
      const send = (from: string) => api.http()[method](path).set('X-Forwarded-For', from).accept('json');
      const address = `198.51.100.${index}`;
      for (let count = 0; count < 2; count += 1) await send(address);
      expectProblem(await send(address), 'RATE_LIMITED');
      const { status } = await send(`203.0.113.${index}`);
      if (status === 429) throw new Error('another address was limited as well');
    });
  }
});
