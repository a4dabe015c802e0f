import * as v from 'valibot';
import { read } from '../requests.ts';
import {
  type Answer,
  type Exchange,
  refuse,
  reply,
  type StandIn,
  trackingIds,
  trackingValue,
} from '../service.ts';

/** The usual names of the transaction id (docs/specification.md#partner-tab). */
const ids = ['transaction_id', 'ef_transaction_id', '_ef_transaction_id'] as const;
const querySchema = v.strictObject({
  ...trackingIds,
  ...v.entriesFromList(['oid', 'affid', 'sub_id', ...ids], trackingValue),
});

/** Answers with the page. Each query parameter with personal data is a violation. */
function page(exchange: Exchange): Answer {
  const fields = read('query', querySchema, exchange);
  const answer = reply('The partner’s page for disqualified visitors');
  return fields.ok ? answer : refuse(fields.violations, answer);
}

/** The stand-in for the partner's page for disqualified visitors. */
export const standIns: readonly StandIn[] = [
  {
    name: 'partner',
    settings: (url) => ({ PARTNER_URL: `${url}/partner` }),
    routes: { 'GET /partner': page },
  },
];
