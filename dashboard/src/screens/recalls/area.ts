import { IconAlertOctagon } from '@tabler/icons-react';
import type { Area } from '../../app/area.ts';

export const area: Area = {
  id: 'recalls',
  nav: [
    {
      to: '/recalls',
      label: 'title',
      icon: IconAlertOctagon,
      order: 30,
      group: 'respond',
      needs: 'products.read',
    },
  ],
  routes: [
    { path: '/recalls', load: () => import('./list.tsx'), needs: 'products.read' },
    { path: '/recalls/new', load: () => import('./new.tsx'), needs: 'product_units.write' },
    { path: '/recalls/$id', load: () => import('./recall.tsx'), needs: 'products.read' },
    { path: '/recalls/$id/edit', load: () => import('./edit.tsx'), needs: 'product_units.write' },
  ],
  palette: [
    { id: 'new', label: 'new', to: '/recalls/new', icon: IconAlertOctagon, needs: 'product_units.write' },
  ],
};
