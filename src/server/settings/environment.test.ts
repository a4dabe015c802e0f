import { expect, test } from 'vitest';
import { unknownNames } from './environment.ts';
import { parseSettings } from './settings.ts';

test('unknownNames returns the misspelled names of `.env`', () => {
  const given = {
    PORT: '3000',
    INGEST_CAMPAGIN_ID: '7',
    NODE_ENV: 'production',
    NODE_IMAGE: 'node',
  };
  expect(unknownNames(parseSettings({}), given)).toEqual(['INGEST_CAMPAGIN_ID']);
});
