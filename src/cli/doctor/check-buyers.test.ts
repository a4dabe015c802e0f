import { expect, test } from 'vitest';
import { setBuyer } from '../../../tests/support/buyers.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { parseSettings } from '../../server/settings/settings.ts';
import { checkBuyers } from './check-buyers.ts';

const { pool } = await databaseForTests();

test('names each buyer that gets no leads or pays nothing', async () => {
  const settings = parseSettings({
    INGEST_URL: 'https://lp.example',
    INGEST_CAMPAIGN_ID: '1',
    INGEST_SUPPLIER_ID: '2',
    INGEST_KEY: 'key',
    EXTRA_DESTINATIONS: '{"smith":{"like":"ingest"},"jones":{"like":"ingest"}}',
  });
  expect(await checkBuyers(pool, settings)).toHaveLength(2);
  const future = [{ from: '2099-01-01', amount: 1, owedAt: 'delivery' as const }];
  await setBuyer(pool, 'ingest/smith', { prices: future });
  expect(await checkBuyers(pool, settings)).toContainEqual(
    expect.objectContaining({ about: 'buyer ingest', state: 'wrong' }),
  );
  await setBuyer(pool, 'ingest');
  await setBuyer(pool, 'ingest/gone');
  expect(await checkBuyers(pool, settings)).toMatchObject([
    { about: 'buyer ingest/smith', text: expect.stringContaining('no price applies today') },
    { about: 'buyer ingest/jones', state: 'unfinished', text: 'it gets no leads: it has no terms' },
    {
      about: 'buyer ingest/gone',
      state: 'wrong',
      next: expect.stringContaining('EXTRA_DESTINATIONS'),
    },
  ]);
});
