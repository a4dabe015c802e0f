import { expect, it } from 'vitest';
import { parseSettings } from '../config/settings.ts';
import { type SummaryLine, startSummary } from './start-summary.ts';

const summary = (env: NodeJS.ProcessEnv, others: readonly SummaryLine[] = []) =>
  startSummary(parseSettings(env).settings, ['Console', 'http://localhost:3001'], others);

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
  const lines = summary({ ...full, OPERATORS_TIME_ZONE: 'US/Pacific' }, [
    ['Sandbox', 'http://localhost:4010'],
  ]);
  expect(lines.slice(1)).toEqual([
    '  Leads     stored in claims at db.example.com:5433; sent to the lead-ingest service (Lead Prosper), ' +
      'the automation webhook for bad words by another process: DELIVERY_CONCURRENCY is 0 here',
    expect.stringContaining('  Services  4 real, '),
    '  Days      of the console are counted in US/Pacific; OPERATORS_TIME_ZONE sets another zone',
    '  Sandbox   http://localhost:4010',
  ]);
  expect(lines.join('\n')).not.toContain('secret-');
});
