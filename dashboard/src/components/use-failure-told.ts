import { useEffect, useRef, useState } from 'react';
import { notifyError } from './notify.ts';

/**
 * The failure of what a dialog does. Whoever has closed it meanwhile, or is elsewhere by then, reads in a corner that it failed.
 * @param opened whether the dialog is
 */
export function useFailureTold(opened: boolean): [Error | null, (failure: Error | null) => void] {
  const [error, setError] = useState<Error | null>(null);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = opened;
    return () => {
      isShown.current = false;
    };
  }, [opened]);
  const tell = (failure: Error | null) => {
    if (failure === null || isShown.current) setError(failure);
    else notifyError(failure);
  };
  return [error, tell];
}
