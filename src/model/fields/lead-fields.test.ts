import { expect, it } from 'vitest';
import { fieldsWhere, isImpersonalAnswer, isReserved } from './lead-fields.ts';

const names = (test: Parameters<typeof fieldsWhere>[0]) => [...fieldsWhere(test)].sort();

it('fieldsWhere returns the fields that buyers never receive', () => {
  expect(names((field) => field.goesOut === 'never')).toEqual(
    (
      'call_tracking_number came_by consent_seen consent_shown_at consent_version displayed_buyer_ids earlier_answers ' +
      'firstName flow_version gbraid health_authorization health_authorization_text lastName lead_id li_fat_id lp_action lp_campaign_id lp_key ' +
      'lp_supplier_id message msclkid phoneNumber rdt_cid source_id state_choice submitted_at survey ' +
      'traffic_source_pool ttclid twclid typeOfAccident uid utm_campaign utm_content utm_medium ' +
      'utm_source utm_term visitor_state wbraid'
    ).split(' '),
  );
});

it('isImpersonalAnswer is true only for answers that do not identify the visitor', () => {
  for (const name of [
    ...['first_name', 'last_name', 'email', 'phone', 'address', 'date_of_birth_day'],
    ...['firstName', 'phoneNumber', 'message', 'selected_buyers', 'sub_id', 'tcpa', 'toString'],
  ]) {
    expect(isImpersonalAnswer(name), name).toBe(false);
  }
  for (const name of ['at_Fault', 'injury_month', 'case_description', 'zip_code', 'state']) {
    expect(isImpersonalAnswer(name), name).toBe(true);
  }
});

it('isReserved is true for every spelling of an id that only a rule may set', () => {
  for (const value of ['1500', '01500', ' 1500 ']) expect(isReserved('oid', value)).toBe(true);
  for (const value of ['136', '15000', '0', '']) expect(isReserved('oid', value)).toBe(false);
  for (const value of ['1000350', '+1000350', '1000350.0', '1000350e0', '１０００３５０']) {
    expect(isReserved('affid', value), value).toBe(true);
  }
  for (const value of ['abc', '1000350a', '']) expect(isReserved('affid', value)).toBe(false);
  expect(isReserved('affid', '1500')).toBe(false);
  expect(isReserved('sub_id', '1500')).toBe(false);
});
