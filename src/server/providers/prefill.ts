import * as v from 'valibot';
import type { PrefillCheck } from '../lookups/services.ts';
import { readJson } from './answer.ts';
import type { Service } from './service.ts';

/** The default without a service: prefilling is off. */
export const noPrefill: PrefillCheck = async () => false;

/**
 * Creates the prefill check: `GET {base}/check-affid-pre/{affid}/{percentage}`
 * (docs/specification.md#prefill): `{"result": "yes"}` turns prefilling on; failures and other
 * answers leave it off.
 *
 * @param percentage the share of visitors to prefill, 0 to 100
 */
export function createPrefillCheck(service: Service, percentage: number): PrefillCheck {
  const read = readJson(v.object({ result: v.string() }));
  return async (affid) => {
    const path = `/check-affid-pre/${encodeURIComponent(affid)}/${percentage}`;
    const { said } = await service.ask({ method: 'GET', path }, read);
    return said?.result.trim().toLowerCase() === 'yes';
  };
}
