/** Takes a step of a recovery a second, until it is over. */
import { encodeId } from '../../shared/ids.ts';
import type { WakeUps } from '../../shared/queues.ts';
import { stepRecovery } from '../../shared/webhooks/recoveries.ts';
import type { WorkerDeps } from '../deps.ts';

export const recoverWebhooks =
  (deps: WorkerDeps) =>
  async ({ recoveryId }: WakeUps['recover-webhooks']): Promise<{ recovery: string; isOver: boolean }> => {
    const step = await stepRecovery(deps, recoveryId);
    if (step.type === 'again') {
      const delayMs = Math.max(1, step.at.getTime() - deps.clock.now().getTime());
      await deps.waker.recoverWebhooks([recoveryId], delayMs);
    }
    return { recovery: encodeId('rcv', recoveryId), isOver: step.type === 'over' };
  };
