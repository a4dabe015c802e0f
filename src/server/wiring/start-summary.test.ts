import { expect, it } from 'vitest';
import { parseSettings } from '../config/settings.ts';
import { type SummaryLine, startRecord, startSummary } from './start-summary.ts';

const operationsUrl = 'http://127.0.0.1:13000';
const summary = (env: NodeJS.ProcessEnv, others: readonly SummaryLine[] = []) =>
  startSummary(parseSettings(env).settings, { operationsUrl }, others);

it('shows the defaults: where leads are stored, and what replaces each third party', () => {
  const lines = summary({ DATA_DIR: '/srv/funnel data' });
  expect(lines.slice(0, 5)).toEqual([
    '  Operations  http://127.0.0.1:13000/metrics, /healthz, /readyz',
    '  Database    embedded, in /srv/funnel data/postgres',
    '  Leads       stored, but not sent anywhere yet',
    '  Embedded    phone validation: the numbering plan (needs PHONE_CHECK_URL, PHONE_CHECK_KEY)',
    '              e-mail validation: pattern, disposable domains, and whether the domain takes mail (needs EMAIL_CHECK_URL, EMAIL_CHECK_KEY)',
  ]);
  expect(lines).toContain(
    '  Off         the lead-ingest service (Lead Prosper): leads are kept; send them yourself after setup (needs INGEST_URL, INGEST_CAMPAIGN_ID, INGEST_SUPPLIER_ID, INGEST_KEY)',
  );
  expect(lines).toContain('              available buyers: the fallback buyers (needs BUYERS_URL)');
  expect(lines.join('\n')).not.toContain('Real');
});

const full = {
  DATABASE_URL: 'postgres://funnel:secret-1@db.example.com:5433/claims?password=secret-2',
  INGEST_URL: 'https://ingest.example',
  INGEST_CAMPAIGN_ID: '1',
  INGEST_SUPPLIER_ID: '2',
  INGEST_KEY: 'secret-3',
  AUTOMATION_WEBHOOK_URL: 'https://hooks.example/secret-4',
  BUYERS_URL: 'https://buyers.example',
  PREFILL_URL: 'https://prefill.example',
  DELIVERY_CONCURRENCY: '0',
};

it('shows what is on, without passwords or keys', () => {
  const lines = summary(full, [['Sandbox', 'http://localhost:4010']]);
  expect(lines.slice(0, 8)).toEqual([
    '  Operations  http://127.0.0.1:13000/metrics, /healthz, /readyz',
    '  Database    claims at db.example.com:5433',
    '  Leads       sent to the lead-ingest service (Lead Prosper), the automation webhook for bad words',
    '              by another process: DELIVERY_CONCURRENCY is 0 here',
    '  Real        the lead-ingest service (Lead Prosper)',
    '              the automation webhook for bad words',
    '              available buyers',
    '              prefill of affiliates',
  ]);
  expect(lines.at(-1)).toBe('  Sandbox     http://localhost:4010');
  expect(lines.join('\n')).not.toContain('secret-');
});

it('shows that metrics are off', () => {
  const { settings } = parseSettings({ OPERATIONS_PORT: 'off' });
  expect(startSummary(settings, { operationsUrl: undefined })[0]).toBe('  Operations  off');
});

it('is one log record with every third party', () => {
  const { settings } = parseSettings(full);
  const url = 'http://localhost:3000';
  const makeStartLink = async () => 'secret-link';
  const console = { url: 'http://localhost:3001', makeStartLink };
  const record = startRecord(settings, { url, operationsUrl, console });
  expect(record).toMatchObject({
    url,
    operationsUrl,
    consoleUrl: console.url,
    database: 'DATABASE_URL',
    deliveryConcurrency: 0,
    thirdParties: { ingest: 'real', automation: 'real', buyers: 'real', phone: 'embedded' },
  });
  expect(Object.keys(record.thirdParties)).toEqual(settings.thirdParties.map(({ name }) => name));
  expect(JSON.stringify(record)).not.toContain('secret-');
});
