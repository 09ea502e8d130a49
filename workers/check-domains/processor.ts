/** Looks for the records of organizations' domains in the DNS, until none is due. */
import { checkDueDomains, type CheckDeps } from '../../shared/domains/check.ts';
import type { WorkerDeps } from '../deps.ts';

export const checkDomains = (deps: WorkerDeps) => {
  const checkDeps: CheckDeps = { ...deps, leaseSeconds: deps.config.LEASE_SECONDS };
  return async (): Promise<{ domains: number }> => {
    for (let domains = 0; ;) {
      const looked = deps.stopping.aborted ? 0 : await checkDueDomains(checkDeps);
      if (looked === 0) return { domains };
      domains += looked;
    }
  };
};
