/** The services that answer while a visitor or a lead waits (docs/specification.md#calls-of-the-server). */
import * as v from 'valibot';
import type { ZipAnswer } from '../../contract/checks.ts';
import type { Click } from '../../contract/click.ts';
import type { AvailableBuyers } from '../../domain/buyers.ts';
import { compensationBands } from '../../domain/compensation.ts';
import type { ZipLookup } from '../../intake/context.ts';
import { jsonObject, readJson } from '../base/outgoing-answer.ts';
import type { Ask, BuyersLookup, MappingLookup } from './ask.ts';
import type { EstimateLookup } from './estimate.ts';
import type { ClickTracker, PrefillCheck } from './look-ups.ts';
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

const placeName = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(100));
const placesSchema = v.object({
  places: v.pipe(
    v.array(
      v.object({
        'place name': placeName,
        state: placeName,
        'state abbreviation': v.pipe(v.string(), v.trim(), v.regex(/^[A-Z]{2}$/)),
      }),
    ),
    v.minLength(1),
  ),
});

/**
 * Creates the zip look-up of a service: `GET {base}/us/{zip}` in Zippopotam's format; the first
 * place counts. Our own table provides the county, and zip codes that the service does not know
 * (404) (docs/specification.md#zip-look-up).
 */
export function createZipService(service: Service, own: ZipLookup): Ask<string, ZipAnswer> {
  const read = readJson(placesSchema);
  return (zip) =>
    service.ask({ method: 'GET', path: `/us/${encodeURIComponent(zip)}` }, (answer) => {
      const ours = own(zip);
      if (answer.status === 404) return ours;
      const [place] = read(answer)?.places ?? [];
      if (place === undefined) return undefined;
      const { 'place name': city, 'state abbreviation': state, state: state_long } = place;
      // A county from another state would be wrong.
      const county = ours.state === state ? ours.county : '';
      return { zip, city, state, state_long, county };
    });
}

const yesOrNo = v.pipe(
  v.union([v.boolean(), v.pipe(v.string(), v.trim(), v.toLowerCase(), v.picklist(['yes', 'no']))]),
  v.transform((said): 'yes' | 'no' => (said === true || said === 'yes' ? 'yes' : 'no')),
);
const gibberishSchema = v.object({ is_gibberish: yesOrNo });

/**
 * Creates the gibberish check of a service: `POST {address}` with the form field `text`; answers
 * `is_gibberish` yes or no (docs/specification.md#gibberish-check; we chose the name in the
 * answer).
 */
export function createGibberishService(service: Service): Ask<string, 'yes' | 'no'> {
  const read = readJson(gibberishSchema);
  return async (text) => {
    const form = new FormData();
    form.set('text', text);
    const encoded = new Response(form);
    return service.ask(
      {
        method: 'POST',
        path: '',
        headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
        body: await encoded.text(),
      },
      (answer) => read(answer)?.is_gibberish,
    );
  };
}

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

/** The longest answer to keep, in characters. */
const ANSWER_CHARACTERS = 4_000;

/**
 * Creates the verification service: `POST {address}` with five fields as JSON; the answer is a JSON
 * object and is stored unchanged (docs/specification.md#submit-sequence; we chose address and
 * answer).
 */
export function createVerificationService(
  service: Service,
): Ask<Readonly<Record<string, string>>, Readonly<Record<string, unknown>>> {
  const read = readJson(jsonObject);
  return (fields) =>
    service.ask(postJson('', fields), (answer) =>
      answer.text.length > ANSWER_CHARACTERS ? undefined : read(answer),
    );
}

const clickSchema = v.object({
  transaction_id: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
});

/** Parameters whose names differ between the tracker's call and its script. */
const clickNames: Readonly<Partial<Record<keyof Click, string>>> = {
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
  const read = readJson(clickSchema);
  return async (click) => {
    const query = new URLSearchParams({ async: 'json' });
    for (const [name, value] of Object.entries(click)) {
      query.set(clickNames[name as keyof Click] ?? name, value);
    }
    const { said } = await service.ask({ method: 'GET', path: `/clk?${query}` }, read);
    return said?.transaction_id ?? '';
  };
}
