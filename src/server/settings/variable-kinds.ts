/** The kinds of values that settings in `variables.ts` can have. */
import path from 'node:path';
import { compile } from '@fastify/proxy-addr';
import * as v from 'valibot';
import { type AskedFieldName, askedFields } from '../../model/fields/asked-fields.ts';
import { parseIso } from '../../model/fields/dates.ts';
import { phoneDigits } from '../../model/fields/phone-format.ts';
import { hostDirectives } from '../../model/messages/script-declarations.ts';
import {
  type CompensationMultipliers,
  compensationMultipliers,
} from '../../model/rules/compensation.ts';
import { saleDecisions } from '../../model/rules/state-rules.ts';
import { buyers } from '../delivery/destinations/index.ts';
import { isLoopback } from '../platform/host-names.ts';
import {
  address,
  isWebhookSecret,
  listOf,
  optional,
  optionalSecret,
  stateCodes,
  stateList,
  text,
  type Variable,
  variable,
  webAddress,
} from '../platform/variable.ts';

export const matching = (pattern: RegExp) => v.pipe(text, v.regex(pattern));

/** Returns whether `use` succeeds, because some libraries throw if they reject a value. */
function isValid(use: () => unknown): boolean {
  try {
    use();
    return true;
  } catch {
    return false;
  }
}

/** A list of US states for all flows. Undefined: each flow has a separate list. */
export const flowStates = variable(
  v.union([
    v.pipe(
      text,
      v.literal('by-flow'),
      v.transform(() => undefined),
    ),
    stateList,
  ]),
  'state codes with commas between them ("AL,NE"), "all", "none" or "by-flow"',
  'by-flow',
);

export const addressOrNone = variable(
  v.union([v.pipe(text, v.literal('')), address]),
  'an http or https address, or empty',
  '',
);

/** A list of networks, in the format of Fastify's trustProxy. */
export const networks = listOf(
  (value) => (value === '' ? [] : value.split(',').map((entry) => entry.trim())),
  // Rejects a number without dots, which the library would accept as an IP address.
  (entry) => /[.:]|^[a-z]+$/.test(entry) && isValid(() => compile(entry)),
);

/** Requires https, because otherwise anyone on the network could forge identities. */
export const issuerAddress = v.pipe(
  address,
  v.check((value) => /^https:/i.test(value) || isLoopback(webAddress(value)?.hostname)),
);

export const serviceKey = matching(/^[\x21-\x7e]{1,200}$/);

/** The US states with contributory negligence (docs/specification.md#partial-fault). */
export const contributoryStates = ['AL', 'DC', 'MD', 'NC', 'VA'];

const parsedJson = v.pipe(text, v.parseJson({}, 'which is not JSON'));

/** Declares a setting in JSON. The default is an empty object. */
export function json<Output>(schema: v.GenericSchema<unknown, Output>, content: string) {
  return variable(v.pipe(parsedJson, schema), `JSON: ${content}`, '{}');
}

/** Further accounts of destinations that buy leads, by name. */
export const extraDestinations = v.pipe(
  parsedJson,
  v.record(
    v.pipe(v.string(), v.regex(/^[a-z0-9_-]{1,40}$/)),
    v.objectWithRest(
      { like: v.picklist(buyers.map(({ name }) => name)) },
      v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
    ),
  ),
);

/** For each field and answer, the fraction by which the answer raises the estimate. */
const fractions = Object.entries(askedFields).flatMap(([name, { values }]) => {
  const fraction = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
  return values ? [[name, v.optional(v.record(v.picklist(values), fraction))] as const] : [];
});

/** The multipliers of the estimate, by field and answer, with the changes of the setting. */
export const multipliers = v.pipe(
  v.strictObject(Object.fromEntries(fractions)),
  v.transform((table): CompensationMultipliers => {
    const fields = Object.keys({ ...compensationMultipliers, ...table }) as AskedFieldName[];
    return Object.fromEntries(
      fields.map((field) => [field, { ...compensationMultipliers[field], ...table[field] }]),
    );
  }),
);

const isDay = (value: unknown) => typeof value === 'string' && parseIso(value) !== undefined;
const requiredDay = v.custom<string>(isDay, 'is not a day such as "2026-08-12"');
const day = v.optional(requiredDay);

const shortText = v.pipe(v.string(), v.trim(), v.minLength(1, 'is empty'), v.maxLength(80));

/** The attorney who reviewed the guides. Undefined: none. */
export const reviewer = optional(
  v.pipe(
    parsedJson,
    v.strictObject({
      name: shortText,
      barState: v.picklist(stateCodes),
      barNumber: shortText,
      reviewedOn: requiredDay,
      record: address,
    }),
  ),
  'JSON: name, barState, barNumber, reviewedOn and record, such as {"name":"Jane Doe","barState":"TX",' +
    '"barNumber":"24000000","reviewedOn":"2026-11-22","record":"https://www.texasbar.com/…"}',
);

const webhookSecret = v.pipe(v.string(), v.check(isWebhookSecret));
const oneSecret = v.pipe(
  webhookSecret,
  v.transform((secret): readonly string[] => [secret]),
);

