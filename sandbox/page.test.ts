import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { exampleLead, get, postForm, postJson } from '../tests/support/sandbox-requests.ts';
import { type Sandbox, startSandbox } from './server.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const page = async (query = '') => String((await get(`${sandbox.url}/${query}`)).body);

it('the page lists requests newest first, escapes them, filters by service, and loads no other files', async () => {
  await postJson(`${sandbox.url}/ingest`, exampleLead({ first_name: '<script>alert(1)</script>' }));
  await postJson(`${sandbox.url}/ingest`, exampleLead({ phone: '1' }));
  await get(`${sandbox.url}/us/90210`);
  const { headers } = await get(`${sandbox.url}/`);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  const html = await page();
  expect(html).not.toMatch(/<script|<link|<img|https?:\/\/(?!127\.0\.0\.1)/);
  expect(html.indexOf('phone: expected 10 digits')).toBeLessThan(html.indexOf('&#60;script&#62;'));
  expect(html).not.toContain('sandbox-lp-key');
  expect(await page('?service=zip')).toContain('GET /us/90210');
  expect(await page('?service=zip')).not.toContain('POST /ingest');
});

it('the page has forms that make services fail, and a button that stops all failures', async () => {
  const headers = { origin: sandbox.url };
  const set = (form: Record<string, string>) =>
    postForm(`${sandbox.url}/_sandbox/fail`, form, headers);
  expect(await page()).not.toContain('>Stop<');
  const form = { service: 'ingest', mode: '500', times: '', delay_ms: '' };
  expect((await set(form)).status).toBe(303);
  expect((await postJson(`${sandbox.url}/ingest`, exampleLead())).status).toBe(500);
  sandbox.fail({ service: 'phone', mode: 'timeout', times: 3 });
  const html = await page();
  for (const shown of ['ingest: 500, every request', 'phone: timeout, 3 more', '2 services fail']) {
    expect(html).toContain(shown);
  }
  await set({ service: 'all', mode: 'none' });
  expect((await get(`${sandbox.url}/_sandbox/fail`)).body).toEqual([]);
});
