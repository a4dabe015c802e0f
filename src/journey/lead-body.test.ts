import { expect, it } from 'vitest';
import { earlierAnswers } from './lead-body.ts';

it('earlierAnswers returns the answers of removed steps, even of one named like an Object property', () => {
  const steps = { AtFault: {} } as unknown as Parameters<typeof earlierAnswers>[0]['steps'];
  const given = { AtFault: { at_Fault: 'no' }, constructor: { zip_code: '10001' }, Old: {} };
  expect(earlierAnswers({ steps }, given)).toEqual({ constructor: { zip_code: '10001' }, Old: {} });
});
