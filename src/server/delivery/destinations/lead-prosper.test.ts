import { expect, test } from 'vitest';
import { ingestPayloadV1 } from './lead-prosper.ts';

const credentials = { campaignId: '1', supplierId: '2', key: 'k3y' };
const leadId = '0198a000-0000-7000-8000-000000000001';
const payload = (fields: Record<string, unknown>, isTest = false) =>
  ingestPayloadV1({ leadId, isTest, fields, credentials });

test('the payload contains credentials, our lead id and every field', () => {
  expect(payload({ first_name: 'Ana', at_Fault: 'no', lp_s2: 'x', dq_reason: '' })).toEqual({
    lp_campaign_id: '1',
    lp_supplier_id: '2',
    lp_key: 'k3y',
    lead_id: leadId,
    first_name: 'Ana',
    at_Fault: 'no',
    lp_s2: 'x',
    dq_reason: '',
  });
});

test('the payload has lp_action "test" only for a test lead', () => {
  expect(payload({}, true).lp_action).toBe('test');
  expect(payload({ lp_action: 'test' })).not.toHaveProperty('lp_action');
});

test('the payload contains the visitor’s phone number as 10 digits', () => {
  for (const phone of ['5125550123', '(512) 555-0123', '+1 512 555 0123', '15125550123']) {
    expect(payload({ phone }).phone).toBe('5125550123');
  }
});

test('sub ids are cut to 75 characters without splitting a surrogate pair', () => {
  const long = `${'a'.repeat(74)}😀b`;
  const cut = `${'a'.repeat(74)}😀`;
  const fields = { lp_subid1: long, sub_id: long, sub_id4: long, gclid: long };
  expect(payload(fields)).toMatchObject({ lp_subid1: cut, sub_id: cut, sub_id4: cut, gclid: long });
});

test('in the payload, null becomes an empty string and a list becomes JSON text', () => {
  expect(payload({ a: null, b: undefined, c: ['x'], d: 3, e: true })).toMatchObject({
    a: '',
    b: '',
    c: '["x"]',
    d: 3,
    e: true,
  });
});

test('the fields of a lead never replace the credentials or the lead id in the payload', () => {
  const hostile = { lp_key: 'x', lp_campaign_id: 'x', lp_supplier_id: 'x', lead_id: 'x' };
  expect(payload(hostile)).toEqual(payload({}));
});
