import { expect } from 'chai';
import { scoreWaitingScans } from '../../../shared/scans/scoring.ts';
import { createTestApi, type TestApi, type TestOrganization, type TestUnit } from '../../support/api.ts';
import { ADDRESSES } from '../../support/places.ts';

describe('an organization’s visitors', () => {
  let api: TestApi;
  let org: TestOrganization;
  let units: TestUnit[];

  before(async () => {
    api = await createTestApi();
  });
  beforeEach(async () => {
    org = await api.createOrganization();
    ({ units } = await org.mintUnits(4));
  });
  after(() => api.close());

  const FOUR_NETWORKS = [ADDRESSES.DE, ADDRESSES.JP, ADDRESSES.BR, ADDRESSES.US];
  /** So many networks look at the unit, an hour apart. */
  const visit = async (unit: TestUnit, networks: string[]) => {
    for (const from of networks) {
      api.clock.advance(3_600_000);
      await api.verify(unit.token, from).expect(200);
    }
  };
  const stored = async () =>
    (
      await api.database.pool.query(
        `select a.chances::integer, a.met::integer, a.looks::integer, a.known::integer from organization_audiences a
           join product_units u on u.org_id = a.org_id where u.id = $1`,
        [units[0]!.uuid],
      )
    ).rows[0];

  it('are counted once each, whoever scores and however often they look', async () => {
    for (let round = 0; round < 2; round++) {
      for (const [i, unit] of units.entries()) await visit(unit, FOUR_NETWORKS.slice(0, i + 1));
      await Promise.all([1, 2, 3].map(() => scoreWaitingScans(api.workerDeps, 2)));
      await api.score();
    }
    // Units with one to four visitors: three had a second, of whom two met a third, of whom one met a fourth.
    // After the first visitors there were six newcomers; one, two, three and four looked again, of whom three count at most, and none has a session.
    expect(await stored()).to.deep.equal({ chances: 6, met: 3, looks: 15, known: 0 });
  });

  it('are the unit’s own again when a late scan has its history scored anew', async () => {
    const [unit] = units;
    const [first, late, ...others] = FOUR_NETWORKS;
    await visit(unit!, [first!, ...others]);
    await api.score();
    expect(await stored()).to.include({ chances: 2, met: 1 });
    api.clock.advance(-2.5 * 3_600_000);
    await visit(unit!, [late!]);
    await api.score();
    expect(await stored()).to.include({ chances: 3, met: 2 });
  });

  it('make the same visits tell more where units meet hardly anybody', async () => {
    const used = async (chances: number, met: number) => {
      const other = await api.createOrganization();
      const [unit, fellow] = (await other.mintUnits(2)).units;
      await visit(fellow!, FOUR_NETWORKS.slice(0, 2));
      await api.score();
      await api.database.pool.query(
        `update organization_audiences set chances = $2, met = $3
          where org_id = (select org_id from product_units where id = $1)`,
        [unit!.uuid, chances, met],
      );
      await visit(unit!, [FOUR_NETWORKS[0]!, FOUR_NETWORKS[1]!, FOUR_NETWORKS[0]!, FOUR_NETWORKS[2]!]);
      await api.score();
      const { rows } = await api.database.pool.query<{ score: number }>(
        'select max(risk_score) as score from scans where unit_id = $1',
        [unit!.uuid],
      );
      return rows[0]!.score;
    };
    expect(await used(5000, 1000)).to.be.greaterThan(await used(5000, 4500));
  });
});
