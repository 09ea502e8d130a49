/** Asks the providers of single sign-on who somebody is, and what they are themselves, until nothing is due. */
import { serveSingleSignOn, type IdentifyDeps } from '../../shared/single-sign-on/identify.ts';
import type { WorkerDeps } from '../deps.ts';

export const signPeopleIn = (deps: WorkerDeps) => {
  const identifyDeps: IdentifyDeps = { ...deps, leaseSeconds: deps.config.LEASE_SECONDS };
  return async (): Promise<{ served: number }> => ({
    served: await serveSingleSignOn(identifyDeps),
  });
};
