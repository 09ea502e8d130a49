import { expect } from 'chai';
import { createPeopleApi, type PeopleApi, type Person } from '../../support/people-api.ts';
import { expectProblem } from '../../support/problem.ts';

const PATH = '/organization/internal-networks';

describe('the networks of an organization', () => {
  let api: PeopleApi;
  let owner: Person;

  before(async () => {
    api = await createPeopleApi();
  });
  beforeEach(async () => {
    owner = await api.person('owner');
  });
  after(() => api.close());

  const set = (networks: unknown[]) => owner.put(PATH, { networks });

  it('are none at first, are named all at once, and taken back', async () => {
    const none = { networks: [], callerAddress: '127.0.0.1', isCallerInside: false };
    expect((await owner.get(PATH).expect(200)).body).to.deep.equal(none);
    const named = (
      await set([' 203.0.113.7 ', '198.51.100.0/24', '2001:db8:4::/48', '::ffff:127.0.0.0/104']).expect(200)
    ).body;
    expect(named).to.deep.equal({
      networks: ['203.0.113.7/32', '198.51.100.0/24', '2001:db8:4::/48', '127.0.0.0/8'],
      callerAddress: '127.0.0.1',
      isCallerInside: true,
    });
    expect((await owner.get(PATH).expect(200)).body).to.deep.equal(named);
    await set(['192.0.2.0/24']).expect(200);
    expect((await owner.get(PATH)).body.networks).to.deep.equal(['192.0.2.0/24']);
    expect((await set([]).expect(200)).body).to.deep.equal(none);
    expect((await owner.get(PATH)).body).to.deep.equal(none);
  });

  it('are refused where they are none, too wide, twice the same or too many, and nothing changes', async () => {
    await set(['192.0.2.0/24']).expect(200);
    const refused = async (networks: unknown[]) => {
      const response = await set(networks);
      const { errors = [] } = expectProblem(response, 'VALIDATION_FAILED');
      return errors.map(({ path, code, params }) => [path, code, params]);
    };
    for (const bad of [
      'here',
      '203.0.113.0/33',
      '010.0.0.1',
      '203.0.113',
      '',
      'example.com',
      '2001:db8::/129',
    ])
      expect(await refused(['198.51.100.1', bad]), bad).to.deep.equal([
        ['networks.1', 'NOT_A_NETWORK', undefined],
      ]);
    expect(await refused(['0.0.0.0/0', '128.0.0.0/7', '2000::/19', '::ffff:0:0/96'])).to.deep.equal([
      ['networks.0', 'NETWORK_TOO_WIDE', { widest: 8 }],
      ['networks.1', 'NETWORK_TOO_WIDE', { widest: 8 }],
      ['networks.2', 'NETWORK_TOO_WIDE', { widest: 20 }],
      ['networks.3', 'NETWORK_TOO_WIDE', { widest: 8 }],
    ]);
    expect(await refused(['198.51.100.1', '198.51.100.1/32'])).to.deep.equal([
      ['networks', 'REPEATED', undefined],
    ]);
    const many = (count: number) => Array.from({ length: count }, (_, index) => `198.51.100.${index}`);
    expect(await refused(many(51))).to.deep.equal([['networks', 'TOO_MANY', { maximum: 50 }]]);
    expect((await owner.get(PATH)).body.networks).to.deep.equal(['192.0.2.0/24']);
    await set(many(50)).expect(200);
    await set(['10.0.0.0/8', '2001::/20']).expect(200);
  });

  it('are each kept in one notation, so that another does not name it twice', async () => {
    const given = ['203.0.113.7/24', '2001:DB8:4:0:0::7/48', '2001:db8:5::7%eth0', '192.0.2.7/08'];
    expect((await set(given).expect(200)).body.networks).to.deep.equal([
      '203.0.113.0/24',
      '2001:db8:4::/48',
      '2001:db8:5::7/128',
      '192.0.0.0/8',
    ]);
    for (const twice of [
      ['203.0.113.0/24', '203.0.113.7/24'],
      ['2001:db8:4::/48', '2001:DB8:4::1/48'],
    ]) {
      const { errors = [] } = expectProblem(await set(twice), 'VALIDATION_FAILED');
      expect(errors.map(({ path, code }) => [path, code])).to.deep.equal([['networks', 'REPEATED']]);
    }
  });

  it('are changed on condition that they are still as they were read', async () => {
    await set(['192.0.2.0/24']).expect(200);
    const expected = { networks: ['192.0.2.0/24'] };
    const change = { networks: ['192.0.2.0/24', '198.51.100.7'], expected };
    await owner.put(PATH, change).expect(200);
    const late = await owner.put(PATH, { networks: ['203.0.113.0/24'], expected });
    const { errors = [] } = expectProblem(late, 'CONFLICT');
    expect(errors.map(({ path, code }) => [path, code])).to.deep.equal([['networks', 'CHANGED_MEANWHILE']]);
    // Its answer may have been lost.
    await owner.put(PATH, change).expect(200);
    expect((await owner.get(PATH)).body.networks).to.deep.equal(['192.0.2.0/24', '198.51.100.7/32']);
    const { body } = await owner.get('/audit-log?action=setInternalNetworks').expect(200);
    expect(body.data[0]).to.not.have.nested.property('after.expected');
  });

  it('are changed by who manages the organization, and only its own', async () => {
    await set(['192.0.2.0/24']).expect(200);
    const other = await api.person('owner');
    await other.put(PATH, { networks: ['198.51.100.0/24'] }).expect(200);
    expect((await owner.get(PATH)).body.networks).to.deep.equal(['192.0.2.0/24']);
    expect((await other.get(PATH)).body.networks).to.deep.equal(['198.51.100.0/24']);
  });

  it('are written down with who changed them, and the security contact is told', async () => {
    await owner.patch('/organization', { securityContact: 'security@brand.example' }).expect(200);
    await set(['192.0.2.0/24']).expect(200);
    await set(['198.51.100.0/24']).expect(200);
    const { body } = await owner.get('/audit-log?action=setInternalNetworks').expect(200);
    expect(body.data.map(({ before, after }: any) => ({ before, after }))).to.deep.equal([
      { before: { networks: ['192.0.2.0/24'] }, after: { networks: ['198.51.100.0/24'] } },
      { before: { networks: [] }, after: { networks: ['192.0.2.0/24'] } },
    ]);
    const { rows } = await api.database.pool.query(
      `select count(*)::int as notices from security_notices n join audit_log a on a.id = n.audit_id
        where a.action = 'setInternalNetworks' and a.org_id = $1`,
      [owner.orgUuid],
    );
    expect(rows).to.deep.equal([{ notices: 2 }]);
  });
});
