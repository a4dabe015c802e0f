/** Requests to every route of the server: right ones, nearly right ones, and hostile ones. */
import { pageAlerts } from '../../src/contract/alerts.ts';
import { askedFields } from '../../src/domain/lead/asked-fields.ts';
import { typedAnswers } from '../../src/flows/engine/test-samples.ts';
import { surveys } from '../../src/flows/surveys.ts';
import { tcpaOf } from '../support/consent.ts';
import { testLead } from '../support/leads.ts';
import { type Choices, hostileText, hostileValue, noObject, oddJson } from './fuzz-values.ts';

/** One request as bytes, and what may be expected of it. */
export type FuzzRequest = {
  /** The route that it is meant for, as Fastify writes it. */
  readonly route: string;
  readonly method: string;
  readonly bytes: Buffer;
  /** Nothing is wrong with its HTTP: it gets an answer, and so does whatever follows on the connection. */
  readonly isHttp: boolean;
  /** The body of a post of a lead, as text. */
  readonly leadBody: string | undefined;
};

/** Every route of the API, as Fastify writes it (fuzz.test.ts holds the list against the server's own). */
export const apiRoutes = [
  'GET /healthz',
  'GET /readyz',
  'POST /post-lead',
  'POST /api/save-data',
  'GET /us/:zip',
  'POST /api/check/phone',
  'POST /api/check/email',
  'POST /api/check/text',
  'POST /api/estimate',
  'POST /api/mapping',
  'POST /api/buyers',
  'GET /api/prefill',
  'POST /send-slack-message',
  'POST /two-step-verification/code',
] as const;

const thankYouPaths = [...new Set(surveys.map(({ thankYouPath }) => thankYouPath))];

type Draft = {
  route: string;
  method: string;
  /** With its query. */
  target: string;
  headers: [name: string, value: string][];
  body: Buffer | undefined;
  leadBody?: string;
};

