import { expect } from 'chai';
import { wantsDemoData } from '../../launcher/demo-data.ts';

describe('demo data', () => {
  it('go into a database that the launcher made, never into production or somebody’s own unless asked for', () => {
    const own = { DATABASE_URL: 'postgres://db.example/own' };
    expect(wantsDemoData({})).to.equal(true);
    expect(wantsDemoData({ DEMO_DATA: 'false' })).to.equal(false);
    expect(wantsDemoData({ NODE_ENV: 'production' })).to.equal(false);
    expect(wantsDemoData(own)).to.equal(false);
    expect(wantsDemoData({ ...own, NODE_ENV: 'production', DEMO_DATA: 'true' })).to.equal(true);
  });
});
