import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { storeDemoSettings } from '../server/settings/environment.ts';
import { destinationSettings } from './connect.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'connect-'));
  vi.stubEnv('DATA_DIR', dataDir);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dataDir, { recursive: true });
});

const configured = () =>
  destinationSettings()
    .filter(({ values }) => values !== undefined)
    .map(({ definition }) => definition.name);

test('a demo’s destinations are configured until its settings are removed', () => {
  expect(configured()).toEqual([]);
  storeDemoSettings(dataDir, sandboxEnvironment('http://127.0.0.1:4010'));
  expect(configured()).toContain('ingest');
  // A setting of the environment overrides the one of the demo.
  vi.stubEnv('INGEST_URL', 'nowhere');
  expect(configured()).not.toContain('ingest');
  expect(configured()).toContain('exchange');
  vi.stubEnv('INGEST_URL', undefined);
  storeDemoSettings(dataDir, undefined);
  expect(configured()).toEqual([]);
});
