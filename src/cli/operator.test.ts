import { expect, test } from 'vitest';
import { receiptText } from './operator.ts';

test('each recipient is named once, with the time in the operators’ zone', () => {
  const receipt = {
    lead_id: 'lead-1',
    state: 'delivered',
    at: new Date('2026-07-01T12:00:00Z'),
    external_id: null,
    is_personal: true,
  };
  const lines = receiptText(
    [
      { ...receipt, destination: 'webhook' },
      { ...receipt, destination: 'webhook', is_personal: false },
      { ...receipt, destination: 'zip', is_personal: false },
    ],
    'America/New_York',
  );
  expect(lines).toEqual([
    'These received personal data, and have to be told:',
    '  webhook got lead lead-1 on 2026-07-01 08:00:00 EDT',
    'These received no personal data, only ids or a zip code: zip.',
  ]);
});
