import { expect, it } from 'vitest';
import { checkPhoneByPlan } from './check-contact.ts';

it.each([
  ['2125550123', true, 'Unknown'],
  ['7875550123', true, 'Unknown'],
  ['8005550100', true, 'Toll Free'],
  ['8885551212', true, 'Toll Free'],
  ['5551234567', false, 'Unknown'],
  ['1234567890', false, 'Unknown'],
  ['2129765550', false, 'Unknown'],
  ['5002345678', false, 'Unknown'],
  ['4165550123', false, 'Unknown'],
  ['', false, 'Unknown'],
])('the embedded phone check %s: valid %s, %s', async (digits, valid, line_type) => {
  expect(await checkPhoneByPlan(digits)).toMatchObject({ success: true, valid, line_type });
});
