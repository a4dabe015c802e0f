import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from './server.ts';
import { exampleLead, get, postForm, postJson } from './testing.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

it('lists requests, newest first, escaped, and loads nothing from other hosts', async () => {
  await postJson(`${sandbox.url}/ingest`, exampleLead({ first_name: '<script>alert(1)</script>' }));
  await postJson(`${sandbox.url}/ingest`, exampleLead({ phone: '1' }));
  const { status, headers, body } = await get(`${sandbox.url}/`);
  const html = String(body);
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(html).toContain('&lt;script&gt;');
  expect(html).not.toMatch(/<script|<link|<img|https?:\/\/(?!127\.0\.0\.1)/);
  expect(html.indexOf('phone: expected 10 digits')).toBeLessThan(html.indexOf('&lt;script&gt;'));
  expect(html).toContain('maria@example.com');
  expect(html).not.toContain('sandbox-lp-key');
});

it('shows what each request is about, and whether it is well formed', async () => {
  const { slackPath } = sandbox.credentials;
  await postJson(sandbox.url + slackPath, { text: 'The ingest service is left alone' });
  const good = String((await get(`${sandbox.url}/`)).body);
  expect(good).toContain('The ingest service is left alone');
  expect(good).toContain('>Well formed<');
  expect(good).not.toContain('>Violation<');
  await postJson(sandbox.url + slackPath, { type: 'delivery.failed', data: { destination: 'x' } });
  const bad = String((await get(`${sandbox.url}/`)).body);
  expect(bad).toContain('delivery.failed of x');
  expect(bad).toContain('>Violation<');
});

it('filters by service', async () => {
  await postJson(`${sandbox.url}/ingest`, exampleLead());
  await get(`${sandbox.url}/us/90210`);
  const html = String((await get(`${sandbox.url}/?service=zip`)).body);
  expect(html).toContain('GET /us/90210');
  expect(html).not.toContain('POST /ingest');
});

it('has forms that make a service fail and recover', async () => {
  const form = { service: 'ingest', mode: '500', times: '', delay_ms: '' };
  const told = await postForm(`${sandbox.url}/_sandbox/fail`, form, { origin: sandbox.url });
  expect(told.status).toBe(303);
  expect((await postJson(`${sandbox.url}/ingest`, exampleLead())).status).toBe(500);
  expect(String((await get(`${sandbox.url}/`)).body)).toContain('ingest: 500, every request');
  await postForm(`${sandbox.url}/_sandbox/fail`, { service: 'ingest', mode: 'none' });
  expect((await postJson(`${sandbox.url}/ingest`, exampleLead())).status).toBe(200);
});

it('folds all failures into one line, with one button that stops them', async () => {
  expect(String((await get(`${sandbox.url}/`)).body)).not.toContain('Stop all failures');
  sandbox.fail({ service: 'ingest', mode: '500' });
  sandbox.fail({ service: 'phone', mode: 'timeout', times: 3 });
  const html = String((await get(`${sandbox.url}/`)).body);
  const folded = /<details>((?!<\/details>).)*phone: timeout, 3 more.*?<\/details>/s.exec(
    html,
  )?.[0];
  expect(folded).toContain('ingest: 500, every request');
  expect(html.replace(folded ?? '', '')).toMatch(/2 services fail.*Stop all failures/s);
  const all = { service: 'all', mode: 'none' };
  const told = await postForm(`${sandbox.url}/_sandbox/fail`, all, { origin: sandbox.url });
  expect(told.status).toBe(303);
  const { body } = await get(`${sandbox.url}/_sandbox/fail`);
  expect(body).toEqual([]);
});
