import * as v from 'valibot';
import { document, html } from '../html.ts';
import {
  act,
  type Exchange,
  type Service,
  type StandIn,
  trackingIds,
  trackingValue,
  type Verdict,
} from '../service.ts';
import { readQuery } from '../strict-body.ts';

/**
 * The transaction id, affiliate and sub ids (docs/specification.md#partner-tab), under the usual names.
 */
const querySchema = v.strictObject({
  oid: trackingValue,
  affid: trackingValue,
  sub_id: trackingValue,
  ...trackingIds,
  transaction_id: trackingValue,
  ef_transaction_id: trackingValue,
  _ef_transaction_id: trackingValue,
});

/**
 * Imitates the partner's page for disqualified visitors: `GET /partner` shows its query. The
 * visitor always sees the page; a forbidden parameter (name, e-mail, phone, answers) is recorded as
 * a violation.
 */
function partnerService(): Service {
  function judge(exchange: Exchange): Verdict {
    const query = readQuery(querySchema, exchange);
    const rows = [...exchange.query].map(
      ([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`,
    );
    const page = document(
      'Partner page',
      html`<h1>Partner page</h1>
<p>Stand-in for the partner’s page for disqualified visitors.</p>
${
  rows.length > 0
    ? html`<table><tbody>${rows}</tbody></table>`
    : html`<p>It was opened without any parameter.</p>`
}`,
    );
    const shown = act(() => ({
      effect: true,
      answer: { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: page },
    }));
    return query.ok ? shown : { ...shown, violations: query.violations };
  }

  return {
    name: 'partner',
    title: 'Partner page',
    settings: (url) => ({ PARTNER_URL: `${url}/partner` }),
    routes: [{ method: 'GET', path: '/partner', handle: judge }],
  };
}

export const standIns: readonly StandIn[] = [partnerService];
