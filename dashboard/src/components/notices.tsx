import { Suspense, useSyncExternalStore } from 'react';
import { lazily, patiently } from './lazily.tsx';
import { noticesAsked } from './notify.ts';

const Drawn = lazily(async () => (await import('./notices-drawn.tsx')).DrawnNotices, patiently);

/** The corner where notices show, once there is one. */
export function Notices() {
  const isAsked = useSyncExternalStore(noticesAsked.subscribe, noticesAsked.state);
  return (
    isAsked && (
      <Suspense>
        <Drawn />
      </Suspense>
    )
  );
}
