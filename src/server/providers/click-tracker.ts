import * as v from 'valibot';
import type { Click } from '../../contract/click.ts';
import type { ClickTracker } from '../lookups/services.ts';
import { readJson } from './answer.ts';
import type { Service } from './service.ts';

const answerSchema = v.object({
  transaction_id: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
});

/** Parameters whose names differ between the tracker's call and its script. */
const names: Readonly<Partial<Record<keyof Click, string>>> = {
  offer_id: 'oid',
  affiliate_id: 'affid',
  transaction_id: '_ef_transaction_id',
};

/**
 * Creates Everflow's server-side click: `GET {base}/clk?oid=&affid=&sub1=…&async=json` answers
 * `{transaction_id}`. With an existing transaction id it joins that click instead of creating one
 * (docs/specification.md#transaction-id). Returns '' for failures and invalid answers.
 *
 * @param service its address is the tracking domain, without `/clk`
 */
export function createClickTracker(service: Service): ClickTracker {
  const read = readJson(answerSchema);
  return async (click) => {
    const query = new URLSearchParams({ async: 'json' });
    for (const [name, value] of Object.entries(click)) {
      query.set(names[name as keyof Click] ?? name, value);
    }
    const { said } = await service.ask({ method: 'GET', path: `/clk?${query}` }, read);
    return said?.transaction_id ?? '';
  };
}
