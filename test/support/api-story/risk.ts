/** The story of risk: a case, a policy, a simulation. */
import { decodeId } from '../../../shared/ids.ts';
import { simulateRiskPolicies } from '../../../workers/simulate-risk-policies/processor.ts';
import type { Goods } from './products.ts';
import type { Storyteller } from './storyteller.ts';

export async function tellOfRisk({ api, run }: Storyteller, { product, units }: Goods) {
  const cases = await run('listRiskCases', undefined, undefined, { query: { status: 'open' } });
  const { id } = cases.data[0];
  await run('getRiskCase', id);
  await run('changeRiskCase', id, { status: 'investigating', note: 'Asked the shop for a photo' });
  await run('openRiskCase', undefined, {
    productUnitId: units.at(-2).id,
    note: 'Customs in Antwerp hold forty bottles with this code',
  });
  await run('exportRiskCases');
  await run('getRiskPolicy');
  const policy = { thresholds: { suspicious: 70 }, impossibleTravel: { maxSpeedKmh: 900 } };
  await run('putRiskPolicy', undefined, { policy, alertCooldownMinutes: 60 });
  const simulation = await run('simulateRiskPolicy', undefined, { policy, productId: product.id });
  await simulateRiskPolicies(api.workerDeps)({ simulationId: decodeId('sim', simulation.id)! });
  await run('getRiskSimulation', simulation.id);
  const unwanted = await run('simulateRiskPolicy', undefined, { policy: {} });
  await run('cancelRiskSimulation', unwanted.id);
  await run('listRiskSimulations');
  return { caseId: id as string, simulationId: simulation.id as string };
}
