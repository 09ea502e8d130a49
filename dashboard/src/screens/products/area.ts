import { IconBox, IconPlus } from '@tabler/icons-react';
import type { Area } from '../../app/area.ts';

/** The pattern for the other areas: a list, a form to create and to edit, and one thing's own screen. */
export const area: Area = {
  id: 'products',
  texts: ['batches', 'scans', 'units'],
  nav: [
    { to: '/products', label: 'title', icon: IconBox, order: 10, group: 'goods', needs: 'products.read' },
  ],
  routes: [
    { path: '/products', load: () => import('./list.tsx'), needs: 'products.read' },
    { path: '/products/new', load: () => import('./new.tsx'), needs: 'products.write' },
    { path: '/products/import', load: () => import('./import.tsx'), needs: 'products.write' },
    { path: '/products/$id', load: () => import('./product.tsx'), needs: 'products.read' },
    { path: '/products/$id/edit', load: () => import('./edit.tsx'), needs: 'products.write' },
  ],
  palette: [{ id: 'new', label: 'new', to: '/products/new', icon: IconPlus, needs: 'products.write' }],
};
