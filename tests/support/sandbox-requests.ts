import { credentials } from '../../sandbox/credentials.ts';

/** Returns a valid lead for the ingest service. `changed` overrides fields. */
export function exampleLead(changed: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    lp_campaign_id: credentials.lpCampaignId,
    lp_supplier_id: credentials.lpSupplierId,
    lp_key: credentials.lpKey,
    lead_id: '018f2b5e-7c1a-7000-8000-000000000001',
    survey: '/survey/v4nv',
    first_name: 'Maria',
    last_name: 'Sandoval',
    email: 'maria@example.com',
    phone: '2125550101',
    zip_code: '90210',
    state: 'CA',
    physical_injury: 'Yes',
    with_Lawyer: 'no',
    at_Fault: 'no',
    incident_date: '2026-01-01',
    accident_limit_exceeded: 0,
    case_description: 'I was hit from behind at a red light.',
    ...changed,
  };
}

type Answer = { status: number; headers: Headers; body: unknown };

async function ask(url: string, request: RequestInit): Promise<Answer> {
  const signal = AbortSignal.timeout(60_000);
  const answer = await fetch(url, { redirect: 'manual', signal, ...request });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json');
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
}

export function postJson(url: string, body: unknown, headers = {}): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all = { 'content-type': 'application/json', ...headers };
  return ask(url, { method: 'POST', headers: all, body: text });
}

export function postForm(
  url: string,
  fields: Record<string, string>,
  headers = {},
): Promise<Answer> {
  const all = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
  return ask(url, { method: 'POST', headers: all, body: new URLSearchParams(fields).toString() });
}

export const get = (url: string) => ask(url, {});
