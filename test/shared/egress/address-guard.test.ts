import { expect } from 'chai';
import {
  allowedAddresses,
  isAddressAllowed,
  parseAllowedCidrs,
  vetUrl,
  vetUrlShape,
} from '../../../shared/egress/address-guard.ts';
import { createResolver } from '../../../shared/egress/resolve-host.ts';

const resolveTo =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses);
const publicly = { allowedCidrs: [], resolve: resolveTo('93.184.216.34', '2606:2800:220:1::1') };

describe('the webhook address guard', () => {
  for (const url of [
    'https://hooks.example.com/in',
    'https://hooks.example.com',
    'HTTPS://Hooks.Example.Com/in?key=a@b',
    'https://hooks.example.com:8443/in',
    'https://hooks.example.com:443/in',
    'https://93.184.216.34/in',
    'https://[2606:2800:220:1::1]/in',
    'https://bücher.example/in',
  ]) {
    it(`accepts ${url}`, async () => {
      expect((await vetUrl(url, publicly)).ok).to.equal(true);
    });
  }

  const privateLiterals = {
    'the number of 127.0.0.1': 'https://2130706433/',
    octal: 'https://017700000001/',
    'hexadecimal and short': 'https://0x7f.1/',
    short: 'https://127.1/',
    zero: 'https://0/',
    'zero, with a port': 'https://0:8443/',
    'full-width digits': 'https://１２７.０.０.１/',
    'circled digits': 'https://①②⑦.0.0.1/',
    'ideographic dots': 'https://127。0。0。1/',
    'percent-encoded': 'https://%31%32%37.0.0.1/',
    'mapped into IPv6': 'https://[::ffff:7f00:1]/',
    'mapped, dotted': 'https://[::ffff:127.0.0.1]/',
    'IPv4-compatible IPv6': 'https://[::7f00:1]/',
    'translated to IPv6 (SIIT)': 'https://[::ffff:0:7f00:1]/',
    NAT64: 'https://[64:ff9b::a9fe:a9fe]/',
    'local NAT64': 'https://[64:ff9b:1::a9fe:a9fe]/',
    '6to4': 'https://[2002:7f00:1::]/',
    Teredo: 'https://[2001:0:7f00:1::]/',
    'IPv6 loopback': 'https://[::1]/',
    'IPv6 unspecified': 'https://[::]/',
    'unique local': 'https://[fd12:3456::1]/',
    'link-local IPv6': 'https://[fe80::1]/',
    'site-local IPv6': 'https://[fec0::1]/',
    'multicast IPv6': 'https://[ff02::1]/',
    'documentation IPv6': 'https://[2001:db8::1]/',
    'metadata of AWS': 'https://169.254.169.254/latest/meta-data/',
    'metadata of AWS over IPv6': 'https://[fd00:ec2::254]/',
    'metadata of Alibaba': 'https://100.100.100.200/',
    'platform address of Azure': 'https://168.63.129.16/',
    'private 10/8': 'https://10.0.0.1/',
    'private 172.16/12': 'https://172.31.255.255/',
    'private 192.168/16': 'https://192.168.1.1/',
    'carrier-grade NAT': 'https://100.64.0.1/',
    'benchmarking 198.18/15': 'https://198.18.0.1/',
    broadcast: 'https://255.255.255.255/',
    multicast: 'https://224.0.0.1/',
    'reserved 240/4': 'https://240.0.0.1/',
  };
  for (const [name, url] of Object.entries(privateLiterals)) {
    it(`refuses an address that is not public: ${name}`, async () => {
      const verdict = await vetUrl(url, publicly);
      expect(verdict).to.have.property('ok', false);
      expect(verdict)
        .to.have.nested.property('refused.message')
        .that.matches(/private or reserved|not valid/);
    });
  }

  const shapes: [string, string, RegExp][] = [
    ['plain HTTP', 'http://hooks.example.com/', /https/],
    ['another scheme', 'ftp://hooks.example.com/', /https/],
    ['a script', 'javascript:alert(1)', /https/],
    ['a file', 'file:///etc/passwd', /https/],
    ['no host', 'https:///in', /name a host/],
    ['a relative address', '//hooks.example.com/', /https/],
    ['a scheme without slashes', 'https:hooks.example.com', /https/],
    ['a user name', 'https://user@hooks.example.com/', /user name/],
    ['a user name and password', 'https://user:pass@hooks.example.com/', /user name/],
    ['an empty user name', 'https://@hooks.example.com/', /user name/],
    ['a backslash before an @', 'https://hooks.example.com\\@127.0.0.1/', /backslash/],
    ['a backslash as a slash', 'https:\\\\127.0.0.1/', /backslash/],
    ['a # before an @', 'https://hooks.example.com#@127.0.0.1/', /fragment/],
    ['a fragment', 'https://hooks.example.com/in#x', /fragment/],
    ['an empty fragment', 'https://hooks.example.com/in#', /fragment/],
    ['white space', ' https://hooks.example.com/', /spaces/],
    ['a line break inside', 'https://hooks.exa\nmple.com/', /spaces/],
    ['a NUL', 'https://hooks.example.com/\0', /spaces/],
    ['a trailing dot', 'https://localhost./', /dot/],
    ['SSH’s port', 'https://hooks.example.com:22/', /Port 22/],
    ['SMTP’s port', 'https://hooks.example.com:25/', /Port 25/],
    ['HTTP’s port', 'https://hooks.example.com:80/', /Port 80/],
    ['port 0', 'https://hooks.example.com:0/', /Port 0/],
    ['Redis’ port', 'https://hooks.example.com:6379/', /Port 6379/],
    ['Postgres’ port', 'https://hooks.example.com:5432/', /Port 5432/],
    ['a port beyond the last', 'https://hooks.example.com:65536/', /not valid/],
    ['a host that is none', 'https://exa mple.com/', /spaces/],
    ['an address of five parts', 'https://1.2.3.4.5/', /not valid/],
    ['far too many characters', `https://hooks.example.com/${'a'.repeat(2000)}`, /2000/],
  ];
  for (const [name, url, message] of shapes) {
    it(`refuses ${name}, and says why`, async () => {
      expect(await vetUrl(url, publicly))
        .to.have.nested.property('refused.message')
        .that.matches(message);
    });
  }

  for (const [name, addresses] of Object.entries({
    'a private address': ['10.1.2.3'],
    'loopback by a name of its own': ['127.0.0.1'],
    'one public and one private address': ['93.184.216.34', '192.168.0.1'],
    'a metadata address': ['169.254.169.254'],
    'loopback mapped into IPv6': ['::ffff:127.0.0.1'],
  })) {
    it(`refuses a name with ${name}, without saying which`, async () => {
      const verdict = await vetUrl('https://rebind.example/', {
        ...publicly,
        resolve: resolveTo(...addresses),
      });
      expect(verdict)
        .to.have.nested.property('refused.message')
        .that.matches(/private or reserved/);
      for (const address of addresses)
        expect(verdict).to.have.nested.property('refused.message').that.does.not.include(address);
    });
  }

  it('refuses localhost and everything under it, without asking DNS', async () => {
    const resolve = createResolver();
    for (const host of ['localhost', 'LOCALHOST', 'db.localhost']) {
      expect((await vetUrl(`https://${host}/`, { allowedCidrs: [], resolve })).ok, host).to.equal(false);
    }
  });

  it('accepts a name that does not resolve yet: every connection is vetted again', async () => {
    const verdict = await vetUrl('https://later.example/', {
      allowedCidrs: [],
      resolve: () => Promise.reject(new Error('ENOTFOUND')),
    });
    expect(verdict.ok).to.equal(true);
  });

  it('does not keep a save waiting for a name server that is silent', async () => {
    const resolve = () => new Promise<string[]>(() => {});
    const verdict = await vetUrl('https://silent.example/', {
      allowedCidrs: [],
      resolve,
      lookupTimeoutMs: 10,
    });
    expect(verdict.ok).to.equal(true);
  });

  it('opens exactly the networks that the operator names', async () => {
    const options = { allowedCidrs: ['127.0.0.0/8', 'fd00::/8'], resolve: createResolver() };
    for (const url of [
      'https://127.0.0.1:8443/',
      'https://[fd00::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://localhost:9443/',
    ]) {
      expect((await vetUrl(url, options)).ok, url).to.equal(true);
    }
    for (const url of [
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://[fe80::1]/',
      'https://127.0.0.1:22/',
    ]) {
      expect((await vetUrl(url, options)).ok, url).to.equal(false);
    }
  });

  it('takes all of a name’s addresses or none, but the allowed ones of localhost', () => {
    const allowed = parseAllowedCidrs(['127.0.0.0/8']);
    expect(allowedAddresses('mixed.example', ['93.184.216.34', '10.0.0.1'], allowed)).to.deep.equal([]);
    expect(allowedAddresses('localhost', ['127.0.0.1', '::1'], allowed)).to.deep.equal(['127.0.0.1']);
  });

  it('takes nothing that is not an address for one', () => {
    for (const text of ['', 'localhost', '127.0.0.1\n', '1.2.3.4/8']) {
      expect(isAddressAllowed(text, parseAllowedCidrs(['0.0.0.0/0'])), JSON.stringify(text)).to.equal(false);
    }
  });

  it('names the network that it cannot read', () => {
    expect(() => parseAllowedCidrs(['10.0.0.0/8', '10.0.0.0'])).to.throw(RangeError, '10.0.0.0');
  });

  it('looks at shape and literal without any look-up', () => {
    expect(vetUrlShape('https://rebind.example/in?x=1', [])).to.have.nested.property(
      'url.hostname',
      'rebind.example',
    );
  });
});
