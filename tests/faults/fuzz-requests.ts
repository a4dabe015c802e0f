/** Generates valid, nearly valid and hostile requests to every route of the server. */
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { contactFields } from '../../src/model/fields/contact-form.ts';
import { optOutFields } from '../../src/model/fields/opt-out-form.ts';
import { surveys } from '../../src/model/flows/surveys.ts';
import { pageAlerts } from '../../src/model/messages/alerts.ts';
import { leadSecretHeader } from '../../src/model/messages/lead.ts';
import { tcpaOf } from '../support/consent.ts';
import { testLead } from '../support/leads.ts';

type Headers = readonly (readonly [name: string, value: string])[];
export type FuzzRequest = {
  readonly method: string;
  /** The path and the query. */
  readonly target: string;
  readonly headers: Headers;
  readonly body?: string | Buffer;
};
type Json = Record<string, unknown>;

/**
 * The names that every object inherits. Looking up such a name in a plain object finds a function.
 */
const inherited = fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype));
/** Texts that often break software. */
const known = fc.constantFrom(
  ...['', '\u0000', 'a\u0000b', '\ud800', 'x\udfffy', '\ufeff', '\u202etxet\u202c', 'ﷺ'.repeat(50)],
  ...['line\r\nSet-Cookie: a=b', "'; drop table leads; --", '<script>alert(1)</script>', '%00%ff'],
  ...['../../../../etc/passwd', 'null', 'NaN', '-0', '1e309', '9223372036854775808', '=1+1', '@'],
  ...['a@b.c'.repeat(40), '+1 (212) 555-0123 ext. 9', '٢١٢٥٥٥٠١٢٣', 'https://[::1', 'http://'],
  ...['javascript:alert(1)', 'https://user:word@example.com:99999/', '0000-00-00', '2026-02-30'],
  ...['-271821-04-20T00:00:00.000Z', '+275760-09-13T00:00:00.001Z', '2026-13-45T99:99:99Z'],
);
const anyCodes = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));
const long = fc
  .tuple(
    fc.constantFrom('', 'x'),
    fc.constantFrom('a', '😀', '\n'),
    fc.integer({ min: 20, max: 9_000 }),
  )
  // After the offset 'x', a length limit may cut an emoji into two halves.
  .map(([offset, unit, times]) => offset + unit.repeat(times));
const text = fc.oneof({ arbitrary: known, weight: 3 }, anyCodes, inherited, long);
/** A placeholder for a value that is nested too deeply for `JSON.stringify`. */
const DEEP = '(deep)';
const value: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(DEEP, 1e21, 5e-324, Number.MAX_SAFE_INTEGER + 2, -(2 ** 63), [[]], [null]),
  // `String()` throws for this value, because `toString` is not a function.
  fc.constant({ toString: 'x', valueOf: 1, toJSON: 'y', length: -1 }),
);

