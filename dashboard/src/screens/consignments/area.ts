import { IconPlus, IconTruckDelivery } from '@tabler/icons-react';
import type { Area } from '../../app/area.ts';

export const area: Area = {
  id: 'consignments',
  nav: [
    {
      to: '/consignments',
      label: 'title',
      icon: IconTruckDelivery,
      order: 50,
      group: 'goods',
      needs: 'consignments.read',
    },
  ],
  routes: [
    { path: '/consignments', load: () => import('./list.tsx'), needs: 'consignments.read' },
    { path: '/consignments/new', load: () => import('./new.tsx'), needs: 'consignments.write' },
    { path: '/consignments/$id', load: () => import('./consignment.tsx'), needs: 'consignments.read' },
    { path: '/consignments/$id/edit', load: () => import('./edit.tsx'), needs: 'consignments.write' },
  ],
  palette: [
    { id: 'new', label: 'new', to: '/consignments/new', icon: IconPlus, needs: 'consignments.write' },
  ],
};
