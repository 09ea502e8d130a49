import { IconAdjustments } from '@tabler/icons-react';
import type { Area } from '../../app/area.ts';

export const area: Area = {
  id: 'risk-policy',
  nav: [
    {
      to: '/risk-policy',
      label: 'title',
      icon: IconAdjustments,
      order: 40,
      group: 'respond',
      needs: 'scans.read',
    },
  ],
  routes: [{ path: '/risk-policy', load: () => import('./editor.tsx'), needs: 'scans.read' }],
  palette: [],
};
