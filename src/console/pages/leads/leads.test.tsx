import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { LeadRowAnswer } from '../../../contract/console/leads.ts';
import { DataTable } from '../../parts/table.tsx';
import { leadColumns } from './columns.tsx';
import { addressOfFilter, filterOfAddress, valueText } from './filters.ts';

const lead: LeadRowAnswer = {
  id: '0190f3a1-b2c3-7d4e-8f50-123456789abc',
  receivedAt: '2026-03-07T10:00:00.000Z',
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

test('a row says what became of the lead, and every value of a visitor is text', async () => {
  const table = <DataTable label="Leads" columns={leadColumns} rows={[lead]} />;
  const routeTree = createRootRoute({ component: () => table });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  await router.load();
  const html = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  expect(html).toContain('over address limit');
  expect(html).toContain('no: at fault');
  expect(html).toContain('&lt;b&gt;google&lt;/b&gt;');
  // On a phone, below the name.
  expect(html).toContain(' · v4nv · &lt;b&gt;google&lt;/b&gt; · TX');
  // What became of the lead at its buyer, not the worst of its other deliveries.
  expect(html).toContain('Lead Prosper');
  expect(html.replaceAll(/<[^>]*>/g, '')).not.toContain('TrustedForm');
});

test('the address holds the filter', () => {
  expect(filterOfAddress({ lead: 'held', source: '', other: 'x' })).toEqual({ lead: 'held' });
  expect(addressOfFilter({ q: 'ana' })).toMatchObject({ lead: undefined, q: 'ana' });
  expect(valueText('source', '(none)')).toBe('direct');
  expect(valueText('affiliate', '(none)')).toBe('none');
  expect(valueText('delivery', 'no_destination')).toBe('no destination');
});
