import { useEffect, useRef, useState } from 'react';
import { notifyError } from './notify.ts';

interface DialogWork {
  isBusy: boolean;
  error: Error | null;
  /** @param onDone is told whether the dialog is still the one that the work was begun in */
  run: (work: () => Promise<unknown>, onDone: (isStill: boolean) => void) => Promise<void>;
  /** For the next that is asked. */
  reset: () => void;
}

/**
 * What a dialog does when it is answered. It may be closed meanwhile, and opened about something else: the late answer neither
 * closes that one nor shows its failure there, which is read in a corner instead.
 */
export function useDialogWork(opened: boolean): DialogWork {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const opening = useRef<object | null>(null);
  const runs = useRef(0);
  useEffect(() => {
    if (!opened) return undefined;
    opening.current = {};
    return () => {
      opening.current = null;
    };
  }, [opened]);
  return {
    isBusy,
    error,
    async run(work, onDone) {
      const own = opening.current;
      const isStill = () => own !== null && opening.current === own;
      runs.current += 1;
      const number = runs.current;
      setBusy(true);
      setError(null);
      try {
        await work();
        onDone(isStill());
      } catch (failure) {
        if (isStill()) setError(failure as Error);
        else notifyError(failure);
      } finally {
        if (runs.current === number) setBusy(false);
      }
    },
    reset() {
      setBusy(false);
      setError(null);
    },
  };
}
