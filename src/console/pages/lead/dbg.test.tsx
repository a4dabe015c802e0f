import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider, Outlet } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { test } from 'vitest';
test('x', async () => {
  const root = createRootRoute({component: Outlet});
  const page = createRoute({ getParentRoute: () => root, path: '/leads/$id', component: () => <p>hi</p> });
  const router = createRouter({ routeTree: root.addChildren([page]), history: createMemoryHistory({ initialEntries: ['/leads/1'] }) });
  await router.load();
  console.log(router.state.status, router.state.matches.map(m => [m.routeId, m.status]), router.isServer);
  console.log('html', renderToStaticMarkup(<RouterProvider router={router} />));
});