/** Generates variants of a body with changed values or additional keys. */
const bent = (body: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  body.chain((object) => {
    const name = fc.oneof(fc.constantFrom(...Object.keys(object)), inherited, text);
    return fc
      .oneof(fc.constant([]), fc.array(fc.tuple(name, value), { maxLength: 5 }))
      .map((changes) => {
        const copy = { ...object };
        for (const [name, changed] of changes) {
          // Defines `__proto__` as a normal property, as `JSON.parse` does.
          const options = { enumerable: true, configurable: true, writable: true };
          if (name !== 'lead_id') Object.defineProperty(copy, name, { value: changed, ...options });
        }
        return copy;
      });
  });

/** Generates keys that are inserted before the body's own keys. */
const extras = fc.constantFrom(
  ...['', '', '', '"lead_id":7,', '"__proto__":{"isAdmin":true},', '"":"",\n\t'],
  ...['"constructor":{"prototype":{"x":1}},', '"toString":"x","length":"z","then":"w",'],
  ...['"a":1e999,"b":-0,"c":123456789012345678901234567890,', '"\\u0000":"\\ud83d",'],
);
const deep = fc
  .tuple(fc.constantFrom(['[', ']'], ['{"a":', '}']), fc.constantFrom(2, 19, 30, 10_000))
  .map(([[open = '', close = ''], depth]) => `${open.repeat(depth)}1${close.repeat(depth)}`);
const asJson = (body: fc.Arbitrary<Json>): fc.Arbitrary<string> =>
  fc
    .tuple(bent(body), extras, deep)
    .map(([object, extra, nested]) =>
      `{${extra}${JSON.stringify(object).slice(1)}`.replaceAll(`"${DEEP}"`, nested),
    );

/** Generates lead ids. Three ids recur, so that several browsers post the same id. */
const leadId = fc.oneof(
  fc.constantFrom(...[1, 2, 3].map((digit) => `01939999-1111-4111-8111-11111111111${digit}`)),
  { arbitrary: fc.uuid({ version: 4 }), weight: 4 },
);
const survey = fc.constantFrom(...surveys);
const at = new Date().toISOString();

const lead = fc.tuple(leadId, survey, fc.integer({ min: 0, max: 8_999 })).map(
  ([lead_id, entry, serial]): Json =>
    testLead({
      lead_id,
      survey: entry.path,
      language: entry.language,
      ...tcpaOf(entry),
      ef_transaction_id: lead_id.replaceAll('-', ''),
      email: `visitor.${serial}@example.com`,
      phone: String(2_125_550_000 + serial),
      consent_shown_at: at,
      submitted_at: at,
    }),
);
const step = fc.constant<Json>({
  seq: 1,
  kind: 'answered',
  step: 'AtFault',
  answers: { at_Fault: 'no' },
  at,
});
const progress = fc
  .tuple(leadId, survey, fc.array(bent(step), { maxLength: 8 }))
  .map(([lead_id, { path }, data]): Json => {
    const click = { click_id: lead_id.replaceAll('-', ''), params: { s1: 'abc' }, referer: '' };
    const landing_page = `https://claims.example.com${path}`;
    return { session: { lead_id, survey: path, started_at: at, landing_page, ...click }, data };
  });

/** Maps each API route to the bodies that are posted to the route. */
export const posts: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  '/post-lead': lead,
  '/api/save-data': progress,
  '/api/check/phone': fc.record({ phone: fc.constant('(212) 555-0123') }),
  '/api/check/email': fc.record({ email: fc.constant('maria@mail.example'), lead_id: leadId }),
  '/api/check/text': fc.record({ text: fc.constant('A truck hit my car at a red light.') }),
  '/api/estimate': fc.record({ specific_injury: fc.constant('Whiplash') }),
  '/api/mapping': fc.record({ lead_id: leadId, survey: fc.constant('/survey/v4nv') }),
  '/api/buyers': lead.map((body) => ({ ...body, survey: '/survey/v6' })),
  '/outcomes': fc.record({
    data: bent(
      fc.record({ lead_id: leadId, outcome: fc.constant('returned'), reason: text, at: text }),
    ),
  }),
  '/page-speed': fc.constant({
    page: '/survey/v4nv',
    device: 'phone',
    values: [{ metric: 'LCP', step: 'StartPath', value: 900 }],
  }),
  '/send-slack-message': fc.record({ text: fc.constantFrom(...pageAlerts) }),
  '/two-step-verification/code': fc.record({
    lead_id: leadId,
    survey: fc.constant('/survey/v4nv'),
    twilio: fc.record({ phone: fc.constant('+12125550123'), code: fc.constantFrom('', '123456') }),
  }),
};
/** The secret with which most posts to /outcomes are signed. */
export const outcomeSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
/** Returns the headers of a message of a buyer. */
function signatureOf(body: string | Buffer): Headers {
  const now = new Date();
  return [
    ['webhook-id', 'a'],
    ['webhook-timestamp', String(Math.floor(now.getTime() / 1000))],
    ['webhook-signature', new Webhook(outcomeSecret).sign('a', now, Buffer.from(body))],
  ];
}
export const gets = ['/healthz', '/readyz', '/us/:zip', '/api/prefill'];

const noObject = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('', 'null', '[]', '12', '{', '{"lead_id"}', '{}{}', '\ufeff{}', '<lead/>'),
  fc.constantFrom('['.repeat(60_000), 'x'.repeat(200_000)),
);
/** Generates the path and the body of a post. Half of the posts go to /post-lead. */
const route = fc.oneof(
  fc.constant(['/post-lead', lead] as const),
  fc.constantFrom(...Object.entries(posts)),
);
const secret = fc.constantFrom('a'.repeat(32), 'a'.repeat(32), 'b'.repeat(32), '');
const post = route.chain(([target, body]) =>
  fc
    .tuple(fc.oneof({ arbitrary: asJson(body), weight: 9 }, noObject), secret)
    .map(([body, secret]): FuzzRequest => {
      const headers = [
        ['content-type', 'application/json'],
        [leadSecretHeader, secret],
        ...(target === '/outcomes' && secret ? signatureOf(body) : []),
      ] as const;
      return { method: 'POST', target, body, headers };
    }),
);

