import { lazy, Suspense, useSyncExternalStore } from 'react';
import { noticesAsked } from './notify.ts';

const Drawn = lazy(() => import('./notices-drawn.tsx').then((module) => ({ default: module.DrawnNotices })));

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
