import { expect } from 'chai';
import { createLookUpTxt } from '../../../shared/domains/dns.ts';
import { startNameServer, type NameServer } from '../../support/name-server.ts';

describe('looking for TXT records', () => {
  let server: NameServer;
  before(async () => {
    server = await startNameServer();
  });
  after(() => server.close());

  it('finds all of a name, each put together from its pieces', async () => {
    const long = 'x'.repeat(300);
    server.zone.set('_touchstone-challenge.example.com', ['v=spf1 -all', long]);
    const lookUp = createLookUpTxt([server.address]);
    expect(await lookUp('_touchstone-challenge.example.com')).to.deep.equal({
      records: ['v=spf1 -all', long],
    });
  });

  it('tells a name without records, or none such, from a server that cannot say', async () => {
    server.zone.set('empty.example.com', []);
    server.zone.set('broken.example.com', 'SERVFAIL');
    const lookUp = createLookUpTxt([server.address]);
    expect(await lookUp('nowhere.example.com')).to.deep.equal({ problem: 'NO_RECORD' });
    expect(await lookUp('empty.example.com')).to.deep.equal({ problem: 'NO_RECORD' });
    expect(await lookUp('broken.example.com')).to.deep.equal({ problem: 'DNS_FAILED' });
  });

  it('does not wait for ever for a server that is not there', async () => {
    const gone = await startNameServer();
    await gone.close();
    expect(await createLookUpTxt([gone.address])('example.com')).to.deep.equal({ problem: 'DNS_FAILED' });
  });
});
