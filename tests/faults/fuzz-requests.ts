/** Requests to every route of the server: valid, nearly valid and hostile ones. */
import { pageAlerts } from '../../src/contract/alerts.ts';
import { askedFields } from '../../src/domain/asked-fields.ts';
import { surveys } from '../../src/flows/surveys.ts';
import { typedAnswers } from '../../src/flows/test-support/samples.ts';
import { tcpaOf } from '../support/consent.ts';
import { testLead } from '../support/leads.ts';
import { brokenBytes, type Draft, goodBytes } from './fuzz-bytes.ts';
import { formMaker } from './fuzz-forms.ts';
import { dress } from './fuzz-headers.ts';
import {
  type Choices,
  hostileText,
  hostileValue,
  inheritedNames,
  noObject,
  oddJson,
} from './fuzz-values.ts';

/** A request as bytes, and what the test may expect of its answer. */
export type FuzzRequest = {
  /** The intended route, as Fastify writes it. */
  readonly route: string;
  readonly method: string;
  readonly bytes: Buffer;
  /** Whether the request is valid HTTP: then it and every following request gets an answer. */
  readonly isHttp: boolean;
  /** The body of a lead post, as text. */
  readonly leadBody: string | undefined;
  /** The id of a valid form's lead, which 303 acknowledges. */
  readonly formLead: string | undefined;
};

/** Every route of the API, as Fastify writes it (fuzz.test.ts compares the list with the server's). */
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

/** Returns a function that makes requests; later ones reuse the leads of earlier ones. */
export function requestMaker(any: Choices, startedAt: Date, files: readonly string[]) {
  const { random, chance, of, uuid, hex } = any;
  /** Leads of earlier requests, each with its secret. */
  const known: { id: string; secret: string }[] = [];
  let serial = 0;
  const postForm = formMaker(any);

  function leadOf(): { id: string; secret: string } {
    if (known.length > 0 && chance(0.25)) {
      const lead = of(known);
      // Mostly the lead's own secret, otherwise a stranger's.
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

  /** Changes a few arbitrary fields of a body. */
  function bend(body: Record<string, unknown>, keeps: readonly string[]): Record<string, unknown> {
    const names = Object.keys(body).filter((name) => !keeps.includes(name));
    for (let change = random.integer(1, 6); change > 0 && names.length > 0; change -= 1) {
      const name = of(names);
      const kind = random.next();
      if (kind < 0.7) body[name] = hostileValue(any);
      else if (kind < 0.8) delete body[name];
      else setOwn(body, chance(0.3) ? of(inheritedNames) : hostileText(any), hostileValue(any));
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

  /** Makes a call of the page about a lead or an answer. */
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
    const inherited = chance(0.3) ? `&${of(inheritedNames)}=${part()}` : '';
    const query = chance(0.6)
      ? `${hasQuery ? '&' : '?'}q=y&lang=es&email=${oddTarget()}${inherited}`
      : '';
    const slash = chance(0.2) && !hasQuery ? '/' : '';
    return {
      route,
      method: chance(0.2) ? 'HEAD' : 'GET',
      target: path + slash + query,
      headers: chance(0.5) ? [['accept', 'text/html,*/*']] : [],
      body: undefined,
    };
  }

  /** Returns part of a request target, in bytes that HTTP allows there. */
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

  function oneOfAll(): Draft {
    const kind = random.next();
    if (kind < 0.38) return postLead();
    if (kind < 0.51) return saveData();
    if (kind < 0.68) return call();
    if (kind < 0.82) return look();
    if (kind < 0.95) return postForm();
    const draft = chance(0.5) ? postLead() : call();
    const { leadBody: _, ...rest } = draft;
    return { ...rest, body: noObject(any) };
  }

  /** Uses another method, or adds an unexpected body. */
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
    dress(any, draft);
    const { route, method, leadBody, formLead } = draft;
    const isBroken = chance(0.04);
    return {
      route,
      method,
      bytes: isBroken ? brokenBytes(any, draft) : goodBytes(any, draft),
      isHttp: !isBroken && method !== 'TRACE',
      leadBody: isBroken ? undefined : leadBody,
      formLead: isBroken ? undefined : formLead,
    };
  };
}

/** Sets an own property, even `__proto__`, as `JSON.parse` does. */
function setOwn(body: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(body, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
