import { IconQrcode } from '@tabler/icons-react';
import type { Area } from '../../app/area.ts';

export const area: Area = {
  id: 'minting',
  texts: ['batches'],
  nav: [
    { to: '/minting', label: 'title', icon: IconQrcode, order: 40, group: 'goods', needs: 'products.read' },
  ],
  routes: [
    { path: '/minting', load: () => import('./list.tsx'), needs: 'products.read' },
    { path: '/minting/new', load: () => import('./new.tsx'), needs: 'barcodes.generate' },
    { path: '/minting/$id', load: () => import('./job.tsx'), needs: 'products.read' },
  ],
  palette: [
    {
      id: 'new',
      label: 'new',
      to: '/minting/new',
      icon: IconQrcode,
      needs: 'barcodes.generate',
      keywords: 'newKeywords',
    },
  ],
};
