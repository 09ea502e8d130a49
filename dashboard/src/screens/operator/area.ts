import { IconServerCog } from '@tabler/icons-react';
import type { Area } from '../../app/area.ts';

/** For whoever runs the installation: it takes credentials of its own, whatever one's role. */
export const area: Area = {
  id: 'operator',
  nav: [
    {
      to: '/operator',
      label: 'title',
      icon: IconServerCog,
      order: 10,
      group: 'installation',
      needs: 'organization.manage',
    },
  ],
  routes: [{ path: '/operator', load: () => import('./operator.tsx'), needs: 'organization.manage' }],
  palette: [],
};
