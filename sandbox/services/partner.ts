import { createElement as h } from 'react';
import * as v from 'valibot';
import { document } from '../html.ts';
import { act, type Exchange, type Service, type Verdict } from '../service.ts';
import { readQuery } from '../strict-body.ts';

const tracking = v.optional(
  v.pipe(
    v.string(),
    v.check((value) => !/[^\s@]+@[^\s@]+\.[^\s@]+/.test(value), 'looks like an e-mail address'),
  ),
);

/**
 * The transaction id, affiliate and sub ids (docs/specification.md#partner-tab), under the usual names.
 */
const querySchema = v.strictObject({
  oid: tracking,
  affid: tracking,
  sub_id: tracking,
  sub1: tracking,
  sub2: tracking,
  sub3: tracking,
  sub4: tracking,
  sub5: tracking,
  uid: tracking,
  source_id: tracking,
  transaction_id: tracking,
  ef_transaction_id: tracking,
  _ef_transaction_id: tracking,
});

/**
 * The partner's page for disqualified visitors: `GET /partner` shows its query. The visitor always sees the
 * page; a forbidden parameter (name, e-mail, phone, answers) is recorded as a violation.
 */
export function partnerService(): Service {
  function judge(exchange: Exchange): Verdict {
    const query = readQuery(querySchema, exchange);
    const rows = [...exchange.query].map(([name, value], index) =>
      h('tr', { key: `${index} ${name}` }, h('th', { scope: 'row' }, name), h('td', null, value)),
    );
    const page = document(
      'Partner page',
      h('h1', null, 'Partner page'),
      h('p', null, 'Stand-in for the partner’s page for disqualified visitors.'),
      rows.length > 0
        ? h('table', { className: 'pairs' }, h('tbody', null, rows))
        : h('p', null, 'It was opened without any parameter.'),
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
    routes: [{ method: 'GET', path: '/partner', handle: judge }],
  };
}
