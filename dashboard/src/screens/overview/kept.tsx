import type { ReactNode } from 'react';

/** Figures of another span or product stay until those asked for are there, and are paler meanwhile. */
export function Kept({ isStale, children }: { isStale: boolean; children: ReactNode }) {
  return (
    <div className="kept" aria-busy={isStale} data-stale={isStale || undefined}>
      {children}
    </div>
  );
}
