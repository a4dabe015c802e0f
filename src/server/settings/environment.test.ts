import type fs from 'node:fs';
import { expect, test, vi } from 'vitest';
import { loadSettings, unknownNames } from './environment.ts';

vi.mock('node:fs', async (original) => ({
  ...(await original<typeof fs>()),
  existsSync: () => true,
  readFileSync: () => 'PORT=3000\nINGEST_CAMPAGIN_ID=7\n',
}));

test('unknownNames returns the misspelled names of `.env`', () => {
  expect(unknownNames(loadSettings())).toEqual(['INGEST_CAMPAGIN_ID']);
});
