import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { fieldsWhere } from '../../src/model/fields/lead-fields.ts';
import type { ConsoleRoute } from './console.ts';
import { seedLead } from './ledger.ts';

/** Matches every canary and every personal value of `seedLead`. */
export const CANARY =
  /canary|kanarienvogel|5550147|555-0147|203[.]0[.]113[.](?:147|77)|AnasBrowser|ana[.]diaz/i;

const canaryEmail = 'canary.bird@mail.example';
const canaryPhone = '2125550147';
const address = '203.0.113.147';
const query = `?email=${canaryEmail}&name=Kanarienvogel`;

const fields: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    fieldsWhere(({ isPersonal }) => isPersonal === true).map((name) => [name, 'Kanarienvogel']),
  ),
  first_name: 'Kanarienvogel',
  last_name: 'Canaryson',
  email: canaryEmail,
  phone: canaryPhone,
  address: '1 Canary Wharf',
  city: 'Canary City',
  county: 'Canary County',
  case_description: 'The canary sat in my car when a truck hit it.',
  date_of_birth: '1985-04-12',
};

/** The ids of the rows that contain canaries. */
export type Canary = Awaited<ReturnType<typeof seedCanary>>;

/** Writes a lead with a recognizable value, the canary, in each personal column. */
export async function seedCanary(pool: pg.Pool) {
  const [deliveryId, requestId, planId] = [randomUUID(), randomUUID(), randomUUID()];
  const statementId = randomUUID();
  const leadId = await seedLead(pool, {
    revisions: [fields, { ...fields, address: '2 Canary Wharf' }],
    deliveries: [
      { id: deliveryId, state: 'dead', revision: 1 },
      { destination: 'webhook', state: 'rejected', revision: 1 },
    ],
  });
  const said = `Kanarienvogel ${canaryEmail} is known`;
  const browser = 'CanaryBrowser/1.0';
  const statements: readonly (readonly [string, unknown[]])[] = [
    [
      `update clicks set landing_page = $2, referer = $2, ip = $3, user_agent = $4,
         params = jsonb_build_object('s1', 'abc', 'first_name', 'Kanarienvogel') where lead_id = $1`,
      [leadId, `https://example.com/survey/v4nv${query}`, address, browser],
    ],
    ['update leads set ip = $2, user_agent = $3 where id = $1', [leadId, address, browser]],
    ['update deliveries set last_message = $2 where lead_id = $1', [leadId, said]],
    [
      `update delivery_attempts set response = $2, error = $2
       where delivery_id in (select id from deliveries where lead_id = $1)`,
      [leadId, said],
    ],
    [
      `update lead_checks set said = jsonb_build_object('name', $2::text), reason = $2
       where lead_id = $1`,
      [leadId, said],
    ],
    [
      `update consents set ip = $2, user_agent = $3, page = $4, text = $5, sent_text = $5, version = $5
       where lead_id = $1`,
      [leadId, address, browser, `https://example.com/${query}`, `I, Kanarienvogel, agree.`],
    ],
    [
      `insert into opt_out_requests (id, language, name, email, phone, state, sec_gpc, ip, user_agent, page,
         leads, stopped, receipts)
       values ($1, 'en', 'Kanarienvogel', $2, $3, 'NY', false, $4, $5, $6, 1, 0, '[]')`,
      [requestId, canaryEmail, canaryPhone, address, browser, `https://example.com/${query}`],
    ],
  ];
  for (const [text, values] of statements) await pool.query(text, values);
  await pool.query(
    `insert into visit_summaries (lead_id, began_at, survey, received_at, lead_state, revision, qualified, name_key)
     select id, created_at, survey, created_at, state, revision, qualified, 'canaryson kanarienvogel'
     from leads where id = $1`,
    [leadId],
  );
  await pool.query(
    `insert into plans (id, action, selection, reason, actor) values ($1, 'resend', '1 lead', 'x', 'x')`,
    [planId],
  );
  await pool.query(
    `insert into plan_items (plan_id, number, lead_id, delivery_id, state, text)
     values ($1, 1, $2, $3, 'due', 'x')`,
    [planId, leadId, deliveryId],
  );
  await pool.query(
    `insert into statements (id, destination, first_day, last_day, file_name, lines, agree, ours, theirs, actor)
     values ($1, 'ingest', '2026-11-01', '2026-11-30', 'x.csv', 1, 1, 0, 0, 'x')`,
    [statementId],
  );
  return { leadId, deliveryId, requestId, planId, statementId };
}

/** Maps a path segment and the route parameter after it to a value, such as an id. */
const parameters: Readonly<Record<string, (canary: Canary) => string>> = {
  'leads/:id': ({ leadId }) => leadId,
  'leads/:lead': ({ leadId }) => leadId,
  'deliveries/:delivery': ({ deliveryId }) => deliveryId,
  'attempts/:attempt': () => '1',
  'plans/:id': ({ planId }) => planId,
  'statements/:id': ({ statementId }) => statementId,
};

const DAY_MS = 86_400_000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Maps a required query parameter to a value. */
const queryValues: Readonly<Record<string, string>> = {
  from: dayOf(Date.now() - 7 * DAY_MS),
  to: dayOf(Date.now()),
  survey: '/survey/v4nv',
  dimension: 'source',
  list: 'open',
  key: 'source',
};

const searches = [canaryEmail, canaryPhone, 'Canaryson'];

/** Returns URLs of a route, with and without searches. Throws for an unknown parameter. */
export function addressesOf({ url, query }: ConsoleRoute, canary: Canary): string[] {
  const parts = url.split('/');
  const path = parts.map((part, index) => {
    if (!part.startsWith(':') && part !== '*') return part;
    const fill = parameters[`${parts[index - 1]}/${part}`];
    if (fill === undefined) throw new Error(`console-canary.ts cannot fill ${part} of ${url}`);
    return fill(canary);
  });
  const needed = query.required.map((key) => {
    const value = queryValues[key];
    if (value === undefined) throw new Error(`console-canary.ts cannot fill ?${key} of ${url}`);
    return [key, value] as const;
  });
  const canSearch = Object.hasOwn(query.properties, 'q');
  const queries = [[], ...(canSearch ? searches.map((text) => [['q', text] as const]) : [])];
  return queries.map((more) => {
    const text = new URLSearchParams([...needed, ...more].map(([key, value]) => [key, value]));
    return `${path.join('/')}${text.size > 0 ? `?${text}` : ''}`;
  });
}
