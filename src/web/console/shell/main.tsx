import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/charts.css';
import '../styles/parts.css';
import '../styles/controls.css';
import './shell.css';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { ApiError } from '../api.ts';
import { router } from './router.tsx';

const mostRetries = 2;

/** Opens the sign-in page if the session has ended. */
function onError(error: unknown): void {
  const { pathname, href } = router.state.location;
  if (!(error instanceof ApiError) || error.status !== 401 || pathname === '/sign-in') return;
  void router.navigate({ to: '/sign-in', search: { next: href } as never });
}

const client = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) =>
        failures < mostRetries &&
        error instanceof ApiError &&
        (error.status === 0 || error.status >= 500),
    },
  },
});

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <I18nProvider locale="en-US">
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);
