import { expect } from 'chai';
import { createOrganization } from '../../shared/organizations/service.ts';
import { createInstallation, type Installation } from '../support/processes.ts';

const EMAIL = 'owner@example.com';
const PASSWORD = 'a stone that shows gold';

describe('revoking a key', function () {
  this.timeout(60_000);
  let installation: Installation;
  let urls: string[];

  before(async () => {
    installation = await createInstallation();
    const { core } = installation;
    await createOrganization(core, core.db, { name: 'Company', email: EMAIL, password: PASSWORD });
    urls = (await Promise.all([installation.startWeb(), installation.startWeb()])).map(({ url }) => url);
  });
  after(() => installation?.remove());

  it('ends both its secrets with the next request in every process, under load', async () => {
    const [here] = urls as [string, string];
    const call = async (path: string, token: string | null, body?: object) => {
      const response = await fetch(`${here}/api/v1${path}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect(response.ok, `${path}: ${response.status}`).to.equal(true);
      return (await response.json()) as Record<string, string>;
    };
    const { accessToken } = await call('/auth/sign-in', null, { email: EMAIL, password: PASSWORD });
    const key = await call('/api-keys', accessToken!, { name: 'ERP', scopes: ['products.read'] });
    const rotated = await call(`/api-keys/${key.id}/rotate`, accessToken!, { graceSeconds: 3600 });

    let isRevoked = false;
    const seen = { before: new Map<string, number>(), after: new Map<string, number>() };
    // Four clients for each process and secret; each counts an answer by whether it asked after the revocation was confirmed.
    const stop = new AbortController();
    const client = async (url: string, name: string, secret: string) => {
      while (!stop.signal.aborted) {
        const phase = isRevoked ? seen.after : seen.before;
        const { status } = await fetch(`${url}/api/v1/products`, { headers: { 'X-Api-Key': secret } });
        const label = `${url} ${name} ${status}`;
        phase.set(label, (phase.get(label) ?? 0) + 1);
      }
    };
    const secrets = { old: key.secret!, new: rotated.secret! };
    const pairs = urls.flatMap((url) =>
      Object.entries(secrets).map(([name, secret]) => ({ url, name, secret })),
    );
    const load = pairs.flatMap(({ url, name, secret }) =>
      Array.from({ length: 4 }, () => client(url, name, secret)),
    );
    const until = async (phase: Map<string, number>, status: number) => {
      const labels = pairs.map(({ url, name }) => `${url} ${name} ${status}`);
      while (!labels.every((label) => (phase.get(label) ?? 0) >= 5)) await new Promise(setImmediate);
    };
    await until(seen.before, 200);
    await call(`/api-keys/${key.id}/revoke`, accessToken!);
    isRevoked = true;
    await until(seen.after, 401);
    stop.abort();
    await Promise.all(load);
    expect([...seen.after.keys()].filter((label) => !label.endsWith(' 401'))).to.deep.equal([]);
  });
});
