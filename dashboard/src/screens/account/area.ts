import type { Area } from '../../app/area.ts';

/** The pages before the sign-in. */
export const area: Area = {
  id: 'account',
  audience: 'anybody',
  nav: [],
  palette: [],
  routes: [
    { path: '/sign-in', load: () => import('./sign-in.tsx') },
    { path: '/single-sign-on', load: () => import('./single-sign-on.tsx') },
    { path: '/sign-up', load: () => import('./sign-up.tsx') },
    { path: '/verify-email', load: () => import('./verify-email.tsx') },
    { path: '/forgot-password', load: () => import('./forgot-password.tsx') },
    { path: '/reset-password', load: () => import('./reset-password.tsx') },
    { path: '/accept-invitation', load: () => import('./accept-invitation.tsx') },
  ],
};
