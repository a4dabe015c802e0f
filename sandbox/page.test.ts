import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from './server.ts';
import { exampleLead, get, postForm, postJson } from './testing.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

it('lists what came in, newest first, escaped, and loads nothing from anywhere', async () => {
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

it('filters by service', async () => {
  await postJson(`${sandbox.url}/ingest`, exampleLead());
  await get(`${sandbox.url}/us/90210`);
  const html = String((await get(`${sandbox.url}/?service=zip`)).body);
  expect(html).toContain('GET /us/90210');
  expect(html).not.toContain('POST /ingest');
});

it('makes a service fail and recover by its forms', async () => {
  const form = { service: 'ingest', mode: '500', times: '', delay_ms: '' };
  const told = await postForm(`${sandbox.url}/_sandbox/fail`, form, { origin: sandbox.url });
  expect(told.status).toBe(303);
  expect((await postJson(`${sandbox.url}/ingest`, exampleLead())).status).toBe(500);
  expect(String((await get(`${sandbox.url}/`)).body)).toContain('ingest: 500, every request');
  await postForm(`${sandbox.url}/_sandbox/fail`, { service: 'ingest', mode: 'none' });
  expect((await postJson(`${sandbox.url}/ingest`, exampleLead())).status).toBe(200);
});
