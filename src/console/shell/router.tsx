import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { MissingPage, PageFailure, PagePending } from './fallbacks.tsx';
import { Frame } from './frame.tsx';

/** Each page is a file that is loaded with its first visit. */
const pages = import.meta.glob<{ default: () => ReactNode }>('../pages/*/index.tsx');

function pageAt(name: string): RouteComponent {
  const load = pages[`../pages/${name}/index.tsx`];
  return load ? lazyRouteComponent(load) : MissingPage;
}

const root = createRootRoute({ component: Outlet });
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: pageAt('sign-in'),
});
const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Frame });

/** The pages within the frame: path and folder. */
const framed = [
  ['/', 'overview'],
  ['/leads', 'leads'],
  ['/leads/$id', 'lead'],
  ['/deliveries', 'deliveries'],
  ['/plans', 'plans'],
  ['/plans/$id', 'plans'],
  ['/funnels', 'funnels'],
  ['/surveys', 'surveys'],
  ['/people-requests', 'people-requests'],
  ['/system', 'system'],
] as const;

const routeTree = root.addChildren([
  signIn,
  frame.addChildren(
    framed.map(([path, name]) =>
      createRoute({ getParentRoute: () => frame, path, component: pageAt(name) }),
    ),
  ),
]);

/** The console's router. Query values are plain text, so a phone number keeps its zeros. */
export const router = createRouter({
  routeTree,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const entries = Object.entries(search).filter(
      ([, value]) => value !== undefined && value !== '',
    );
    const text = new URLSearchParams(
      entries.map(([key, value]) => [key, String(value)]),
    ).toString();
    return text === '' ? '' : `?${text}`;
  },
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  scrollRestoration: true,
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageFailure,
  defaultNotFoundComponent: MissingPage,
});
