import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import type { ScanResult } from '../../../shared/scans/verdict.ts';
import { mintTokens } from '../../../shared/units/token.ts';
import { countRows, createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';
import { ADDRESSES } from '../../support/places.ts';
import { expectProblem } from '../../support/problem.ts';

/** Every key of a JSON document, as paths; what is in lists aside. */
const shapeOf = (value: unknown, path = ''): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, child]) => shapeOf(child, `${path}.${key}`))
    : [path];

describe('verification', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const scans = async () => (await countRows(api.database))['scans'];

  it('answers a genuine code with all that the contract promises, and records the scan', async () => {
    const { units } = await org.mintUnits(1, {
      product: { brand: 'Olivaia', gtin: '4006381333931', imageUrl: 'https://cdn.example.com/a.png' },
      batch: { lot: 'L1', expiresOn: '2030-01-31' },
    });
    const before = await scans();
    const { body, headers } = await api.verify(units[0]!.token, ADDRESSES.DE).expect(200);
    const at = api.clock.now().toISOString();
    expect(body.scanId).to.match(/^scan_/);
    const { scanId: _, ...rest } = body;
    expect(rest).to.deep.equal({
      result: 'genuine',
      message: body.message,
      organization: { name: body.organization.name, domain: null },
      product: {
        name: 'Olive oil',
        brand: 'Olivaia',
        imageUrl: 'https://cdn.example.com/a.png',
        gtin: '04006381333931',
      },
      unit: { serial: units[0]!.serial, lot: 'L1', expiresOn: '2030-01-31' },
      scan: { count: 1, visitors: 1, firstScannedAt: at, at, country: 'DE', isInternal: false },
      recall: null,
      hasHiddenCode: false,
      hasNfcTag: false,
      nfcTap: null,
      risk: { level: 'none', signals: [] },
      assessment: 'preliminary',
    });
    expect(headers['cache-control']).to.equal('no-store');
    expect(await scans()).to.equal(before! + 1);
    expect((await org.get(`/scans/${body.scanId}`).expect(200)).body.result).to.equal('genuine');
  });

  it('counts scans and keeps the time of the first', async () => {
    const { units } = await org.mintUnits();
    const first = await api.verify(units[0]!.token);
    api.clock.advance(5_000);
    const second = await api.verify(units[0]!.token);
    expect(second.body.scan).to.include({ count: 2, firstScannedAt: first.body.scan.at });
  });

  it('ignores case, and reads O for 0, I and L for 1', async () => {
    const { units } = await org.mintUnits();
    const { token } = units[0]!;
    const misread = token.replaceAll('0', 'o').replace('1', 'l').replaceAll('1', 'I');
    for (const form of [token, token.toLowerCase(), misread]) {
      expect((await api.verify(form).expect(200)).body.unit.serial).to.equal(units[0]!.serial);
    }
    const upper = await api.http().get(`/V/${token}`).expect(200);
    expect(upper.body.result).to.equal('genuine');
  });

  it('lets the first win that holds: recalled, suspended, inactive, expired, suspicious, diverted, genuine', async () => {
    const { units, batchId } = await org.mintUnits(1, {
      product: { markets: ['JP'] },
      batch: { expiresOn: '2026-06-02' },
      job: { activate: false },
    });
    const [unit] = units;
    const { pool } = api.database;
    const result = async (): Promise<ScanResult> =>
      (await api.verify(unit!.token, ADDRESSES.DE).expect(200)).body.result;
    const now = api.clock.now();
    const set = (status: string) =>
      pool.query('update product_units set status = $2 where id = $1', [unit!.uuid, status]);
    const confirm = (state: string) =>
      pool.query(
        `insert into unit_risk_profiles (unit_id, org_id, state) values ($1, $2, $3)
         on conflict (unit_id) do update set state = $3`,
        [unit!.uuid, org.uuid, state],
      );
    // Everything at once, taken away one by one from the top.
    api.clock.set('2026-07-01T00:00:00.000Z');
    await confirm('confirmed');
    await set('suspended');
    await org.post(`/batches/${batchId}/recall`).expect(200);
    expect(await result()).to.equal('recalled');
    await org.post(`/batches/${batchId}/lift-recall`).expect(200);
    expect(await result()).to.equal('suspended');
    await set('minted');
    expect(await result()).to.equal('inactive');
    await set('voided');
    expect(await result()).to.equal('inactive');
    await set('active');
    expect(await result()).to.equal('expired');
    api.clock.set(now);
    expect(await result()).to.equal('suspicious');
    await confirm('clear');
    expect(await result()).to.equal('diverted');
    await pool.query(`update products set markets = '{DE}' where org_id = $1`, [org.uuid]);
    expect(await result()).to.equal('genuine');
  });

  it('takes the batch’s markets before the product’s', async () => {
    const { units } = await org.mintUnits(1, { product: { markets: ['DE'] }, batch: { markets: ['JP'] } });
    expect((await api.verify(units[0]!.token, ADDRESSES.DE)).body.result).to.equal('diverted');
    const everywhere = await org.mintUnits(1, { product: { markets: ['JP'] }, batch: { markets: [] } });
    expect((await api.verify(everywhere.units[0]!.token, ADDRESSES.DE)).body.result).to.equal('genuine');
  });

  it('sees the impossible journey in the very first impossible scan, before any worker has scored', async () => {
    const { units } = await org.mintUnits();
    await api.verify(units[0]!.token, ADDRESSES.DE).expect(200);
    api.clock.advance(30_000);
    const { body } = await api.verify(units[0]!.token, ADDRESSES.JP).expect(200);
    expect(body).to.include({ result: 'suspicious', assessment: 'preliminary' });
    expect(body.risk.signals.map((one: { type: string }) => one.type)).to.include('impossible_travel');
    expect(body.message).to.include('possibly copied').and.not.match(/fake/i);
  });

  it('answers what was never issued in the same shape, with 404 and no scan', async () => {
    const { units } = await org.mintUnits();
    const known = await api.verify(units[0]!.token).expect(200);
    const before = await countRows(api.database);
    const forged = units[0]!.token.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    const neverMinted = mintTokens(api.deps.config.TOKEN_KEYS, 1, api.deps.random)[0]!.token;
    const malformed = [
      'x',
      'A'.repeat(24),
      'A'.repeat(2_000),
      '%00',
      '%F0%9F%98%80',
      "'%3Bdrop table scans--",
      '..%2f..',
    ];
    const elsewhere = [{ id: 'k1', bytes: randomBytes(32) }] as const;
    const ofAnotherDeployment = mintTokens(elsewhere, 1, randomBytes)[0]!.token;
    const answers: object[] = [];
    const sent = new Set<string>();
    for (const token of [forged, neverMinted, ofAnotherDeployment, ...malformed]) {
      const { body, headers } = await api.verify(token).expect(404);
      // Those that differ from one request to the next, whatever was asked.
      for (const own of ['date', 'x-request-id', 'ratelimit']) delete headers[own];
      const lines = Object.entries(headers as Record<string, string>).map(
        ([name, value]) => `${name}: ${value}`,
      );
      sent.add(lines.toSorted().join('\n'));
      expect(body.result, token).to.equal('unknown');
      expect(shapeOf(body)).to.deep.equal(shapeOf(known.body));
      expect(headers['content-type']).to.equal(known.headers['content-type']);
      expect(headers['cache-control']).to.equal('no-store');
      answers.push(body);
    }
    for (const answer of answers) expect(answer).to.deep.equal(answers[0]);
    expect([...sent]).to.have.length(1);
    expect(await countRows(api.database)).to.deep.equal(before);
  });

  it('asks no database about a forged code', async () => {
    const { units } = await org.mintUnits();
    const forged = units[0]!.token.replace(/^./, (first) => (first === '0' ? '1' : '0'));
    const query = api.deps.db.query.bind(api.deps.db);
    let asked = 0;
    api.deps.db.query = ((...parameters: Parameters<typeof query>) => {
      asked += 1;
      return query(...parameters);
    }) as typeof query;
    try {
      await api.verify(forged).expect(404);
      expect(asked).to.equal(0);
      await api.verify(units[0]!.token).expect(200);
      expect(asked).to.be.greaterThan(0);
    } finally {
      api.deps.db.query = query;
    }
  });

  it('answers HEAD as GET would, and records nothing', async () => {
    const { units } = await org.mintUnits();
    const before = await countRows(api.database);
    await api.http().head(`/v/${units[0]!.token}`).expect(200);
    await api.http().head('/v/unknown').expect(404);
    expect(await countRows(api.database)).to.deep.equal(before);
    expect((await api.verify(units[0]!.token)).body.scan.count).to.equal(1);
  });

  it('records a scan of whom it cannot place', async () => {
    const { units } = await org.mintUnits();
    // A proxy further out may pass on whatever the visitor wrote.
    for (const from of [
      '10.0.0.1',
      'nonsense',
      '1.2.3:5678',
      '2001:db8::1',
      'fe80::1%eth0',
      '::ffff:10.0.0.1',
      '::ffff:a00:1',
      '0:0:0:0:0:FFFF:10.0.0.1',
      "';--",
    ]) {
      const { body } = await api.verify(units[0]!.token, from).expect(200);
      expect(body.scan.country, from).to.equal(null);
    }
    const { rows } = await api.database.pool.query(
      'select ip::text from scans where unit_id = $1 order by id',
      [units[0]!.uuid],
    );
    expect(rows.map(({ ip }) => ip)).to.deep.equal([
      '10.0.0.1/32',
      null,
      null,
      '2001:db8::1/128',
      'fe80::1/128',
      '10.0.0.1/32',
      '10.0.0.1/32',
      '10.0.0.1/32',
      null,
    ]);
  });

  it('keeps a browser’s name within its column', async () => {
    const { units } = await org.mintUnits();
    await api.verify(units[0]!.token).set('User-Agent', 'é'.repeat(2_000)).expect(200);
  });

  it('answers a hundred at once, each with its own scan, in few statements', async () => {
    const { units } = await org.mintUnits(2);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        api.deps.verifier.verify(
          { token: units[index % 2]!.token },
          { ip: '192.0.2.1', userAgent: null, session: null },
        ),
      ),
    );
    expect(new Set(answers.map(({ scan }) => scan!.id)).size).to.equal(100);
    expect(Math.max(...answers.map(({ verification }) => verification.scan.count))).to.equal(50);
    const { rows } = await api.database.pool.query(
      'select scan_count from unit_risk_profiles where unit_id = any($1)',
      [units.map(({ uuid }) => uuid)],
    );
    expect(rows).to.deep.equal([{ scan_count: 50 }, { scan_count: 50 }]);
  });

  it('takes no other method, and needs no credential to say so', async () => {
    const { units } = await org.mintUnits();
    const response = await api.http().post(`/v/${units[0]!.token}`);
    expectProblem(response, 'METHOD_NOT_ALLOWED');
    expect(response.headers['allow']).to.equal('GET, HEAD, OPTIONS');
  });
});