const typed = ['Car Accident', 'Maria', 'Sandoval', 'm@mail.example', '2125550123', 'Call me.'];
const answers = 'accident_type injury_month injury_year at_Fault first_name phone'.split(' ');
const steps = 'StartPath OnePageForm FormFirstQuestions AtFault PhoneAndZip'.split(' ');
const page = fc.oneof<fc.Arbitrary<readonly [target: string, names: readonly string[]]>[]>(
  fc
    .tuple(survey, fc.constantFrom('', '/continue'))
    .map(([{ path }, suffix]) => [path + suffix, answers] as const),
  fc.constantFrom(['/contact/', contactFields], ['/es/do-not-sell-my-information/', optOutFields]),
);
const form = fc
  .record({
    page,
    step: fc.constantFrom(...steps),
    changes: fc.array(fc.tuple(fc.nat({ max: 6 }), text, text), { maxLength: 4 }),
  })
  .map(({ page: [target, names], step, changes }): FuzzRequest => {
    const all = [['step', step], ...names.map((name, index) => [name, typed[index] ?? ''])];
    for (const [index, name, changed] of changes) {
      all.splice(index, index % 2, [all[index]?.[0] ?? name, changed], [name, changed]);
    }
    const pairs = all.map(([name = '', given = '']) => [name.toWellFormed(), given.toWellFormed()]);
    const headers = [
      ['content-type', 'application/x-www-form-urlencoded'],
      ['accept', 'text/html'],
    ] as const;
    return { method: 'POST', target, body: new URLSearchParams(pairs).toString(), headers };
  });

const oddPart = fc.oneof(
  text.map((each) => encodeURIComponent(each.toWellFormed()).slice(0, 8_000)),
  fc.constantFrom(
    ...'10001 % %00 %ff %c0%af %2e%2e%2f .. // ///example.com/ \\ <x> __proto__ &&==='.split(' '),
    ...['%0d%0aset-cookie:a=b', '\u00ff\u0080', 'a/'.repeat(500)],
  ),
);
const pages = [
  '/',
  '/healthz',
  '/readyz',
  ...surveys.flatMap(({ path, thankYouPath }) => [path, thankYouPath]),
];
const look = fc
  .tuple(
    fc.constantFrom('GET', 'GET', 'HEAD'),
    fc.oneof(
      fc.constantFrom(...pages),
      fc
        .tuple(fc.constantFrom('/us/', '/api/prefill?affid=', '/'), oddPart)
        .map((parts) => parts.join('')),
    ),
    fc.tuple(inherited, oddPart),
  )
  .map(([method, target, [name, part]]): FuzzRequest => {
    const query = `${target.includes('?') ? '&' : '?'}lang=es&${name}=${part}`;
    return { method, target: target + query, headers: [['accept', 'text/html,*/*']] };
  });

const headerNames =
  'x-forwarded-for x-forwarded-host x-forwarded-proto forwarded referer origin user-agent ' +
  'sec-gpc accept-encoding if-none-match range content-encoding upgrade expect content-type ' +
  'x-http-method-override cookie X-Lead-Secret';
const headerValue = text.map((each) =>
  each.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?').slice(0, 3_000),
);
/** Generates headers that clients and proxies send, and headers that no client should send. */
const headers = fc.array(
  fc.oneof(
    fc.tuple(fc.constantFrom(...headerNames.split(' ')), headerValue),
    fc.constantFrom<[string, string]>(
      ['cookie', `visit_survey_v4nv=01939999-1111-4111-8111-111111111111.${'a'.repeat(32)}`],
      ['cookie', 'variants=constructor.toString; a="b; %=%; constructor=x'],
      ['x-forwarded-for', '203.0.113.7, [2001:db8::1]:443'],
      ['x-forwarded-for', 'unknown, 999.1.1.1'],
      ['x-forwarded-proto', 'https, x'],
    ),
  ),
  { maxLength: 6 },
);
const otherMethod = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND');

/** Generates requests of every kind. */
export const requests: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    fc.oneof({ arbitrary: post, weight: 3 }, form, look),
    headers,
    fc.option(otherMethod, { freq: 15, nil: undefined }),
  )
  .map(([request, more, method = request.method]) => ({
    ...request,
    method,
    headers: [...request.headers, ...more],
  }));

/** Encodes a request as HTTP/1.1. */
export function bytesOf(
  { method, target, headers, body }: FuzzRequest,
  isChunked: boolean,
): Buffer {
  // Replaces blanks and control characters, which would end the URL in the request's first line.
  const path = target.replace(/[^\x21-\x7e\x80-\xff]/g, '_').slice(0, 12_000);
  const head = [`${method} ${path} HTTP/1.1`, 'host: claims.example.com', 'connection: close'];
  for (const [name, given] of headers) head.push(`${name}: ${given}`);
  const bytes = Buffer.from(body ?? '');
  const isWhole = !isChunked || bytes.length === 0;
  head.push(isWhole ? `content-length: ${bytes.length}` : 'transfer-encoding: chunked');
  const start = Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
  if (isWhole) return Buffer.concat([start, bytes]);
  const size = Buffer.from(`${bytes.length.toString(16)}\r\n`);
  return Buffer.concat([start, size, bytes, Buffer.from('\r\n0\r\n\r\n')]);
}
