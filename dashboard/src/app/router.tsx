/** The routes, from what the areas declare. Search parameters are plain text: a link reads as one would write it. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type AnyRoute,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { NotFound, ScreenError, ScreenLoading } from '../components/states.tsx';
import { AREAS, type ScreenRoute } from './area.ts';
import { Home } from './home.tsx';
import { PublicLayout } from './public-layout.tsx';
import { RequireNeed } from './require-need.tsx';
import { SignedIn } from './signed-in.tsx';

const root = createRootRoute({ notFoundComponent: NotFound });
const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: SignedIn });
const anybody = createRoute({ getParentRoute: () => root, id: 'anybody', component: PublicLayout });
const home = createRoute({ getParentRoute: () => signedIn, path: '/', component: Home });

function screen(parent: AnyRoute, { path, load, needs }: ScreenRoute): AnyRoute {
  const Loaded = lazyRouteComponent(
    load as () => Promise<{ Screen: (props: object) => ReactNode }>,
    'Screen',
  );
  const Guarded = () => (
    <RequireNeed need={needs}>
      <Loaded />
    </RequireNeed>
  );
  const route = createRoute({ getParentRoute: () => parent, path, component: Guarded });
  // Pointing at a link loads its screen already.
  route.options.loader = () => void Loaded.preload?.()?.catch(() => undefined);
  return route;
}

const routesOf = (parent: AnyRoute, isPublic: boolean): AnyRoute[] =>
  AREAS.filter((area) => (area.isPublic ?? false) === isPublic).flatMap((area) =>
    area.routes.map((route) => screen(parent, route)),
  );

const routeTree = root.addChildren([
  signedIn.addChildren([home, ...routesOf(signedIn, false)]),
  anybody.addChildren(routesOf(anybody, true)),
]);

export const router = createRouter({
  routeTree,
  basepath: '/app',
  defaultPreload: 'intent',
  defaultPendingMs: 80,
  defaultPendingComponent: ScreenLoading,
  defaultErrorComponent: ScreenError,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
  // The standard sessionStorage script of the server side is not needed, and would be inline.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(search))
      if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value));
    const text = parameters.toString();
    return text === '' ? '' : `?${text}`;
  },
});
