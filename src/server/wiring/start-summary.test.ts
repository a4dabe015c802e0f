import { expect, it } from 'vitest';
import { parseSettings } from '../settings/settings.ts';
import { startSummary } from './start-summary.ts';

const summary = (env: NodeJS.ProcessEnv) =>
  startSummary(parseSettings(env), ['Console', 'http://localhost:3001']);

const full = {
  DATABASE_URL: 'postgres://funnel:secret-1@db.example.com:5433/claims?password=secret-2',
  INGEST_URL: 'https://ingest.example',
  INGEST_CAMPAIGN_ID: '1',
  INGEST_SUPPLIER_ID: '2',
  INGEST_KEY: 'secret-3',
  AUTOMATION_WEBHOOK_URL: 'https://hooks.example/secret-4',
  DELIVERY_CONCURRENCY: '0',
};

it('the start summary contains no passwords or keys', () => {
  const text = summary(full).join('\n');
  expect(text).toContain('claims at db.example.com:5433');
  expect(text).not.toContain('secret-');
});
