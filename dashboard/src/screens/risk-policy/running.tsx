import { Button, Group, Progress } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { useEffect, useRef, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import type { Schemas } from '../../api/types.gen.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { ErrorAlert } from '../../components/states.tsx';
import { isFocusFree } from '../../components/use-focus-return.ts';
import type { Policy, PolicyInForce } from './policy.ts';

const POLL_MS = 700;
const DAY_MS = 86_400_000;

type Simulated = Schemas['RiskSimulation'];

/** Whether it ended with no result. */
export const isWithout = (status: Simulated['status']): boolean =>
  status === 'failed' || status === 'cancelled';

const cancel = (id: string) => api.post('/api/v1/risk-simulations/{id}/cancel', { path: { id } });

/**
 * Begins simulations over the last days.
 * @param scope.productId null for all of the organization's products
 * @param onBegun has its id; a simulation that nobody waits for any more when the service has begun it is cancelled instead
 * @param isWanted whether a policy that is on the way is still the one to be tried
 */
export function useBegin(
  { productId }: Pick<PolicyInForce, 'productId'>,
  days: number,
  onBegun: (id: string, policy: Policy) => void,
  isWanted: (policy: Policy) => boolean = () => true,
) {
  const latest = useRef<((policy: Policy) => boolean) | null>(null);
  useEffect(() => {
    latest.current = isWanted;
  });
  useEffect(
    () => () => {
      latest.current = null;
    },
    [],
  );
  return useChange(async (policy: Policy) => {
    const from = new Date(Date.now() - days * DAY_MS).toISOString();
    const ofProduct = productId === null ? {} : { productId };
    const { id } = await api.post('/api/v1/risk-policies/simulate', { body: { policy, from, ...ofProduct } });
    if (latest.current?.(policy) === true) onBegun(id, policy);
    // It may have come to its end; then there is nothing to cancel.
    else cancel(id).catch(() => undefined);
  });
}

/** A simulation that goes on while nobody looks at it any more takes one of few places: it is cancelled. */
function useCancelledWhenLeft(id: string, isOpen: boolean, onCancelled: () => void): void {
  const latest = useRef({ isOpen, onCancelled });
  useEffect(() => {
    latest.current = { isOpen, onCancelled };
  });
  const watched = useRef<string | null>(null);
  useEffect(() => {
    watched.current = id;
    return () => {
      watched.current = null;
      const { isOpen, onCancelled } = latest.current;
      if (!isOpen) return;
      queueMicrotask(() => {
        // React's strict mode only pretends to leave.
        if (watched.current === id) return;
        onCancelled();
        // It may have come to its end; then there is nothing to cancel.
        cancel(id).catch(() => undefined);
      });
    };
  }, [id]);
}

/**
 * A simulation until it ends, and the way to stop it.
 * @param onStopped it was cancelled, and has no result
 * @param begin the button that begins another one
 */
export function useRunning(id: string, onStopped: () => void, begin: RefObject<HTMLButtonElement | null>) {
  const simulation = useApi(
    '/api/v1/risk-simulations/{id}',
    { path: { id } },
    { refetchInterval: ({ state }) => (state.data?.finishedAt ? false : POLL_MS) },
  );
  const change = useChange(() => cancel(id));
  // One that nobody has read yet is open as well.
  const hasEnded = simulation.data !== undefined && simulation.data.finishedAt !== null;
  const isOpen = !hasEnded && !change.isPending && !change.isSuccess;
  useCancelledWhenLeft(id, isOpen, onStopped);
  const { isPending, error } = change;
  const goBack = () => {
    // What is stopped goes, and the focus with it; the button may be drawn, or enabled, only then.
    flushSync(onStopped);
    if (isFocusFree()) begin.current?.focus();
  };
  const stop = { isPending, error, run: () => change.mutate(undefined, { onSuccess: goBack }) };
  return { simulation, stop };
}

/** How far it is, while it runs. */
export function Running({
  progress: { done, total },
  label,
  stop,
}: {
  progress: Simulated['progress'];
  label: string;
  stop: ReturnType<typeof useRunning>['stop'];
}) {
  const { t } = useTranslation('risk-policy');
  return (
    <>
      <Progress.Root size="lg">
        <Progress.Section value={(100 * done) / Math.max(1, total)} aria-label={label} animated />
      </Progress.Root>
      <Group justify="flex-end">
        <Button
          variant="default"
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          loading={stop.isPending}
          onClick={stop.run}
        >
          {t('simulation.stop')}
        </Button>
      </Group>
      {stop.error !== null && <ErrorAlert error={stop.error} />}
    </>
  );
}
