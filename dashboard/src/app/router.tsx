/** The routes, from what the areas declare. Search parameters are plain text: a link reads as one would write it. */
import { createRootRoute, createRoute, createRouter, type AnyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { lazily } from '../components/lazily.tsx';
import { NotFound, ScreenError, ScreenLoading } from '../components/states.tsx';
import { loadTexts } from '../i18n/i18n.ts';
import { AREAS, type Area, type ScreenRoute } from './area.ts';
import { Home } from './home.tsx';
import { PublicLayout } from './public-layout.tsx';
import { RequireNeed } from './require-need.tsx';
import { Resumed } from './resumed.tsx';
import { SignedIn } from './signed-in.tsx';

const root = createRootRoute();
const people = createRoute({ getParentRoute: () => root, id: 'people', component: Resumed });
const signedIn = createRoute({ getParentRoute: () => people, id: 'signed-in', component: SignedIn });
const anybody = createRoute({ getParentRoute: () => people, id: 'anybody', component: PublicLayout });
const operator = createRoute({
  getParentRoute: () => root,
  id: 'operator',
  component: lazily(async () => (await import('./operator-layout.tsx')).OperatorLayout),
});
/** Whoever is not signed in is asked to: what is there is for members alone. */
const elsewhere = createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFound });
const home = createRoute({ getParentRoute: () => signedIn, path: '/', component: Home });

function screen(parent: AnyRoute, { id, texts = [] }: Area, { path, load, needs }: ScreenRoute): AnyRoute {
  const Loaded = lazily(async () => {
    const [module] = await Promise.all([load(), loadTexts([id, ...texts])]);
    return (module as { Screen: (props: object) => ReactNode }).Screen;
  });
  const Guarded = () => (
    <RequireNeed need={needs}>
      <Loaded />
    </RequireNeed>
  );
  const route = createRoute({ getParentRoute: () => parent, path, component: Guarded });
  // Pointing at a link loads its screen already.
  route.options.loader = () => void Loaded.preload();
  return route;
}

const routesOf = (parent: AnyRoute, audience?: Area['audience']): AnyRoute[] =>
  AREAS.filter((area) => area.audience === audience).flatMap((area) =>
    area.routes.map((route) => screen(parent, area, route)),
  );

const routeTree = root.addChildren([
  people.addChildren([
    signedIn.addChildren([home, elsewhere, ...routesOf(signedIn)]),
    anybody.addChildren(routesOf(anybody, 'anybody')),
  ]),
  operator.addChildren(routesOf(operator, 'operator')),
]);

export const router = createRouter({
  routeTree,
  basepath: '/app',
  defaultPreload: 'intent',
  defaultPendingMs: 80,
  defaultPendingComponent: ScreenLoading,
  defaultErrorComponent: ScreenError,
  defaultNotFoundComponent: NotFound,
  // One thing's drafts and dialogs are not another's of the same screen.
  defaultRemountDeps: ({ params }) => params,
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
