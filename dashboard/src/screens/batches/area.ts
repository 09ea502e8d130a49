import { IconPlus, IconStack2 } from '@tabler/icons-react';
import type { Area } from '../../app/area.ts';

export const area: Area = {
  id: 'batches',
  texts: ['minting', 'products', 'scans', 'units'],
  nav: [
    { to: '/batches', label: 'title', icon: IconStack2, order: 20, group: 'goods', needs: 'products.read' },
  ],
  routes: [
    { path: '/batches', load: () => import('./list.tsx'), needs: 'products.read' },
    { path: '/batches/new', load: () => import('./new.tsx'), needs: 'batches.write' },
    { path: '/batches/$id', load: () => import('./batch.tsx'), needs: 'products.read' },
    { path: '/batches/$id/edit', load: () => import('./edit.tsx'), needs: 'batches.write' },
  ],
  palette: [{ id: 'new', label: 'new', to: '/batches/new', icon: IconPlus, needs: 'batches.write' }],
};
