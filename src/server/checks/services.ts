/** Adapters of the services that answer while a visitor or a lead waits (docs/specification.md#calls-of-the-server). */
import * as v from 'valibot';
import type { IngestAccount } from '../../model/fields/tracking-fields.ts';
import type { ZipCheck } from '../../model/lead/context.ts';
import type { ZipAnswer } from '../../model/messages/checks.ts';
import type { Click } from '../../model/messages/click.ts';
import type { AvailableBuyers } from '../../model/rules/buyers.ts';
import { compensationBands } from '../../model/rules/compensation.ts';
import { jsonObject, readJson } from '../platform/outgoing-answer.ts';
import type { Check, RecordedCheck } from './check.ts';
import { postJson } from './service.ts';

/** An id, which services send as a number or as a string. */
const id = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.safeInteger())]),
  v.transform(String),
  v.trim(),
  v.regex(/^[\w-]{1,64}$/),
);

const accountSchema = v.pipe(
  v.object({
    lp_campaign_id: id,
    lp_supplier_id: id,
    lp_key: v.pipe(v.string(), v.trim(), v.regex(/^\S{1,200}$/)),
  }),
  v.transform((found) => ({
    campaignId: found.lp_campaign_id,
    supplierId: found.lp_supplier_id,
    key: found.lp_key,
  })),
);

/** Limits of a buyer's name and of the list of buyers, which must fit on a phone's screen. */
const NAME_CHARACTERS = 120;
const MAX_BUYERS = 50;

const buyerSchema = v.object({
  // Removes `|`, which separates the names of buyers in a lead's fields.
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

/** Asks for an ingest account: `POST {base}/inbound/get-mappings` with affid and oid as numbers. */
export const mapping: RecordedCheck<{ affid: number; oid: number }, IngestAccount> = {
  name: 'mapping',
  textOf: ({ affid, oid }) => `${affid} ${oid}`,
  request: ({ affid, oid }) => postJson('/inbound/get-mappings', { affid, oid }),
  read: readJson(accountSchema),
  summary: ({ campaignId, supplierId }) => ({ campaignId, supplierId }),
};

/** Asks for buyers: `POST {base}/buyers/get-available` with the visitor's answers so far. */
export const buyersAvailable: RecordedCheck<Readonly<Record<string, string>>, AvailableBuyers> = {
  name: 'buyers',
  textOf: (fields) => JSON.stringify(fields),
  request: (fields) => postJson('/buyers/get-available', fields),
  read: readJson<AvailableBuyers>(availableSchema),
  summary: ({ selectedBuyers, allPossibleBuyers }) => ({
    selected: selectedBuyers.length,
    possible: allPossibleBuyers.length,
  }),
};

const readEstimate = readJson(estimateSchema);

/** Asks for a compensation level (1 to 7): `POST {base}/estimated-settlement-value`. */
export const estimate: Check<Readonly<Record<string, string>>, number> = {
  name: 'estimate',
  request: (answers) => postJson('/estimated-settlement-value', answers),
  read: (answer) => readEstimate(answer)?.compLevel,
};

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

const readPlaces = readJson(placesSchema);

/** Looks up a zip code: `GET {base}/us/{zip}` (docs/specification.md#zip-look-up). */
export const zipPlace = (own: ZipCheck): RecordedCheck<string, ZipAnswer> => ({
  name: 'zip',
  textOf: String,
  request: (zip) => ({ method: 'GET', path: `/us/${encodeURIComponent(zip)}` }),
  read(answer, zip) {
    const ours = own(zip);
    if (answer.status === 404) return ours;
    const [place] = readPlaces(answer)?.places ?? [];
    if (place === undefined) return undefined;
    const { 'place name': city, 'state abbreviation': state, state: state_long } = place;
    // Uses the county in our table only if the service answers with the table's US state.
    const county = ours.state === state ? ours.county : '';
    return { zip, city, state, state_long, county };
  },
  isCached: () => true,
  // Records only whether city and US state are present, because both are personal data.
  summary: ({ city, state, state_long, county }) => ({
    known: Boolean(city && state && state_long && county),
  }),
});

const yesOrNo = v.pipe(
  v.union([v.boolean(), v.pipe(v.string(), v.trim(), v.toLowerCase(), v.picklist(['yes', 'no']))]),
  v.transform((said): 'yes' | 'no' => (said === true || said === 'yes' ? 'yes' : 'no')),
);
const readGibberish = readJson(v.object({ is_gibberish: yesOrNo }));

/** Judges a text: `POST {address}`, field `text` (docs/specification.md#gibberish-check). */
export const gibberish: RecordedCheck<string, 'yes' | 'no'> = {
  name: 'gibberish',
  textOf: String,
  async request(text) {
    const form = new FormData();
    form.set('text', text);
    const encoded = new Response(form);
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
    return { method: 'POST', path: '', headers, body: await encoded.text() };
  },
  read: (answer) => readGibberish(answer)?.is_gibberish,
  isCached: () => true,
  summary: (is_gibberish) => ({ is_gibberish }),
};

const readPrefill = readJson(v.object({ result: v.string() }));

/**
 * Asks whether to prefill the forms of an affiliate's visitors (docs/specification.md#prefill).
 * `percentage` is the share of visitors to prefill, 0 to 100.
 */
export const prefill = (percentage: number): Check<string, boolean> => ({
  name: 'prefill',
  request: (affid) => ({
    method: 'GET',
    path: `/check-affid-pre/${encodeURIComponent(affid)}/${percentage}`,
  }),
  read(answer) {
    const said = readPrefill(answer);
    return said && said.result.trim().toLowerCase() === 'yes';
  },
});

const ANSWER_CHARACTERS = 4_000;

const readVerification = readJson(jsonObject);

/** Verifies a lead: `POST {address}` with five fields (docs/specification.md#submit-sequence). */
export const verification: Check<
  Readonly<Record<string, string>>,
  Readonly<Record<string, unknown>>
> = {
  name: 'verification',
  request: (fields) => postJson('', fields),
  read: (answer) => (answer.text.length > ANSWER_CHARACTERS ? undefined : readVerification(answer)),
};

const readClick = readJson(
  v.object({ transaction_id: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)) }),
);

/** Maps the names of click parameters to the names that the click tracker uses. */
const clickNames: Readonly<Partial<Record<keyof Click, string>>> = {
  offer_id: 'oid',
  affiliate_id: 'affid',
  transaction_id: '_ef_transaction_id',
};

/** Registers a click with Everflow: `GET {base}/clk?…` (docs/specification.md#transaction-id). */
export const clickId: Check<Click, string> = {
  name: 'click',
  request(click) {
    const query = new URLSearchParams({ async: 'json' });
    for (const [name, value] of Object.entries(click)) {
      query.set(clickNames[name as keyof Click] ?? name, value);
    }
    return { method: 'GET', path: `/clk?${query}` };
  },
  read: (answer) => readClick(answer)?.transaction_id,
};
