import { defaultCredentials } from './credentials.ts';

/** Returns a valid lead for the ingest service; `changed` overrides fields. */
export function exampleLead(changed: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    lp_campaign_id: defaultCredentials.lpCampaignId,
    lp_supplier_id: defaultCredentials.lpSupplierId,
    lp_key: defaultCredentials.lpKey,
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

/** Posts JSON and reads the answer, whatever its type. */
export async function postJson(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  return { status: answer.status, headers: answer.headers, body: await readAnswer(answer) };
}

/** Posts a form and reads the answer. */
export async function postForm(
  url: string,
  fields: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
    signal: AbortSignal.timeout(60_000),
  });
  return { status: answer.status, body: await readAnswer(answer) };
}

/** Gets an address and reads the answer. */
export async function get(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const answer = await fetch(url, {
    redirect: 'manual',
    headers,
    signal: AbortSignal.timeout(60_000),
  });
  return { status: answer.status, headers: answer.headers, body: await readAnswer(answer) };
}

async function readAnswer(answer: Response): Promise<unknown> {
  const text = await answer.text();
  return answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
}
