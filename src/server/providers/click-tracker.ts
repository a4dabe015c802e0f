import * as v from 'valibot';
import type { Click } from '../../contract/click.ts';
import type { ClickTracker } from '../lookups/services.ts';
import { readJson, type Service } from './service.ts';

const answerSchema = v.object({
  transaction_id: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
});

/** How the tracker's call names what its script is told by another name. */
const names: Readonly<Partial<Record<keyof Click, string>>> = {
  offer_id: 'oid',
  affiliate_id: 'affid',
  transaction_id: '_ef_transaction_id',
};

/**
 * Everflow's server-side click: `GET {base}/clk?oid=&affid=&sub1=…&async=json` answers
 * `{transaction_id}`; a transaction id that goes along joins its earlier click instead of making one
 * (docs/specification.md#transaction-id). Every failure, and any other answer, is no id.
 *
 * @param service its address is the tracking domain, before `/clk`
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
