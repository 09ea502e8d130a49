import { IconHistory, IconSettings, IconShieldLock, IconUsers } from '@tabler/icons-react';
import type { Area } from '../../app/area.ts';

/** The organization, its people, and oneself. */
export const area: Area = {
  id: 'settings',
  nav: [
    {
      to: '/settings',
      label: 'title',
      icon: IconSettings,
      order: 10,
      group: 'manage',
      needs: 'organization.read',
    },
  ],
  routes: [
    { path: '/settings', load: () => import('./organization.tsx'), needs: 'organization.read' },
    { path: '/settings/brand', load: () => import('./brand.tsx'), needs: 'organization.read' },
    { path: '/settings/people', load: () => import('./people.tsx'), needs: 'users.read' },
    { path: '/settings/audit-log', load: () => import('./audit-log.tsx'), needs: 'audit_log.read' },
    { path: '/settings/account', load: () => import('./account.tsx') },
  ],
  palette: [
    { id: 'account', label: 'account.title', to: '/settings/account', icon: IconShieldLock },
    { id: 'people', label: 'people.title', to: '/settings/people', icon: IconUsers, needs: 'users.read' },
    {
      id: 'audit',
      label: 'audit.title',
      to: '/settings/audit-log',
      icon: IconHistory,
      needs: 'audit_log.read',
    },
  ],
};
