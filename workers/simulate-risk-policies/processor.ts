/** Works on one simulation; a wake-up for one that another worker holds does nothing. */
import { encodeId } from '../../shared/ids.ts';
import type { WakeUps } from '../../shared/queues.ts';
import { runSimulation } from '../../shared/risk-simulations/service.ts';
import type { WorkerDeps } from '../deps.ts';

export const simulateRiskPolicies =
  (deps: WorkerDeps) =>
  async ({
    simulationId,
  }: WakeUps['simulate-risk-policies']): Promise<{ simulation: string; did: string }> => ({
    simulation: encodeId('sim', simulationId),
    did: await runSimulation({ ...deps, leaseSeconds: deps.config.LEASE_SECONDS }, simulationId),
  });
