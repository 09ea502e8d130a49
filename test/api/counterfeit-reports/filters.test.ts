import { expect } from 'chai';
import { decodeId, encodeId, newUuid } from '../../../shared/ids.ts';
import { createTestApi, type TestApi, type TestOrganization } from '../../support/api.ts';

describe('counterfeit reports in the list', () => {
  let api: TestApi;
  let org: TestOrganization;

  before(async () => {
    api = await createTestApi();
    org = await api.createOrganization();
  });
  after(() => api.close());

  const ids = async (query: string) =>
    (await org.get(`/counterfeit-reports?${query}`).expect(200)).body.data.map(
      ({ id }: { id: string }) => id,
    ) as string[];

  it('are found by what they are about, where they come from, who has them and what was decided', async () => {
    const filed: { id: string; about: Record<string, string> }[] = [];
    for (const [country, resolution] of [
      ['FR', 'genuine'],
      ['DE', 'spam'],
    ] as const) {
      const { productId, batchId, units } = await org.mintUnits(1);
      const { body } = await api.http().post(`/v/${units[0]!.token}/reports`).send({ description: 'Fake' });
      const id: string = body.reportId;
      const userId = newUuid();
      await api.database.pool.query(
        `insert into users (id, org_id, email, password_digest, role) values ($1, $2, $3, 'x', 'analyst')`,
        [userId, org.uuid, `${userId}@example.com`],
      );
      const assigneeId = encodeId('user', userId);
      await org
        .patch(`/counterfeit-reports/${id}`, { status: 'dismissed', resolution, assigneeId })
        .expect(200);
      await api.database.pool.query('update counterfeit_reports set country = $2 where id = $1', [
        decodeId('rep', id),
        country,
      ]);
      filed.push({
        id,
        about: { productId, batchId, unitId: units[0]!.id, assigneeId, country, resolution },
      });
    }
    expect(await ids('status=dismissed')).to.deep.equal([filed[1]!.id, filed[0]!.id]);
    expect(await ids('status=open')).to.deep.equal([]);
    for (const { id, about } of filed)
      for (const [name, value] of Object.entries(about))
        expect(await ids(`${name}=${value}`), name).to.deep.equal([id]);
  });
});
