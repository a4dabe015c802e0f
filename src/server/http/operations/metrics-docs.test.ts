/** Compares docs/operations.md and docs/prometheus-alerts.yaml with the existing metrics. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

const docs = path.join(import.meta.dirname, '../../../../docs');
const text = readFileSync(path.join(docs, 'operations.md'), 'utf8');
const rules = readFileSync(path.join(docs, 'prometheus-alerts.yaml'), 'utf8');

async function metricNames(): Promise<Set<string>> {
  const metrics = createMetrics({ surveys: ['/survey/v4nv'], destinations: ['ingest'] });
  const types = (await metrics.text({ waitingCount: 0 }, [])).matchAll(/^# TYPE (\S+)/gm);
  return new Set([...types].map(([, name = '']) => name));
}

it('the documentation and the alert rules name only existing metrics', async () => {
  const names = await metricNames();
  const named = [...`${text}${rules}`.matchAll(/\b(?:funnel|nodejs|process)_[a-z0-9_]+/g)]
    .map(([name]) => name.replace(/_(count|sum|bucket)$/, ''))
    // Ignores names that end in `_`, because such a name stands for several metrics.
    .filter((name) => !name.endsWith('_'));
  expect(new Set(named).size).toBeGreaterThan(15);
  expect([...new Set(named)].filter((name) => !names.has(name))).toEqual([]);
});
