import { expect, test } from 'vitest';
import { leadRow, pageHtml } from '../../../../../tests/support/console-page.tsx';
import { DataTable } from '../../parts/table.tsx';
import { leadColumns } from './columns.tsx';

test('a row in the list of leads escapes HTML in values', async () => {
  const html = await pageHtml(() => (
    <DataTable label="Leads" columns={leadColumns} rows={[leadRow]} />
  ));
  expect(html).toContain('over address limit');
  expect(html).toContain('no: the visitor was at fault');
  expect(html).toContain('&lt;b&gt;google&lt;/b&gt;');
  expect(html).toContain(' · v4nv · &lt;b&gt;google&lt;/b&gt; · TX');
  // The row names only buyers. TrustedForm is not a buyer.
  expect(html).toContain('Lead Prosper');
  expect(html.replaceAll(/<[^>]*>/g, '')).not.toContain('TrustedForm');
});
