import { IconAlertOctagon, IconKey, IconListDetails, IconPlus, IconWebhook } from '@tabler/icons-react';
import type { Area } from '../../app/area.ts';

/** For whoever connects other systems: keys, webhooks, what they carry, and what went wrong. */
export const area: Area = {
  id: 'developers',
  nav: [
    {
      to: '/developers/keys',
      label: 'keys.title',
      icon: IconKey,
      order: 10,
      group: 'build',
      needs: 'api_keys.manage',
    },
    {
      to: '/developers/webhooks',
      label: 'webhooks.title',
      icon: IconWebhook,
      order: 11,
      group: 'build',
      needs: 'webhooks.read',
    },
    {
      to: '/developers/events',
      label: 'events.title',
      icon: IconListDetails,
      order: 12,
      group: 'build',
      needs: 'webhooks.read',
    },
    {
      to: '/developers/request-errors',
      label: 'requestErrors.title',
      icon: IconAlertOctagon,
      order: 13,
      group: 'build',
      needs: 'api_keys.manage',
    },
  ],
  routes: [
    { path: '/developers/keys', load: () => import('./keys.tsx'), needs: 'api_keys.manage' },
    { path: '/developers/keys/new', load: () => import('./key-new.tsx'), needs: 'api_keys.manage' },
    { path: '/developers/keys/$id', load: () => import('./key.tsx'), needs: 'api_keys.manage' },
    { path: '/developers/webhooks', load: () => import('./webhooks.tsx'), needs: 'webhooks.read' },
    { path: '/developers/webhooks/new', load: () => import('./webhook-new.tsx'), needs: 'webhooks.write' },
    { path: '/developers/webhooks/verify', load: () => import('./verify.tsx') },
    { path: '/developers/webhooks/$id', load: () => import('./webhook.tsx'), needs: 'webhooks.read' },
    {
      path: '/developers/webhooks/$id/edit',
      load: () => import('./webhook-edit.tsx'),
      needs: 'webhooks.write',
    },
    { path: '/developers/events', load: () => import('./events.tsx'), needs: 'webhooks.read' },
    {
      path: '/developers/request-errors',
      load: () => import('./request-errors.tsx'),
      needs: 'api_keys.manage',
    },
  ],
  palette: [
    {
      id: 'new-key',
      label: 'keys.new',
      to: '/developers/keys/new',
      icon: IconPlus,
      needs: 'api_keys.manage',
    },
    {
      id: 'new-webhook',
      label: 'webhooks.new',
      to: '/developers/webhooks/new',
      icon: IconPlus,
      needs: 'webhooks.write',
    },
    {
      id: 'verify',
      label: 'verify.title',
      to: '/developers/webhooks/verify',
      icon: IconWebhook,
      needs: 'webhooks.read',
    },
  ],
};
