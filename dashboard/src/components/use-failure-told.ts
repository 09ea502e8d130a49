import { useEffect, useRef, useState } from 'react';
import { notifyError } from './notify.ts';

/** The failure of something that is done where one is. Whoever is elsewhere by then reads in a corner that it failed. */
export function useFailureTold(): [Error | null, (failure: Error | null) => void] {
  const [error, setError] = useState<Error | null>(null);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const tell = (failure: Error | null) => {
    if (failure === null || isShown.current) setError(failure);
    else notifyError(failure);
  };
  return [error, tell];
}
