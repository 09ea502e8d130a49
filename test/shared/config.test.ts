import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ConfigError, loadConfig, SETTINGS } from '../../shared/config.ts';
import { TEST_ENVIRONMENT } from '../support/api.ts';
import { createTestCa } from '../support/tls.ts';

const REQUIRED = [
  'DATABASE_URL',
  'REDIS_URL',
  'TOKEN_KEYS',
  'SECRET_BOX_KEYS',
  'JWT_KEYS',
  'API_KEY_PEPPER',
  'OPERATOR_PASSWORD',
];

const minimal = Object.fromEntries(REQUIRED.map((name) => [name, TEST_ENVIRONMENT[name]]));

const problemsOf = (env: Record<string, string | undefined>): string[] => {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as ConfigError).problems;
  }
};

describe('the configuration', () => {
  it('needs no more than addresses and secrets', () => {
    const config = loadConfig(minimal);
    expect(config).to.include({
      NODE_ENV: 'development',
      PORT: 3000,
      HOST: '127.0.0.1',
      PUBLIC_URL: 'http://localhost:3000',
      TRUST_PROXY: 0,
      OPERATOR_USER: 'operator',
      OPS_PUBLIC: true,
      METRICS_PORT: 0,
      LOG_LEVEL: 'info',
      QUEUE_PREFIX: 'touchstone',
      WEBHOOK_CA_FILE: null,
      RATE_LIMIT_VERIFY_PER_MINUTE: 120,
    });
    expect(config.WEBHOOK_ALLOWED_CIDRS).to.deep.equal([]);
  });

  it('takes the public address in capitals for the one that browsers make of it', () => {
    for (const [PUBLIC_URL, expected] of [
      ['HTTPS://VERIFY.EXAMPLE.COM/', 'https://verify.example.com'],
      ['https://verify.example.com:443', 'https://verify.example.com'],
      ['https://verify.example.com:8443/Codes//', 'https://verify.example.com:8443/Codes'],
    ])
      expect(loadConfig({ ...minimal, PUBLIC_URL }).PUBLIC_URL).to.equal(expected);
  });

  it('takes no public address behind which a code could not be printed', () => {
    for (const PUBLIC_URL of [
      'https://verify.example.com/?brand=1',
      'https://verify.example.com?',
      'https://verify.example.com/#',
      'https://user@verify.example.com',
      'https://:secret@verify.example.com/codes',
    ])
      expect(problemsOf({ ...minimal, PUBLIC_URL }), PUBLIC_URL).to.deep.equal([
        'PUBLIC_URL: must have no query, fragment or user name: codes are printed behind it',
      ]);
    expect(problemsOf({ ...minimal, PUBLIC_URL: 'nowhere' })).to.have.length(1);
  });

  it('keeps the capitals of a host for what is printed, where all of it is in capitals', () => {
    for (const [PUBLIC_URL, expected] of [
      ['HTTPS://VERIFY.EXAMPLE.COM/Codes/', 'HTTPS://VERIFY.EXAMPLE.COM/Codes'],
      ['HTTPS://VERIFY.EXAMPLE.COM:8443', 'HTTPS://VERIFY.EXAMPLE.COM:8443'],
      ['HTTPS://VERIFY.EXAMPLE.COM:443', 'HTTPS://VERIFY.EXAMPLE.COM'],
      ['https://Verify.example.com', 'https://verify.example.com'],
      [undefined, 'http://localhost:3000'],
    ])
      expect(loadConfig({ ...minimal, PUBLIC_URL }).PRINTED_URL).to.equal(expected);
  });

  it('takes a database by its socket, with and without a host', () => {
    for (const DATABASE_URL of [
      'postgres://app:secret@/touchstone?host=/run/postgresql',
      'postgresql:///touchstone?host=/run/postgresql&user=app',
      'postgres://app:secret@localhost/touchstone?host=/cloudsql/project:region:instance',
    ])
      expect(loadConfig({ ...minimal, DATABASE_URL }).DATABASE_URL).to.equal(DATABASE_URL);
    for (const DATABASE_URL of ['postgres:', '/run/postgresql', 'postgres://app@host:port/touchstone'])
      expect(problemsOf({ ...minimal, DATABASE_URL })).to.deep.equal([
        'DATABASE_URL: is not an address of Postgres, postgres://…',
      ]);
  });

  it('says of another address than Redis’ what it has to be', () => {
    for (const REDIS_URL of ['http://x', 'localhost:6379', '/run/redis.sock'])
      expect(problemsOf({ ...minimal, REDIS_URL })).to.deep.equal([
        'REDIS_URL: is not an address of Redis, redis://… or rediss://…',
      ]);
    expect(problemsOf({ ...minimal, REDIS_URL: undefined })).to.deep.equal(['REDIS_URL is required']);
  });

  it('has no default for a secret, in any kind of installation', () => {
    for (const NODE_ENV of ['development', 'test', 'production']) {
      const env = { NODE_ENV, PUBLIC_URL: 'https://verify.example.com' };
      expect(problemsOf(env)).to.deep.equal(REQUIRED.map((name) => `${name} is required`));
    }
  });

  it('tells every problem at once, and no value of a secret', () => {
    const bad: Record<string, string> = {
      NODE_ENV: 'staging',
      DATABASE_URL: 'mysql://x',
      REDIS_URL: 'http://x',
      PORT: '70000',
      PUBLIC_URL: 'ftp://x',
      TRUST_PROXY: 'everyone',
      LOG_LEVEL: 'loud',
      QUEUE_PREFIX: 'a b',
      TOKEN_KEYS: 'k1:c2hvcnQgc2VjcmV0',
      SECRET_BOX_KEYS: 'whatsecret',
      API_KEY_PEPPER: 'shortsecret',
      OPERATOR_PASSWORD: 'tinysecret',
      OPS_PUBLIC: 'yes',
      MAIL_FROM: 'nobody',
      WEBHOOK_ALLOWED_CIDRS: '10.0.0.0/8,banana',
      WEBHOOK_CA_FILE: '/does/not/exist.pem',
      DNS_SERVERS: '9.9.9.9,ns.example.com',
      SIGN_UP: 'maybe',
      LEASE_SECONDS: '0',
      MINT_CHUNK_UNITS: '1.5',
    };
    const problems = problemsOf(bad);
    for (const name of [...Object.keys(bad), 'JWT_KEYS']) {
      expect(
        problems.filter((problem) => problem.startsWith(name)),
        name,
      ).to.have.length(1);
    }
    const message = new ConfigError(problems).message;
    expect(message.split('\n')).to.have.length(problems.length + 1);
    for (const secret of ['c2hvcnQgc2VjcmV0', 'whatsecret', 'shortsecret', 'tinysecret']) {
      expect(message).not.to.include(secret);
    }
  });

  it('takes addresses of name servers, with a port or without', () => {
    const list = '9.9.9.9, 127.0.0.1:5353,2001:db8::53,[2001:db8::53]:5353';
    expect(loadConfig({ ...minimal, DNS_SERVERS: list }).DNS_SERVERS).to.have.length(4);
    for (const wrong of [
      '127',
      '1.2.3.4:0',
      '1.2.3.4:65536',
      '1.2.3.4:',
      '[::1',
      '[1.2.3.4]:53',
      'localhost',
    ])
      expect(problemsOf({ ...minimal, DNS_SERVERS: wrong }), wrong).to.have.length(1);
  });

  it('takes no address for mail behind which there is no server', () => {
    for (const right of [
      'smtp://mail.example.com',
      'smtps://u:p@[::1]:465',
      'smtp://localhost:2525/?pool=true',
    ])
      expect(loadConfig({ ...minimal, SMTP_URL: right }).SMTP_URL).to.equal(right);
    for (const wrong of ['smtp://', 'smtp:mail.example.com', 'smtps:/x', 'smtp://host:0'])
      expect(problemsOf({ ...minimal, SMTP_URL: wrong }), wrong).to.have.length(1);
  });

  it('takes an empty value for an unset one', () => {
    const empty = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '']));
    expect(loadConfig({ ...empty, ...minimal })).to.deep.equal(loadConfig(minimal));
  });

  it('takes a value of spaces for an unset one as well', () => {
    const blank = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '  ']));
    expect(loadConfig({ ...blank, ...minimal })).to.deep.equal(loadConfig(minimal));
    expect(problemsOf(blank)).to.deep.equal(REQUIRED.map((name) => `${name} is required`));
    expect(problemsOf({ ...minimal, NODE_ENV: 'production', PUBLIC_URL: ' ' })).to.deep.equal([
      'PUBLIC_URL is required in production: it is printed into codes',
    ]);
  });

  it('takes no name for operations with which nobody could sign in', () => {
    expect(problemsOf({ ...minimal, OPERATOR_USER: 'ops:night' })).to.deep.equal([
      'OPERATOR_USER: must have no colon: nobody could sign in',
    ]);
  });

  it('takes no database of Redis without a number', () => {
    for (const end of ['', '/', '/15', '/15?family=6'])
      expect(problemsOf({ ...minimal, REDIS_URL: `redis://:secret@redis.example:6379${end}` })).to.deep.equal(
        [],
      );
    for (const end of ['/touchstone', '/-1', '/1/2'])
      expect(problemsOf({ ...minimal, REDIS_URL: `redis://redis.example:6379${end}` }), end).to.deep.equal([
        'REDIS_URL: has no number of a database behind its host, as in redis://host:6379/1',
      ]);
  });

  it('takes no password of Redis that its client could not decode', () => {
    for (const right of [':50%25off', 'app:a%2Fb', ':%E2%82%AC'])
      expect(problemsOf({ ...minimal, REDIS_URL: `redis://${right}@redis.example` }), right).to.deep.equal(
        [],
      );
    for (const wrong of [':50%off', 'a%pp:secret', ':%E2%82'])
      expect(problemsOf({ ...minimal, REDIS_URL: `redis://${wrong}@redis.example` }), wrong).to.deep.equal([
        'REDIS_URL: has a % in its user name or password that encodes nothing: %25 is the sign itself',
      ]);
  });

  it('takes a further authority for webhooks only from a file that has one', () => {
    const { caFile } = createTestCa();
    expect(loadConfig({ ...minimal, WEBHOOK_CA_FILE: caFile }).WEBHOOK_CA_FILE).to.equal(caFile);
    const folder = path.dirname(caFile);
    expect(problemsOf({ ...minimal, WEBHOOK_CA_FILE: folder })).to.deep.equal([
      `WEBHOOK_CA_FILE: cannot read ${folder}`,
    ]);
    const other = fileURLToPath(import.meta.url);
    expect(problemsOf({ ...minimal, WEBHOOK_CA_FILE: other })).to.deep.equal([
      `WEBHOOK_CA_FILE: ${other} holds no certificate as PEM`,
    ]);
  });

  it('keeps operations off the public port in production unless asked', () => {
    const production = { ...minimal, NODE_ENV: 'production', PUBLIC_URL: 'https://verify.example.com' };
    expect(loadConfig(production).OPS_PUBLIC).to.equal(false);
    expect(loadConfig({ ...production, OPS_PUBLIC: 'true' }).OPS_PUBLIC).to.equal(true);
    expect(loadConfig({ ...minimal, OPS_PUBLIC: 'false' }).OPS_PUBLIC).to.equal(false);
  });

  it('reads proxies as hops or as networks', () => {
    expect(loadConfig({ ...minimal, TRUST_PROXY: '2' }).TRUST_PROXY).to.equal(2);
    expect(loadConfig({ ...minimal, TRUST_PROXY: 'loopback, 10.0.0.0/8' }).TRUST_PROXY).to.deep.equal([
      'loopback',
      '10.0.0.0/8',
    ]);
    // Of a hundred hops, or of one and a half, a reader of addresses makes 0.0.0.100 and 1.0.0.5.
    for (const wrong of ['100', '1.5', '10/8', '-1', '0x7f.1'])
      expect(problemsOf({ ...minimal, TRUST_PROXY: wrong })[0], wrong).to.include(`"${wrong}" is neither`);
    expect(problemsOf({ ...minimal, WEBHOOK_ALLOWED_CIDRS: '10/8' })).to.deep.equal([
      'WEBHOOK_ALLOWED_CIDRS: "10/8" is not a CIDR',
    ]);
  });

  it('describes every setting for the README’s table', () => {
    for (const [name, { description }] of Object.entries(SETTINGS)) {
      expect(description.length, name).to.be.greaterThan(10);
    }
  });
});