/** The secrets with which buyers sign outcomes, by destination. */
export const outcomeSecrets = optionalSecret(
  v.pipe(
    parsedJson,
    v.record(v.string(), v.union([oneSecret, v.array(webhookSecret)])),
    v.check((buyers) => {
      const all = Object.values(buyers).flat();
      return new Set(all).size === all.length;
    }),
  ),
  'JSON: destinations and the secret or list of secrets of each, such as {"ingest":"whsec_…"}, each "whsec_" ' +
    'and 24 to 64 bytes in base64, and none twice',
);

/** The operator's decisions about the sale of leads, by state. */
export const stateRuleChanges = v.record(
  v.picklist(stateCodes),
  v.array(
    v.pipe(
      v.strictObject({
        topic: v.optional(v.picklist(['sale_of_leads', 'ad_platforms'])),
        decision: v.picklist(saleDecisions),
        from: day,
        until: day,
        reason: v.pipe(v.string(), v.trim(), v.minLength(1, 'is empty'), v.maxLength(500)),
      }),
      v.check(({ from = '', until = '9' }) => from < until, 'ends before it begins'),
      v.check(
        ({ topic, decision }) =>
          topic !== 'ad_platforms' || decision === 'allowed' || decision === 'prohibited',
        'may be only "allowed" or "prohibited" for ad platforms',
      ),
    ),
  ),
);

/** A port for operators. Undefined: the server does not open this port. */
export const operatorsPort: Variable<number | 'auto' | undefined, string> = variable(
  v.pipe(
    matching(/^(auto|off|\d{1,5})$/),
    v.transform((value) => (value === 'auto' ? value : Number(value) || undefined)),
    v.check((port) => typeof port !== 'number' || port <= 65_535),
  ),
  'a port from 1 to 65535, "auto", or "off"',
  'auto',
);

/** Invoca's tag id, `network/tag`. */
export const tagId: Variable<string, string> = variable(
  matching(/^[\w./-]{0,100}$/),
  'the tag id as Invoca gives it, such as "1925/3559588726", or empty',
  '',
);

/** The scripts of third parties for which a setting may allow further hosts. */
export const hostedScripts = [
  ...(['pixel', 'caseWorth', 'ticket', 'adPixel', 'clickTracker', 'trustedForm'] as const),
  ...(['leadid', 'callTracking'] as const),
];

/** Allowed origins by script and by directive of the policy, without wildcards. */
export const scriptHosts = v.record(
  v.picklist(hostedScripts),
  v.record(
    v.picklist(hostDirectives),
    v.array(
      v.pipe(
        v.string(),
        v.check((value) => webAddress(value)?.origin === value, 'is not an origin'),
      ),
    ),
  ),
);

/** The site's own address, which must be an origin without a path. */
export const siteAddress = v.pipe(
  address,
  v.transform((value) => new URL(value)),
  v.check(({ pathname, search, hash }) => pathname === '/' && !search && !hash),
  v.transform(({ origin }) => origin),
);

export const phoneNumber = v.pipe(text, v.transform(phoneDigits), v.regex(/^[2-9]\d{9}$/));

export function onOff(fallback: 'on' | 'off'): Variable<boolean, string> {
  const read = v.pipe(
    text,
    v.picklist(['on', 'off']),
    v.transform((value) => value === 'on'),
  );
  return variable(read, 'one of "on", "off"', fallback);
}

/** The path of a file or directory. The parsed value is absolute. */
export const filePath = v.pipe(
  text,
  v.minLength(1),
  v.transform(path.resolve as (path: string) => string),
);

/** Returns the schema of a list of names separated by bars. */
export function namesUpTo(longest: number) {
  return v.pipe(
    text,
    v.transform((value) => (value === '' ? [] : value.split('|').map((name) => name.trim()))),
    v.check((names) => names.every((name) => name.length > 0 && name.length <= longest)),
  );
}

export const database = () =>
  optionalSecret(
    v.pipe(
      matching(/^postgres(ql)?:/i),
      v.check((value) => URL.canParse(value)),
    ),
    'a PostgreSQL address, "postgresql://user:password@host:5432/database"',
  );

/** Declares the host that a server listens on. */
export const listenHost = (use: string, fallback: string) =>
  variable(matching(/^[A-Za-z0-9.:_-]+$/), `the address or host name ${use}`, fallback);

/** Declares the name of a header that a trusted proxy sets. The parsed name is in lower case. */
export const header = (example: string) =>
  optional(
    v.pipe(matching(/^[A-Za-z0-9-]{1,64}$/), v.toLowerCase()),
    `the name of a header, such as "${example}"`,
  );

/** Declares a text that visitors read. */
export const phrase = (longest: number, fallback = '') =>
  variable(v.pipe(text, v.maxLength(longest)), `words of at most ${longest} characters`, fallback);

export const service = (whose: string, article = 'the') =>
  optional(address, `${article} http or https address of ${whose}`);

export const timeZone = (fallback: string) =>
  variable(
    v.pipe(
      text,
      v.check((zone) => isValid(() => new Intl.DateTimeFormat('en-US', { timeZone: zone }))),
    ),
    'a time zone name such as "America/New_York"',
    fallback,
  );
