/** The requests of the console's pages, as the browser makes them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LeadListAnswer } from '../src/contract/console/leads.ts';
import { type BreakdownAnswer, dimensions } from '../src/contract/console/numbers.ts';
import type { Plan } from '../src/contract/console/work.ts';
import { lastDays, type Operator } from './console-client.ts';

/** A request of a page. */
export type PageRequest = { readonly name: string; readonly ask: () => Promise<unknown> };

/** How many leads the plan has. */
const PLANNED = 1_000;

/** Filters of the list: common, rare, combined, and those without any lead. */
const filters = [
  'from=2026-01-01',
  'survey=/survey/v4nv',
  'lead=held&hold=missing_consent',
  'delivery=dead&destination=ingest',
  'delivery=waiting',
  'qualified=no&reason=with_Lawyer|yes',
  'source=google&state=TX&language=en',
  'variant=buttons.rounded&affiliate=12',
  'tests=only',
  'survey=/survey/v4nv&lead=held&source=tiktok&state=NV&delivery=held',
] as const;

/** Returns every request, for the leads and surveys that there are. */
export async function pageRequests(operator: Operator): Promise<PageRequest[]> {
  const requests: PageRequest[] = [];
  const add = (name: string, path: string) =>
    requests.push({ name, ask: () => operator.get(path) });
  const leads = await newestLeads(operator);
  const [first = ''] = leads;
  const survey = await busiestSurvey(operator);
  for (const days of [1, 7, 30]) {
    add(`overview, ${days} days`, `/api/overview?${lastDays(days)}`);
    add(`deliveries, ${days} days`, `/api/deliveries?${lastDays(days)}`);
    add(`funnel, ${days} days`, `/api/funnels?survey=${survey}&${lastDays(days)}`);
  }
  add('funnel, one source', `/api/funnels?survey=${survey}&segment=source=google&${lastDays(30)}`);
  for (const dimension of dimensions) {
    add(`breakdown by ${dimension}`, `/api/breakdown?dimension=${dimension}&${lastDays(30)}`);
  }
  add('now', '/api/now');
  for (const filter of ['', ...filters]) {
    const name = filter || 'all';
    add(`leads: ${name}`, `/api/leads?limit=100&${encodeURI(filter)}`);
    add(`count: ${name}`, `/api/leads/count?${encodeURI(filter)}`);
  }
  const texts = {
    ...{ phone: '(212) 555-0002', email: 'person.2@example.com', name: 'nguyen', id: first },
  };
  for (const [kind, text] of Object.entries(texts)) {
    add(`search by ${kind}`, `/api/leads?limit=100&q=${encodeURIComponent(text)}`);
  }
  add('a lead', `/api/leads/${first}`);
  add('values of a filter', '/api/lead-values?key=source');
  add('experiments', `/api/experiments?${lastDays(30).replace(/&.*/, '')}`);
  add('surveys', '/api/surveys');
  add('do not contact', '/api/suppressions');
  add('requests', '/api/opt-outs?outcome=waiting');
  add('erasures', '/api/erasures');
  add('system', '/api/system');
  add('settings', '/api/system/settings');
  add('audit log', '/api/system/audit');
  return [...requests, ...(await planRequests(operator, leads))];
}

async function planRequests(
  operator: Operator,
  leadIds: readonly string[],
): Promise<PageRequest[]> {
  const request = { action: 'resend', reason: 'bench', leadIds };
  const make = () => operator.post<Plan>('/api/plans', request);
  const { id } = await make();
  // Its list is made in the background.
  while ((await operator.get<Plan>(`/api/plans/${id}`)).state === 'making') await sleep(100);
  return [
    { name: `making a plan of ${leadIds.length}`, ask: make },
    { name: 'a plan', ask: () => operator.get(`/api/plans/${id}`) },
    { name: 'items of a plan', ask: () => operator.get(`/api/plans/${id}/items`) },
    { name: 'plans', ask: () => operator.get('/api/plans') },
  ];
}

async function newestLeads(operator: Operator): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ''; ids.length < PLANNED; ) {
    const page = await operator.get<LeadListAnswer>(`/api/leads?limit=100${after}`);
    ids.push(...page.rows.map(({ id }) => id));
    if (page.next === null) break;
    after = `&after=${page.next}`;
  }
  return ids;
}

async function busiestSurvey(operator: Operator): Promise<string> {
  const path = `/api/breakdown?dimension=survey&${lastDays(30)}`;
  const { rows } = await operator.get<BreakdownAnswer>(path);
  const [busiest] = rows.filter(({ value }) => value.startsWith('/survey/'));
  if (!busiest) throw new Error('there are no visits: the database is empty');
  return busiest.value;
}
