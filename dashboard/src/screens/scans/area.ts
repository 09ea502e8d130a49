import { IconScan } from '@tabler/icons-react';
import type { Area } from '../../app/area.ts';

export const area: Area = {
  id: 'scans',
  texts: ['batches'],
  nav: [{ to: '/scans', label: 'title', icon: IconScan, order: 20, group: 'watch', needs: 'scans.read' }],
  routes: [
    { path: '/scans', load: () => import('./list.tsx'), needs: 'scans.read' },
    { path: '/scans/$id', load: () => import('./scan.tsx'), needs: 'scans.read' },
  ],
  palette: [
    {
      id: 'suspicious',
      label: 'suspiciousScans',
      to: '/scans',
      search: { result: 'suspicious', range: '30d' },
      icon: IconScan,
      needs: 'scans.read',
    },
  ],
};
