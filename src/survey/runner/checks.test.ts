import { expect, it } from 'vitest';
import { leadIdHeader, leadSecretHeader } from '../../contract/lead.ts';
import { Checks } from './checks.ts';

it('every check names its lead, and shows whose it is', async () => {
  const seen: [path: string, leadId: unknown, secret: string | null, method: string][] = [];
  const doFetch = async (path: string, { method = 'GET', headers, body }: RequestInit = {}) => {
    const shown = new Headers(headers);
    const { lead_id } = JSON.parse(String(body ?? '{}')) as { lead_id?: string };
    seen.push([path, lead_id ?? shown.get(leadIdHeader), shown.get(leadSecretHeader), method]);
    return Response.json({});
  };
  const checks = new Checks('/survey/v4nv', 'lead', doFetch as typeof fetch, true, 'secret');
  await checks.start('zip_code', '10001');
  await checks.start('phone', '2125550123');
  await checks.start('email', 'ana@mail.example');
  // Not one address: the form says so, no service is asked.
  expect(checks.start('email', 'ana@mail.example eva@mail.example')).toBeUndefined();
  checks.startText('A truck hit my car.');
  await new Promise((resolve) => setTimeout(resolve));
  expect(seen).toEqual([
    // Nothing of the visitor is in the address: caches may keep the answer.
    ['/us/10001', 'lead', 'secret', 'GET'],
    ['/api/check/phone', 'lead', 'secret', 'POST'],
    ['/api/check/email', 'lead', 'secret', 'POST'],
    ['/api/check/text', 'lead', 'secret', 'POST'],
  ]);
});
