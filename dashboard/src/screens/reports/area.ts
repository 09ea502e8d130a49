import { IconMailExclamation } from '@tabler/icons-react';
import type { Area } from '../../app/area.ts';

export const area: Area = {
  id: 'reports',
  texts: ['cases', 'scans'],
  nav: [
    {
      to: '/reports',
      label: 'title',
      icon: IconMailExclamation,
      order: 20,
      group: 'respond',
      needs: 'reports.read',
    },
  ],
  routes: [
    { path: '/reports', load: () => import('./list.tsx'), needs: 'reports.read' },
    { path: '/reports/new', load: () => import('./new.tsx'), needs: 'reports.write' },
    { path: '/reports/$id', load: () => import('./report.tsx'), needs: 'reports.read' },
  ],
  palette: [
    {
      id: 'open',
      label: 'openReports',
      to: '/reports',
      search: { status: 'open' },
      icon: IconMailExclamation,
      needs: 'reports.read',
    },
  ],
};
