import { IconLayoutDashboard } from '@tabler/icons-react';
import type { Area } from '../../app/area.ts';

/** Where a brand-protection manager begins the day. */
export const area: Area = {
  id: 'overview',
  nav: [
    {
      to: '/overview',
      label: 'title',
      icon: IconLayoutDashboard,
      order: 10,
      group: 'watch',
      needs: 'analytics.read',
    },
  ],
  routes: [{ path: '/overview', load: () => import('./overview.tsx'), needs: 'analytics.read' }],
  palette: [],
};
