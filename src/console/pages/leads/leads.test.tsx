import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { LeadRowAnswer } from '../../../contract/console/leads.ts';
import { leadColumns } from './columns.tsx';
import { countText } from './count-text.ts';
import { countRecords } from './export-stream.ts';
import { addressWith, filterOfAddress, valueText } from './filters.ts';
import { LeadRow } from './lead-row.tsx';
import { between, toggled } from './selection.ts';

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
    { destination: 'ingest', title: 'Lead Prosper', isBuyer: true, state: 'delivered' },
    { destination: 'trustedform', title: 'TrustedForm', isBuyer: false, state: 'dead' },
  ],
};

function rowHtml(shape: { isPhone: boolean; canSelect: boolean }, isSelected = false): string {
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <table>
        <tbody>
          <LeadRow
            {...shape}
            row={lead}
            index={4}
            top={144}
            isSelected={isSelected}
            onOpen={() => undefined}
            onSelect={() => undefined}
          />
        </tbody>
      </table>
    </QueryClientProvider>,
  );
}

test('a row has a cell for each column, and its place in the table', () => {
  const html = rowHtml({ isPhone: false, canSelect: true }, true);
  expect(html.match(/<td /g)).toHaveLength(leadColumns.length + 1);
  expect(html).toContain('aria-rowindex="6"');
  expect(html).toContain('data-row=""');
  expect(html).toContain('checked=""');
  expect(html).toContain('over address limit');
  expect(html).toContain('no: at fault');
  expect(html).toContain('&lt;b&gt;google&lt;/b&gt;');
  // What became of the lead at its buyer, not the worst of its other deliveries.
  expect(html).toContain('Lead Prosper');
  expect(html).not.toContain('TrustedForm');
});

test('a viewer cannot select rows, and a phone shows two lines', () => {
  expect(rowHtml({ isPhone: false, canSelect: false })).not.toContain('checkbox');
  const html = rowHtml({ isPhone: true, canSelect: false });
  expect(html.match(/<td /g)).toHaveLength(1);
  // Within the link nothing else could be pressed.
  expect(html.split('</a>')[0]).not.toContain('<button');
  expect(html).toContain('v4nv · &lt;b&gt;google&lt;/b&gt; · TX');
});

test('the address holds the filter and keeps other keys', () => {
  expect(filterOfAddress({ lead: 'held', source: '', other: 'x' })).toEqual({ lead: 'held' });
  expect(addressWith({ lead: 'held', other: 'x' }, { q: 'ana' })).toMatchObject({
    ...{ lead: undefined, other: 'x', q: 'ana' },
  });
  expect(valueText('source', '(none)')).toBe('direct');
  expect(valueText('affiliate', '(none)')).toBe('none');
  expect(valueText('delivery', 'no_destination')).toBe('no destination');
});

test('counts are said in words', () => {
  expect(countText({ count: 1, isExact: true })).toBe('1 lead');
  expect(countText({ count: 10_000, isExact: false })).toBe('more than 10\u202f000 leads');
  expect(countText({ count: 0, isExact: false })).toBe('an unknown number of leads');
});

test('rows are selected one by one and in ranges', () => {
  const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
  const none = { ids: new Set<string>(), isAll: false };
  const one = toggled(none, ['b'], 'b');
  expect([...one.ids]).toEqual(['b']);
  expect([...toggled(one, between(rows, 'b', 'd'), 'd').ids]).toEqual(['b', 'c', 'd']);
  expect(between(rows, 'd', 'c')).toEqual(['c', 'd']);
  expect(between(rows, 'gone', 'c')).toEqual(['c']);
  expect(toggled(one, ['b'], 'b').ids.size).toBe(0);
  expect(toggled({ ids: new Set(), isAll: true }, ['a'], 'a')).toEqual({
    ...{ ids: new Set(['a']), isAll: false },
  });
});

test('an export is counted while it streams, wherever it is cut', () => {
  const csv = 'id,text\r\n1,"a\r\nb ""c"""\r\n2,x\r\n';
  const json = '[\n{"a":"{\\n{"},\n{"a":1}\n]\n';
  for (const [format, text] of [
    ['csv', csv],
    ['json', json],
  ] as const) {
    for (let size = 1; size < text.length; size += 1) {
      const counter = countRecords(format);
      let leads = 0;
      for (let at = 0; at < text.length; at += size) leads = counter(text.slice(at, at + size));
      expect(leads).toBe(2);
    }
  }
});
