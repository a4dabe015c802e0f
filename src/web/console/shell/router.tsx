import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import { Go } from '../parts/address.tsx';
import { Failure, Page } from '../parts/page.tsx';
import { Frame, PagePending } from './frame.tsx';
import { entryOf, pages } from './pages.ts';

const root = createRootRoute({ component: Outlet });
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(entryOf('sign-in')),
});
const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Frame });
const framed = pages.flatMap(({ path, folder, one }) => [
  { path, folder },
  ...(one ? [{ path: `${path}/$id`, folder: one }] : []),
]);

/** The console's router. Query values stay text, because phone numbers have leading zeros. */
export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    frame.addChildren(
      framed.map(({ path, folder }) => {
        const component = lazyRouteComponent(entryOf(folder));
        return createRoute({ getParentRoute: () => frame, path, component });
      }),
    ),
  ]),
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    return given.length === 0 ? '' : `?${new URLSearchParams(given as [string, string][])}`;
  },
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  scrollRestoration: true,
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageFailure,
  defaultNotFoundComponent: MissingPage,
});

function MissingPage() {
  return (
    <main id="main">
      <Page
        title="There is no such page"
        summary={['The address is wrong, or the page has moved.']}
      >
        <Go to="/">Go to the overview</Go>
      </Page>
    </main>
  );
}

function PageFailure({ error }: ErrorComponentProps) {
  return (
    <Page title="This page has failed" summary={['Your data is safe.']}>
      <div className="card">
        <Failure
          title="Load the page again."
          error={error as Error}
          onRetry={() => location.reload()}
        />
      </div>
    </Page>
  );
}
