import { IconTags } from '@tabler/icons-react';
import type { Area } from '../../app/area.ts';

export const area: Area = {
  id: 'units',
  texts: ['batches', 'cases', 'scans'],
  nav: [{ to: '/units', label: 'title', icon: IconTags, order: 30, group: 'goods', needs: 'products.read' }],
  routes: [
    { path: '/units', load: () => import('./list.tsx'), needs: 'products.read' },
    { path: '/units/$id', load: () => import('./unit.tsx'), needs: 'products.read' },
  ],
  palette: [],
};
