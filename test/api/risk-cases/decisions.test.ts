import { expect } from 'chai';
import { decodeId, encodeId, newUuid } from '../../../shared/ids.ts';
import { startStand, type Stand } from '../../support/verification-stand.ts';

const DAY_MS = 86_400_000;

describe('decisions on cases', () => {
  let stand: Stand;
  let productUnitId: string;
  before(async () => {
    stand = await startStand();
  });
  after(() => stand?.close());
  beforeEach(async () => {
    stand.resetClock();
    productUnitId = encodeId('unit', (await stand.mintUnit()).unitId);
  });

  const open = async (): Promise<string> =>
    (await stand.call('POST', '/api/v1/risk-cases', { productUnitId })).body.id;
  const read = async (id: string) => (await stand.call('GET', `/api/v1/risk-cases/${id}`)).body;
  const change = (id: string, body: object) => stand.call('PATCH', `/api/v1/risk-cases/${id}`, body);
  const life = async () =>
    (
      (await stand.call('GET', `/api/v1/product-units/${productUnitId}/timeline?type=decided`)).body
        .data as any[]
    ).map(({ caseId, decision, closingReason, at }) => ({ caseId, decision, closingReason, at }));

  it('stay known with who made them and when, the corrected ones too, also in the unit’s life', async () => {
    const id = await open();
    expect((await read(id)).decisions).to.deep.equal([]);
    const made = [
      { status: 'dismissed', closingReason: 'resold' },
      { status: 'confirmed', closingReason: 'copied_code' },
      { status: 'confirmed', closingReason: 'counterfeit_seen' },
    ];
    const times: string[] = [];
    for (const decision of made) {
      stand.advance(DAY_MS);
      times.push(stand.now().toISOString());
      expect((await change(id, decision)).status).to.equal(200);
    }
    const { decisions, openedBy } = await read(id);
    expect(decisions).to.deep.equal(
      made.map(({ status, closingReason }, index) => ({
        decision: status,
        closingReason,
        author: openedBy,
        at: times[index],
      })),
    );
    const lived = made.map(({ status, closingReason }, index) => ({
      caseId: id,
      decision: status,
      closingReason,
      at: times[index],
    }));
    expect(await life()).to.deep.equal(lived.toReversed());
  });

  it('are none where nothing is decided: a note, a person, the same again', async () => {
    const id = await open();
    await change(id, { status: 'investigating', note: 'Asked the shop' });
    await change(id, { status: 'confirmed', closingReason: 'copied_code' });
    await change(id, { status: 'confirmed', closingReason: 'copied_code', note: 'Sure of it' });
    await change(id, { assigneeId: null });
    expect((await read(id)).decisions).to.have.length(1);
  });

  it('are made of all confirmed cases of a unit where one is corrected', async () => {
    const first = await open();
    await change(first, { status: 'dismissed', closingReason: 'resold' });
    stand.advance(DAY_MS);
    const second = await open();
    for (const id of [first, second]) {
      stand.advance(DAY_MS);
      await change(id, { status: 'confirmed', closingReason: 'copied_code' });
    }
    stand.advance(DAY_MS);
    await change(second, { status: 'dismissed', closingReason: 'internal_scans' });
    for (const id of [first, second]) {
      const { status, decisions } = await read(id);
      expect(status).to.equal('dismissed');
      expect(decisions.at(-1)).to.include({ decision: 'dismissed', closingReason: 'internal_scans' });
    }
  });

  it('are known also where a release before this one made them', async () => {
    const id = await open();
    stand.advance(DAY_MS);
    await stand.database.pool.query(
      `update risk_cases set status = 'dismissed', closing_reason = 'resold', closed_at = $2 where id = $1`,
      [decodeId('case', id), stand.now()],
    );
    const made = { decision: 'dismissed', closingReason: 'resold', at: stand.now().toISOString() };
    expect((await read(id)).decisions).to.deep.equal([{ ...made, author: null }]);
    expect(await life()).to.deep.equal([{ caseId: id, ...made }]);
  });

  it('are undone with a change that fails', async () => {
    const id = await open();
    const { status } = await change(id, {
      status: 'confirmed',
      closingReason: 'copied_code',
      assigneeId: encodeId('user', newUuid()),
    });
    expect(status).to.equal(422);
    expect(await read(id)).to.deep.include({ status: 'open', decisions: [] });
  });

  describe('beside somebody who takes the case', () => {
    const person = async (): Promise<string> => {
      const id = newUuid();
      await stand.database.pool.query(
        `insert into users (id, org_id, email, password_digest, role) values ($1, $2, $3, 'x', 'analyst')`,
        [id, stand.orgId, `${id}@example.com`],
      );
      return encodeId('user', id);
    };

    it('take it from nobody whom one did not know to have it', async () => {
      const [ana, ben] = [await person(), await person()];
      const id = await open();
      const answers = await Promise.all(
        [ana, ben].map((assigneeId) => change(id, { assigneeId, expectedAssigneeId: null })),
      );
      expect(answers.map(({ status }) => status)).to.have.members([200, 409]);
      const refused = answers.find(({ status }) => status === 409)!.body;
      expect(refused).to.include({
        code: 'CONFLICT',
        detail: 'the case is with somebody else by now: read it again',
      });
      const { assigneeId } = await read(id);
      expect(assigneeId).to.equal(answers[0]!.status === 200 ? ana : ben);
      const again = await change(id, { assigneeId, expectedAssigneeId: null });
      expect(again.status, 'what holds already').to.equal(200);
      const knowingly = assigneeId === ana ? ben : ana;
      const taken = await change(id, { assigneeId: knowingly, expectedAssigneeId: assigneeId });
      expect(taken.body.assigneeId).to.equal(knowingly);
      expect((await change(id, { expectedAssigneeId: knowingly })).status).to.equal(422);
    });

    it('nor a report', async () => {
      const unit = await stand.mintUnit();
      const filed = await fetch(`${stand.origin}/v/${unit.token}/reports`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ description: 'The seal is a sticker' }),
      });
      const { reportId } = (await filed.json()) as { reportId: string };
      const [ana, ben] = [await person(), await person()];
      const give = (assigneeId: string, expectedAssigneeId: string | null) =>
        stand.call('PATCH', `/api/v1/counterfeit-reports/${reportId}`, { assigneeId, expectedAssigneeId });
      expect((await give(ana, null)).status).to.equal(200);
      const late = await give(ben, null);
      expect([late.status, late.body.code]).to.deep.equal([409, 'CONFLICT']);
      expect((await give(ben, ana)).body.assigneeId).to.equal(ben);
    });
  });
});
