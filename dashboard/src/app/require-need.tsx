import type { ReactNode } from 'react';
import { useMay, type Need } from '../auth/me.ts';
import { NoPermission } from '../components/states.tsx';

/** Shows its children to whoever may see them, and to others what they lack. */
export function RequireNeed({ need, children }: { need: Need | undefined; children: ReactNode }) {
  return useMay(need) ? children : <NoPermission need={need} isScreen />;
}
