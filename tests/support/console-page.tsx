import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { LeadRowAnswer } from '../../src/model/messages/console/leads.ts';

/** Renders a console page. `answers` are the server's answers to the page's requests. */
export async function pageHtml(
  component: () => ReactNode,
  {
    path = '/',
    address = '/',
    answers = {},
  }: { path?: string; address?: string; answers?: Record<string, unknown> } = {},
): Promise<string> {
  const client = new QueryClient();
  for (const [of, answer] of Object.entries(answers)) client.setQueryData([of, {}], answer);
  const root = createRootRoute();
  const router = createRouter({
    routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path, component })]),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  });
  await router.load();
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

export const leadRow: LeadRowAnswer = {
  id: '0198a000-0000-7000-8000-00000000000a',
  receivedAt: '2026-07-01T12:05:00Z',
  survey: '/survey/v4nv',
  language: 'en',
  state: 'held',
  qualified: false,
  reason: 'at_Fault|yes',
  holds: ['over_address_limit'],
  isTest: true,
  name: 'A… D…',
  phone: '(•••) •••-••23',
  email: 'a…@m….example',
  usState: 'TX',
  source: '<b>google</b>',
  affiliate: '',
  variants: 'buttons.rounded',
  revision: 2,
  deliveries: [
    { title: 'Lead Prosper', isBuyer: true, state: 'delivered' },
    { title: 'TrustedForm', isBuyer: false, state: 'dead' },
  ],
};
