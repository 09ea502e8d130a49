/** Asks the providers of single sign-on who somebody is, and what they are themselves, until nothing is due. */
import { serveSingleSignOn, type IdentifyDeps } from '../../shared/single-sign-on/identify.ts';
import type { WorkerDeps } from '../deps.ts';

export const signPeopleIn = (deps: WorkerDeps) => {
  const identifyDeps: IdentifyDeps = { ...deps, leaseSeconds: deps.config.LEASE_SECONDS };
  return async (): Promise<{ served: number }> => {
    for (let served = 0; ;) {
      const some = deps.stopping.aborted ? 0 : await serveSingleSignOn(identifyDeps);
      if (some === 0) return { served };
      served += some;
    }
  };
};
