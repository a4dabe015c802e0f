/** Headers that any client or proxy may send, and some that none should. */
import type { Draft } from './fuzz-bytes.ts';
import { type Choices, hostileText, inheritedNames } from './fuzz-values.ts';

/** Values that a trusted or misused proxy may send about the connection. */
const forwardedProtocols = [
  'https',
  'http',
  'HTTPS',
  'javascript',
  'data',
  'https, x',
  '',
  ',',
  ':',
  '://',
];
const forwardedHosts = ['claims.example.com', 'a b', '[::1', 'x:99999', '@', '', 'a/../b', '%00'];

/** Adds headers that any client may send. */
export function dress(any: Choices, draft: Draft): void {
  const { chance, of, hex } = any;
  const { headers } = draft;
  const odd = (text: string) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
  const value = () => odd(hostileText(any)).slice(0, 3_000);
  const maybe = (part: number, name: string, make: () => string) => {
    if (chance(part)) headers.push([name, make()]);
  };
  maybe(0.7, 'x-forwarded-for', () => oddAddresses(any));
  maybe(0.5, 'user-agent', () => (chance(0.5) ? 'TestBrowser/1.0' : value()));
  maybe(0.3, 'referer', () => (chance(0.5) ? 'https://a.example/?email=x' : value()));
  maybe(0.2, 'sec-gpc', () => of(['1', '0', '1, 1', value()]));
  maybe(0.3, 'accept-encoding', () => of(['br', 'gzip, br', 'identity', '*', value()]));
  maybe(0.2, 'cookie', () => (chance(0.5) ? oddCookies(any) : value()));
  maybe(0.1, 'if-none-match', () => of(['*', '""', value()]));
  maybe(0.1, 'if-modified-since', () => of(['Thu, 01 Jan 1970 00:00:00 GMT', value()]));
  maybe(0.05, 'range', () => of(['bytes=0-0', 'bytes=-1', 'bytes=9-1', 'bytes=a-', value()]));
  maybe(0.05, 'expect', () => of(['100-continue', '100-Continue', 'the unexpected']));
  maybe(0.05, 'upgrade', () => of(['websocket', 'h2c', value()]));
  maybe(0.05, 'x-http-method-override', () => 'DELETE');
  maybe(0.15, 'x-forwarded-host', () => of([...forwardedHosts, value()]));
  maybe(0.05, 'x-forwarded-port', () => of(['443', '-1', '99999', value()]));
  maybe(0.05, 'forwarded', () => of(['for=203.0.113.7;proto=https', 'proto=javascript', value()]));
  maybe(0.05, of(inheritedNames), value);
  maybe(0.3, 'x-forwarded-proto', () => of([...forwardedProtocols, value()]));
  maybe(0.05, hex(6), value);
  maybe(0.03, 'x-lead-secret', value);
  maybe(0.03, 'origin', () => of(['null', 'https://evil.example']));
  if (chance(0.1)) repeat(any, headers);
  if (draft.body === undefined) return;
  if (chance(0.06)) setHeader(headers, 'content-type', oddType(any));
  maybe(0.03, 'content-encoding', () => of(['gzip', 'br', 'identity', 'x']));
}

function setHeader(headers: [string, string][], name: string, value: string): void {
  const found = headers.find(([each]) => each === name);
  if (found) found[1] = value;
  else headers.push([name, value]);
}

function oddType(any: Choices): string {
  return any.of([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json;',
    'APPLICATION/JSON',
    'application/jsonx',
    'application/problem+json',
    'application/json, text/plain',
    'json',
    '/',
    '',
  ]);
}

function oddAddresses(any: Choices): string {
  const { of, random, chance } = any;
  const one = () =>
    chance(0.7)
      ? `203.0.${random.integer(0, 256)}.${random.integer(0, 256)}`
      : of([
          'unknown',
          '203.0.113.7:4711',
          '[2001:db8::1]:443',
          '2001:db8::1%eth0',
          '::ffff:10.0.0.1',
          '999.1.1.1',
          '127.0.0.1',
          "'; drop table leads",
          '',
          'é',
        ]);
  return Array.from({ length: random.integer(1, 4) }, one).join(of([',', ', ', ' , ']));
}

/** Returns cookies with our names and foreign values, and names that every object inherits. */
function oddCookies(any: Choices): string {
  const { of, random, uuid, hex } = any;
  const visit = () =>
    of([`${uuid()}.${hex(32)}`, uuid(), '.', hex(300), 'constructor.constructor']);
  const one = () =>
    of([
      () => `visit_survey-sl=${visit()}`,
      () => `visit_survey_v4nv=${visit()}`,
      () => `__Host-visit_survey-sl=${visit()}`,
      () => `variants=${of(['theme.plain', 'constructor.toString', '~~~', '__proto__.x'])}`,
      () => `${of(inheritedNames)}=${hex(4)}`,
      () => of(['=', ';', 'a', '=x', '%=%', 'a="b']),
    ])();
  return Array.from({ length: random.integer(1, 5) }, one).join(of(['; ', ';', ' ; ']));
}

/** Repeats a header with the same or another value. A repeated `host` is refused. */
function repeat(any: Choices, headers: [string, string][]): void {
  const { of, chance, random } = any;
  const known = [...headers, ['host', 'claims.example.com'] as [string, string]];
  for (let times = random.integer(1, 4); times > 0; times -= 1) {
    const [name, value] = of(known);
    const other = of(['', 'x', 'https', 'another.example', value.slice(1)]);
    headers.push([chance(0.2) ? name.toUpperCase() : name, chance(0.5) ? value : other]);
  }
}
