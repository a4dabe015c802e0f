import * as v from 'valibot';
import { html, htmlPage } from '../page.ts';
import { read } from '../requests.ts';
import { type Exchange, type StandIn, trackingIds, trackingValue } from '../service.ts';

/** The usual names of the transaction id (docs/specification.md#partner-tab). */
const ids = ['transaction_id', 'ef_transaction_id', '_ef_transaction_id'] as const;
const querySchema = v.strictObject({
  ...trackingIds,
  ...v.entriesFromList(['oid', 'affid', 'sub_id', ...ids], trackingValue),
});

/** Shows the query. A forbidden parameter (name, e-mail, phone, answers) is a violation, but does not stop the page. */
function showQuery(exchange: Exchange) {
  const fields = read('query', querySchema, exchange);
  const rows = [...exchange.query].map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`,
  );
  const content = html`<p>Stand-in for the partner’s page for disqualified visitors. Its parameters:</p>
<table><tbody>${rows}</tbody></table>`;
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  const body = htmlPage('Partner page', content);
  const violations = fields.ok ? [] : fields.violations;
  return { violations, serve: () => ({ status: 200, headers, body, effect: true }) };
}

/** Imitates the partner's page for disqualified visitors: `GET /partner`. */
export const standIns: readonly StandIn[] = [
  () => ({
    name: 'partner',
    title: 'Partner page',
    settings: (url) => ({ PARTNER_URL: `${url}/partner` }),
    routes: { 'GET /partner': showQuery },
  }),
];
