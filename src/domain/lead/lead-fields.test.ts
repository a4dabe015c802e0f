import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedFields } from './asked-fields.ts';
import { leadFieldNames, leadFields, parseLeadFields } from './lead-fields.ts';

/** The entity sections of both documents, copied by hand and apart from the code. */
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

const today = { year: 2025, month: 6, day: 15 };

describe('lead field registry', () => {
  it('has every field of both documents and every question', () => {
    for (const name of [...documented, ...Object.keys(askedFields)]) {
      expect(leadFieldNames, name).toContain(name);
    }
  });

  it('marks what the documents do not name as ours, and nothing else', () => {
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

describe('parseLeadFields', () => {
  it('takes a good body', () => {
    const { fields, problems, unknown } = parseLeadFields(
      {
        lead_id: '0197711E-4B3A-7C3E-8F6B-5F3A3C1D2E4F',
        survey: '/survey/v4nv',
        at_Fault: 'No',
        physical_injury: 'yes',
        injury_year: 2025,
        injury_month: 3,
        phone: '(212) 555-0123',
        accident_limit_exceeded: 0,
        sms_verified: false,
        selected_buyers: [1, 'b'],
        case_description: 'He hit my car from behind.',
        sub_id2: '',
        gclid: null,
      },
      { today },
    );
    expect(problems).toEqual([]);
    expect(unknown).toEqual({});
    expect(fields).toEqual({
      lead_id: '0197711e-4b3a-7c3e-8f6b-5f3a3c1d2e4f',
      survey: '/survey/v4nv',
      at_Fault: 'no',
      physical_injury: 'Yes',
      injury_year: '2025',
      injury_month: '03',
      phone: '2125550123',
      accident_limit_exceeded: '0',
      sms_verified: 'no',
      selected_buyers: '1,b',
      case_description: 'He hit my car from behind.',
    });
  });

  it('returns what breaks a rule, as it came', () => {
    const body = {
      at_Fault: 'perhaps',
      phone: 'call me',
      email: { nested: true },
      injury_year: '2026',
      case_description: 'short',
      user_agent: 'x'.repeat(2000),
      incident_date: '2025-02-30',
      oid: 'abc',
    };
    const { fields, problems } = parseLeadFields(body, { today });
    expect(Object.fromEntries(problems.map((each) => [each.field, each.error]))).toEqual({
      at_Fault: 'invalid',
      phone: 'invalid',
      email: 'wrong_type',
      injury_year: 'in_future',
      case_description: 'too_short',
      user_agent: 'too_long',
      incident_date: 'invalid',
      oid: 'invalid',
    });
    for (const { field, value } of problems) expect(value).toBe(body[field as keyof typeof body]);
    expect(fields).toEqual({ injury_year: '2026', case_description: 'short' });
  });

  it('keeps unknown names, also odd ones', () => {
    const body = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2, "utm_source": "x"}');
    const { unknown } = parseLeadFields(body);
    expect(Object.keys(unknown).sort()).toEqual(['__proto__', 'constructor', 'utm_source']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(parseLeadFields('text').unknown).toEqual({ '': 'text' });
    expect(parseLeadFields([1]).unknown).toEqual({ '': [1] });
  });

  it('checks dates against today only where it is given', () => {
    expect(
      parseLeadFields({ date_of_birth_year: '1950', injury_year: '2999', injury_month: '12' })
        .problems,
    ).toEqual([]);
    expect(parseLeadFields({ injury_year: '0005' }).problems).toHaveLength(1);
    expect(parseLeadFields({ date_of_birth_year: '1950' }, { today }).problems).toEqual([]);
  });

  it('keeps sub ids whole beyond what the ingest service takes', () => {
    const sub_id = 's'.repeat(300);
    expect(parseLeadFields({ sub_id }).fields.sub_id).toBe(sub_id);
  });

  it('never throws, never drops, and is stable', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.jsonValue(),
      fc.constantFrom('yes', 'No', '0', '2125550123', '02134'),
    );
    const body = fc.dictionary(fc.oneof(fc.constantFrom(...leadFieldNames), fc.string()), value);
    fc.assert(
      fc.property(body, (given) => {
        const { fields, problems, unknown } = parseLeadFields(given, { today });
        for (const [name, raw] of Object.entries(given)) {
          const isAccounted =
            Object.hasOwn(unknown, name) ||
            Object.hasOwn(fields, name) ||
            problems.some((each) => each.field === name && Object.is(each.value, raw));
          const isNothing =
            raw === null ||
            (Array.isArray(raw) && raw.every((each) => typeof each === 'string' && !each.trim())) ||
            (typeof raw === 'string' && raw.replaceAll('\0', '').trim() === '');
          expect(isAccounted || isNothing, name).toBe(true);
        }
        expect(parseLeadFields(fields, { today }).fields).toEqual(fields);
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(
        fc.anything(),
        (anything) => typeof parseLeadFields(anything).fields === 'object',
      ),
    );
  });
});
