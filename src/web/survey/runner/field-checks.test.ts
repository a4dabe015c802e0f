import { afterEach, expect, it, vi } from 'vitest';
import { leadIdHeader, leadSecretHeader } from '../../../model/messages/lead.ts';
import type { Visit } from '../../../model/visit/visit.ts';
import { pageData } from '../test-support/survey-fixture.ts';
import { FieldChecks } from './field-checks.ts';

afterEach(() => vi.unstubAllGlobals());

it('every check of a field is sent with the id and the secret of the lead', async () => {
  const seen: [path: string, leadId: unknown, secret: string | null, method: string][] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    const { method = 'GET', headers, body } = init;
    const shown = new Headers(headers);
    const { lead_id } = JSON.parse(String(body ?? '{}')) as { lead_id?: string };
    seen.push([path, lead_id ?? shown.get(leadIdHeader), shown.get(leadSecretHeader), method]);
    return Response.json({});
  });
  const visit = { secret: 'secret', session: { lead_id: 'lead' } } as Visit;
  const checks = new FieldChecks({ data: pageData(), visit });
  await checks.start('zip_code', '10001');
  await checks.start('phone', '2125550123');
  await checks.start('email', 'ana@mail.example');
  expect(checks.start('email', 'ana@mail.example eva@mail.example')).toBeUndefined();
  checks.startText('A truck hit my car.');
  await new Promise((resolve) => setTimeout(resolve));
  expect(seen).toEqual([
    // The URL contains no id of the visitor, so that caches may store the answer.
    ['/us/10001', 'lead', 'secret', 'GET'],
    ['/api/check/phone', 'lead', 'secret', 'POST'],
    ['/api/check/email', 'lead', 'secret', 'POST'],
    ['/api/check/text', 'lead', 'secret', 'POST'],
  ]);
});
