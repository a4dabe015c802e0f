/** The mapping, the buyers and the estimate service (docs/specification.md#calls-of-the-server). */
import * as v from 'valibot';
import type { AvailableBuyers } from '../../domain/buyers.ts';
import { compensationBands } from '../../domain/compensation.ts';
import type { BuyersLookup, MappingLookup } from '../lookups/ask.ts';
import type { EstimateLookup } from '../lookups/services.ts';
import { readJson } from './answer.ts';
import { postJson, type Service } from './service.ts';

/** Ids are numbers or strings. */
const id = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.safeInteger())]),
  v.transform(String),
  v.trim(),
  v.regex(/^[\w-]{1,64}$/),
);

const accountSchema = v.object({
  lp_campaign_id: id,
  lp_supplier_id: id,
  lp_key: v.pipe(v.string(), v.trim(), v.regex(/^\S{1,200}$/)),
});

/** The longest buyer name and list: visitors read it on a phone and consent to it. */
const NAME_CHARACTERS = 120;
const MAX_BUYERS = 50;

const buyerSchema = v.object({
  // The lead's fields separate names by bars.
  name: v.pipe(
    v.string(),
    v.transform((name) => name.replace(/[\p{Cc}|\s]+/gu, ' ').trim()),
    v.nonEmpty(),
    v.maxLength(NAME_CHARACTERS),
  ),
  ids: v.pipe(v.array(id), v.minLength(1), v.maxLength(20)),
});

const buyers = v.pipe(v.array(buyerSchema), v.maxLength(MAX_BUYERS));
const availableSchema = v.object({ selectedBuyers: buyers, allPossibleBuyers: buyers });

const estimateSchema = v.object({
  compLevel: v.pipe(
    v.union([v.string(), v.number()]),
    v.transform(Number),
    v.integer(),
    v.minValue(1),
    v.maxValue(compensationBands.length),
  ),
});

/**
 * Creates the mapping look-up: `POST {base}/inbound/get-mappings` with affid and oid as numbers.
 */
export function createMappingLookup(service: Service): MappingLookup {
  const read = readJson(accountSchema);
  return ({ affid, oid }) =>
    service.ask(postJson('/inbound/get-mappings', { affid, oid }), (answer) => {
      const found = read(answer);
      return (
        found && {
          campaignId: found.lp_campaign_id,
          supplierId: found.lp_supplier_id,
          key: found.lp_key,
        }
      );
    });
}

/** Creates the buyers look-up: `POST {base}/buyers/get-available` with the fields known so far. */
export function createBuyersLookup(service: Service): BuyersLookup {
  const read = readJson<AvailableBuyers>(availableSchema);
  return (fields) => service.ask(postJson('/buyers/get-available', fields), read);
}

/**
 * Creates the estimate look-up: `POST {base}/estimated-settlement-value` with the answers (we chose
 * payload and path).
 */
export function createEstimateLookup(service: Service): EstimateLookup {
  const read = readJson(estimateSchema);
  return async (answers) =>
    (await service.ask(postJson('/estimated-settlement-value', answers), read)).said?.compLevel;
}
