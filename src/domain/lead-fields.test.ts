import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedFields } from './asked-fields.ts';
import {
  fieldsWhere,
  isImpersonalAnswer,
  isReserved,
  leadFieldNames,
  leadFields,
} from './lead-fields.ts';

/** The brief's fields (docs/specification.md#core-fields and after), copied by hand. */
const documented = `
  typeOfAccident firstName lastName email phoneNumber message
  physical_injury with_Lawyer interested_in_psf settled_case prior_funding at_Fault doctor_treatment
  enough_words is_gibberish accident_limit_exceeded bad_words injury_year injury_month incident_date
  case_description email phone first_name last_name city state state_long county zip_code ip_address
  user_agent trusted_form_cert_id leadid_token ef_transaction_id affid sub_id sub_id2 sub_id3 sub_id4
  click_id gclid fbclid landing_page tcpa dq_reason lawyer_redirect_reason
  lp_subid1 do_not_send_to_dq debug_id language sms_verified accident_type page_referer oid
  partial_fault pending_dui_charges type_of_alcohol_test_performed bac_level specific_injury
  prior_alcohol_related_offense injury_type police_report required_medical_treatment
  when_seek_medical_treatment when_seek_medical_treatment_date active_insurance_policy missed_work
  speaking_with_doctor injury_rx_qualified hit_and_run hit_and_run_identified
  uninsured_motorist_coverage injury_day days_from_incident_date months_from_incident_date
  accident_date_button accident_within_last_year date_accident_occurred name_gibberish name_bad_word
  address trustedform_cert_url time_on_steps lp_campaign_id lp_supplier_id lp_key lp_s2 lp_action
  landing_page_url lead_is_qualified jornaya_leadid original_affid original_oid
  state_accident_occurred settlement_offers injuries_sustained case_type
  1_to_1_consent 1_to_1_result 1_to_1_timeout 1_to_1_dq selected_buyers selected_buyer_names
  displayed_buyers selected_buyers_number selected_buyers_changed all_possible_buyer_names
  all_possible_buyer_ids all_possible_buyers_number ageGroup isUSCitizen current_compensation
`
  .trim()
  .split(/\s+/);

describe('lead field registry', () => {
  it('has every field of the brief and every question', () => {
    for (const name of [...documented, ...Object.keys(askedFields)]) {
      expect(leadFieldNames, name).toContain(name);
    }
  });

  it('marks exactly the fields outside the brief as ours', () => {
    for (const name of leadFieldNames) {
      expect(leadFields[name].source === 'ours', name).toBe(!documented.includes(name));
    }
  });

  it('normalises idempotently', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...leadFieldNames),
        fc.string({ unit: 'binary' }),
        (name, value) => {
          const once = leadFields[name].normalise(value);
          expect(leadFields[name].normalise(once)).toBe(once);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('the treatment of a field', () => {
  const names = (test: Parameters<typeof fieldsWhere>[0]) => [...fieldsWhere(test)].sort();

  it('never sends the contact form’s fields, our own wire fields or the account', () => {
    expect(names((field) => field.goesOut === 'never')).toEqual(
      (
        'call_tracking_number came_by consent_seen consent_shown_at consent_version displayed_buyer_ids earlier_answers ' +
        'firstName flow_version gbraid lastName lead_id li_fat_id lp_action lp_campaign_id lp_key ' +
        'lp_supplier_id message msclkid phoneNumber rdt_cid source_id state_choice submitted_at survey ' +
        'traffic_source_pool ttclid twclid typeOfAccident uid utm_campaign utm_content utm_medium ' +
        'utm_source utm_term visitor_state wbraid'
      ).split(' '),
    );
  });

  it('ignores and compares posted values of derived fields', () => {
    for (const name of names((field) => field.from === 'rule')) {
      expect(leadFields[name], name).toMatchObject({ posted: 'ignored', isCompared: true });
    }
  });

  it('uses the posted value of every asked field but the state', () => {
    for (const name of Object.keys(askedFields) as (keyof typeof askedFields)[]) {
      const { from, posted } = leadFields[name];
      const expected =
        name === 'state' ? 'fallback' : from === 'contact_form' ? 'ignored' : 'counts';
      expect(posted, name).toBe(expected);
    }
  });

  it('tells answers about the case from those that identify the visitor', () => {
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

  it('recognises reserved values in any notation', () => {
    for (const value of ['1500', '01500', ' 1500 ']) expect(isReserved('oid', value)).toBe(true);
    for (const value of ['136', '15000', '0', '']) expect(isReserved('oid', value)).toBe(false);
    for (const value of ['1000350', '+1000350', '1000350.0', '1000350e0', '１０００３５０']) {
      expect(isReserved('affid', value), value).toBe(true);
    }
    for (const value of ['abc', '1000350a', '']) expect(isReserved('affid', value)).toBe(false);
    expect(isReserved('affid', '1500')).toBe(false);
    expect(isReserved('sub_id', '1500')).toBe(false);
  });
});