/** Makes requests for as long as it is asked; the leads of earlier ones come back in later ones. */
export function requestMaker(any: Choices, startedAt: Date, files: readonly string[]) {
  const { random, chance, of, uuid, hex } = any;
  /** Leads of earlier requests, with the secret of each. */
  const known: { id: string; secret: string }[] = [];
  let serial = 0;

  function leadOf(): { id: string; secret: string } {
    if (known.length > 0 && chance(0.25)) {
      const lead = of(known);
      // Mostly its own secret, else a stranger's.
      return chance(0.7) ? lead : { id: lead.id, secret: hex(32) };
    }
    const lead = { id: uuid(), secret: hex(32) };
    known.push(lead);
    if (known.length > 200) known.shift();
    return lead;
  }

  function validLead(id: string): Record<string, unknown> {
    serial += 1;
    const survey = chance(0.3) ? surveys.find(({ path }) => path === '/survey/v6') : of(surveys);
    if (!survey) throw new Error('There is no survey /survey/v6');
    const { path, language } = survey;
    const lead: Record<string, unknown> = testLead({
      lead_id: id,
      survey: path,
      language,
      ...tcpaOf(survey),
      ef_transaction_id: hex(32),
      email: `visitor.${serial}@example.com`,
      phone: String(2_125_550_000 + (serial % 9_000)),
      consent_shown_at: startedAt.toISOString(),
      submitted_at: startedAt.toISOString(),
    });
    for (const name of Object.keys(askedFields) as (keyof typeof askedFields)[]) {
      const { values } = askedFields[name] as { values?: readonly string[] };
      if (chance(0.3)) lead[name] = values ? of(values) : (typedAnswers[name] ?? '7');
    }
    return lead;
  }

  /** Changes a few fields of a body, whatever they are. */
  function bend(body: Record<string, unknown>, keeps: readonly string[]): Record<string, unknown> {
    const names = Object.keys(body).filter((name) => !keeps.includes(name));
    for (let change = random.integer(1, 6); change > 0 && names.length > 0; change -= 1) {
      const name = of(names);
      const kind = random.next();
      if (kind < 0.7) body[name] = hostileValue(any);
      else if (kind < 0.8) delete body[name];
      else body[hostileText(any)] = hostileValue(any);
    }
    if (chance(0.02)) {
      for (let extra = 0; extra < 250; extra += 1) body[`field_${extra}`] = 'x';
    }
    return body;
  }

  function postLead(): Draft {
    const { id, secret } = leadOf();
    const given = chance(0.3) ? id.toUpperCase() : id;
    const lead = validLead(given);
    const text = chance(0.3) ? JSON.stringify(lead) : oddJson(any, bend(lead, ['lead_id']));
    return { ...post('/post-lead', text, secret), leadBody: text };
  }

  function saveData(): Draft {
    const { id, secret } = leadOf();
    const at = startedAt.toISOString();
    const session = {
      lead_id: id,
      survey: of(surveys).path,
      click_id: hex(32),
      landing_page: 'https://claims.example.com/survey/v4nv',
      params: { s1: 'abc', email: 'maria@mail.example' },
      referer: '',
      started_at: at,
    };
    const entries = Array.from({ length: random.integer(0, 8) }, (_, index) => ({
      seq: index + 1,
      kind: 'answered',
      step: 'AtFault',
      answers: { at_Fault: 'no' },
      seconds: 2,
      at,
    }));
    const data = chance(0.5)
      ? entries
      : entries.map((entry) => (chance(0.2) ? hostileValue(any) : bend({ ...entry }, [])));
    const body = {
      session: chance(0.5) ? session : bend({ ...session }, ['lead_id']),
      data: chance(0.02) ? Array.from({ length: 1_200 }, () => ({})) : data,
    };
    return post('/api/save-data', oddJson(any, body), secret);
  }

  /** A call of the page about a lead or an answer. */
  function call(): Draft {
    const { id, secret } = leadOf();
    const survey = of(surveys).path;
    const [path, body] = of<[string, Record<string, unknown>]>([
      ['/api/check/phone', { phone: '(212) 555-0123', survey }],
      ['/api/check/email', { email: 'maria@mail.example', lead_id: id }],
      ['/api/check/text', { text: 'A truck hit my car from behind at a red light.' }],
      ['/api/estimate', { specific_injury: 'Whiplash', doctor_treatment: 'yes' }],
      ['/api/mapping', { lead_id: id, survey, affid: 1, oid: 81 }],
      ['/send-slack-message', { text: of(pageAlerts) }],
      [
        '/two-step-verification/code',
        {
          lead_id: id,
          survey: of(['/survey/v4nv', survey]),
          twilio: { phone: '+12125550123', sent_status: '', code: of(['', '123456']) },
        },
      ],
      ['/api/buyers', { ...validLead(id), survey: '/survey/v6', zip_code: of(['10001', '20001']) }],
    ]);
    return post(path, oddJson(any, chance(0.4) ? body : bend(body, [])), secret);
  }

  function post(path: string, text: string, secret: string): Draft {
    return {
      route: path,
      method: 'POST',
      target: path,
      headers: [
        ['content-type', 'application/json'],
        ...(chance(0.8) ? [['x-lead-secret', secret] as [string, string]] : []),
      ],
      body: Buffer.from(text),
    };
  }

  function look(): Draft {
    const part = () => (chance(0.5) ? '10001' : oddTarget());
    const ofPages = [...surveys.map(({ path }) => path), ...thankYouPaths, '/'];
    const [route, path] = of<() => [route: string, path: string]>([
      () => ['/healthz', '/healthz'],
      () => ['/readyz', '/readyz'],
      () => ['/us/:zip', `/us/${part()}`],
      () => ['/api/prefill', `/api/prefill?affid=${chance(0.5) ? random.integer(0, 500) : part()}`],
      () => ['(page)', of(ofPages)],
      () => ['(page)', of(thankYouPaths)],
      () => ['(file)', of(files)],
      () => ['(none)', chance(0.5) ? `/${part()}` : `${of(files)}/../${part()}`],
    ])();
    const hasQuery = path.includes('?');
    const query = chance(0.6) ? `${hasQuery ? '&' : '?'}q=y&lang=es&email=${oddTarget()}` : '';
    const slash = chance(0.2) && !hasQuery ? '/' : '';
    return {
      route,
      method: chance(0.2) ? 'HEAD' : 'GET',
      target: path + slash + query,
      headers: chance(0.5) ? [['accept', 'text/html,*/*']] : [],
      body: undefined,
    };
  }

  /** A piece of a request's target, as bytes that HTTP takes there. */
  function oddTarget(): string {
    if (chance(0.3)) return encodeURIComponent(hostileText(any).toWellFormed()).slice(0, 8_000);
    return of([
      '%',
      '%00',
      '%ff',
      '%c0%af',
      '%2e%2e%2f',
      '..',
      '.',
      '//',
      '///example.com/',
      '\\',
      ';',
      '*',
      '?',
      '&&&===',
      '+',
      '%0d%0aset-cookie:a=b',
      'é',
      '\u00ff\u0080',
      '<x>',
      "'",
      '"',
      'a'.repeat(200),
      'a/'.repeat(500),
      '0'.repeat(30),
      '-1',
      'constructor',
      '__proto__',
    ]);
  }

  /** Headers that any client may send. */
  function dress(draft: Draft): void {
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
    maybe(0.1, 'cookie', value);
    maybe(0.1, 'if-none-match', () => of(['*', '""', value()]));
    maybe(0.1, 'if-modified-since', () => of(['Thu, 01 Jan 1970 00:00:00 GMT', value()]));
    maybe(0.05, 'range', () => of(['bytes=0-0', 'bytes=-1', 'bytes=9-1', 'bytes=a-', value()]));
    maybe(0.05, 'expect', () => of(['100-continue', '100-Continue', 'the unexpected']));
    maybe(0.05, 'upgrade', () => of(['websocket', 'h2c', value()]));
    maybe(0.05, 'x-http-method-override', () => 'DELETE');
    maybe(0.05, 'x-forwarded-host', value);
    maybe(0.05, 'x-forwarded-proto', () => of(['https', 'javascript', value()]));
    maybe(0.05, hex(6), value);
    maybe(0.03, 'x-lead-secret', value);
    maybe(0.03, 'origin', () => of(['null', 'https://evil.example']));
    if (draft.body === undefined) return;
    if (chance(0.06)) setHeader(headers, 'content-type', oddType(any));
    maybe(0.03, 'content-encoding', () => of(['gzip', 'br', 'identity', 'x']));
  }

  function oneOfAll(): Draft {
    const kind = random.next();
    if (kind < 0.42) return postLead();
    if (kind < 0.57) return saveData();
    if (kind < 0.77) return call();
    if (kind < 0.93) return look();
    const draft = chance(0.5) ? postLead() : call();
    const { leadBody: _, ...rest } = draft;
    return { ...rest, body: noObject(any) };
  }

  /** Another method, or a body where none is expected. */
  function misuse(draft: Draft): Draft {
    const { leadBody: _, ...rest } = draft;
    const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'];
    return chance(0.7)
      ? { ...rest, method: of(methods) }
      : { ...rest, method: 'GET', body: noObject(any) };
  }

  return function nextRequest(): FuzzRequest {
    let draft = oneOfAll();
    if (chance(0.06)) draft = misuse(draft);
    dress(draft);
    const { route, method, leadBody } = draft;
    const isBroken = chance(0.04);
    return {
      route,
      method,
      bytes: isBroken ? brokenBytes(any, draft) : goodBytes(any, draft),
      isHttp: !isBroken && method !== 'TRACE',
      leadBody: isBroken ? undefined : leadBody,
    };
  };
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

/** The request as HTTP/1.1 has it: with a length or in chunks. */
function goodBytes(any: Choices, { method, target, headers, body }: Draft): Buffer {
  const { chance, random } = any;
  const isChunked = body !== undefined && chance(0.1);
  const head = [`${method} ${escaped(target)} HTTP/1.1`, 'host: claims.example.com'];
  for (const [name, value] of headers) head.push(`${name}: ${value}`);
  if (isChunked) head.push('transfer-encoding: chunked');
  else if (body !== undefined) head.push(`content-length: ${body.length}`);
  const start = Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
  if (!isChunked || body === undefined) return Buffer.concat([start, body ?? Buffer.alloc(0)]);
  const parts: Buffer[] = [start];
  for (let at = 0; at < body.length; ) {
    const part = body.subarray(at, at + random.integer(1, body.length + 1));
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
    at += part.length;
  }
  parts.push(Buffer.from(chance(0.2) ? '0\r\nx-trailer: 1\r\n\r\n' : '0\r\n\r\n'));
  return Buffer.concat(parts);
}

/** Neither blanks nor control characters, which would end a target. */
function escaped(target: string): string {
  return target.replace(/[^\x21-\x7e\x80-\xff]/g, '_').slice(0, 12_000);
}

/** Bytes that are hardly HTTP. They need get no answer, and the connection may end. */
function brokenBytes(any: Choices, draft: Draft): Buffer {
  const { of, random, hex } = any;
  const good = goodBytes(any, draft);
  const text = good.toString('latin1');
  const firstLine = text.slice(0, text.indexOf('\r\n'));
  const rest = text.slice(firstLine.length);
  const target = escaped(draft.target);
  return Buffer.from(
    of([
      () => `${draft.method} ${target} HTTP/9.9${rest}`,
      () => `${draft.method} ${target} HTTP/1.0${rest}`,
      () => `${draft.method} ${target}${rest}`,
      () => `${hex(5)} ${target} HTTP/1.1${rest}`,
      () => `CONNECT evil.example:443 HTTP/1.1${rest}`,
      () => `${draft.method} http://evil.example${target} HTTP/1.1${rest}`,
      () => `${draft.method} * HTTP/1.1${rest}`,
      () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      () => `\x16\x03\x01\x02\x00\x01${hex(200)}`,
      () => text.replace(/\r\nhost: [^\r]*/, ''),
      () => text.replace('\r\n', '\r\nhost: another.example\r\n'),
      () => text.replace('\r\n', '\r\ncontent-length: 5\r\ncontent-length: 6\r\n'),
      () => text.replace('\r\n', '\r\ncontent-length: -1\r\n'),
      () => text.replace('\r\n', '\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\n'),
      () => text.replace('\r\n', '\r\ntransfer-encoding: gzip, chunked\r\n'),
      () => text.replace('\r\n', `\r\nx-long: ${'x'.repeat(random.integer(15_000, 40_000))}\r\n`),
      () => text.replace('\r\n', `\r\n${'a: b\r\n'.repeat(3_000)}`),
      () => text.replace('\r\n', '\r\nno colon here\r\n'),
      () => text.replace('\r\n', '\r\nnul: a\u0000b\r\n'),
      () => text.replaceAll('\r\n', '\n'),
      () => `${firstLine}\r\n folded: header${rest}`,
      () => {
        const at = random.integer(0, text.length);
        return text.slice(0, at) + String.fromCharCode(random.integer(0, 256)) + text.slice(at + 1);
      },
    ])(),
    'latin1',
  );
}
