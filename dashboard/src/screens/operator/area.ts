import { IconServerCog } from '@tabler/icons-react';
import type { Area } from '../../app/area.ts';

/**
 * For whoever runs the installation: it takes credentials of its own, and no organization’s. Who manages an organization is
 * shown the way there, as on a small installation that is often the same person.
 */
export const area: Area = {
  id: 'operator',
  audience: 'operator',
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
  routes: [{ path: '/operator', load: () => import('./operator.tsx') }],
  palette: [],
};
