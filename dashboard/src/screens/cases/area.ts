import { IconBriefcase } from '@tabler/icons-react';
import type { Area } from '../../app/area.ts';

export const area: Area = {
  id: 'cases',
  texts: ['reports', 'scans', 'units'],
  nav: [
    { to: '/cases', label: 'title', icon: IconBriefcase, order: 10, group: 'respond', needs: 'scans.read' },
  ],
  routes: [
    { path: '/cases', load: () => import('./list.tsx'), needs: 'scans.read' },
    { path: '/cases/$id', load: () => import('./case.tsx'), needs: 'scans.read' },
  ],
  palette: [
    {
      id: 'open',
      label: 'openCases',
      to: '/cases',
      search: { status: 'open' },
      icon: IconBriefcase,
      needs: 'scans.read',
    },
  ],
};
