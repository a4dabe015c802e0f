/** The mapping, the buyers and the estimate service (document 2, section 7). */
import * as v from 'valibot';
import type { AvailableBuyers } from '../../domain/buyers.ts';
import { compensationBands } from '../../domain/compensation.ts';
import type { BuyersLookup, EstimateLookup, MappingLookup } from '../leads/ports.ts';
import type { OutgoingHttp } from './outgoing-http.ts';

/** A service and how long one call of it may take. */
export type LookupService = {
  readonly http: Pick<OutgoingHttp, 'request'>;
  /** Before the document's path. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
};

/** Ids come as numbers or as text. */
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

/** Longest name of a buyer and most buyers of a list: it is shown on a phone, and consented to. */
const NAME_CHARACTERS = 120;
const MAX_BUYERS = 50;

const buyerSchema = v.object({
  // The bar stands between names in the lead's fields.
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

async function ask<Output>(
  { http, baseUrl, timeoutMs }: LookupService,
  path: string,
  body: unknown,
  schema: v.GenericSchema<unknown, Output>,
): Promise<Output | undefined> {
  try {
    const { status, text, truncated } = await http.request({
      method: 'POST',
      url: baseUrl.replace(/\/+$/, '') + path,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      timeoutMs,
    });
    if (status < 200 || status > 299 || truncated) return undefined;
    const read = v.safeParse(schema, JSON.parse(text));
    return read.success ? read.output : undefined;
  } catch {
    return undefined;
  }
}

/** `POST {base}/inbound/get-mappings` with affid and oid as numbers. */
export function createMappingLookup(service: LookupService): MappingLookup {
  return async (affid, oid) => {
    const found = await ask(service, '/inbound/get-mappings', { affid, oid }, accountSchema);
    return (
      found && {
        campaignId: found.lp_campaign_id,
        supplierId: found.lp_supplier_id,
        key: found.lp_key,
      }
    );
  };
}

/** `POST {base}/buyers/get-available` with the fields known so far. */
export function createBuyersLookup(service: LookupService): BuyersLookup {
  return (fields): Promise<AvailableBuyers | undefined> =>
    ask(service, '/buyers/get-available', fields, availableSchema);
}

/** `POST {base}/estimated-settlement-value` with the answers (payload and path are ours). */
export function createEstimateLookup(service: LookupService): EstimateLookup {
  return async (answers) =>
    (await ask(service, '/estimated-settlement-value', answers, estimateSchema))?.compLevel;
}
