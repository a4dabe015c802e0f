/** How single flows change the outgoing fields of their leads. */
import { describe, expect, test } from 'vitest';
import { testAcceptLead, testLead, testNow } from '../../../tests/support/leads.ts';

const description = 'A truck hit my car from behind at a red light and my neck hurts.';

/** Returns what every page posts, without the answers. */
const page = (survey: string) => {
  const { lead_id, tcpa, consent_version, consent_shown_at, landing_page, page_referer } =
    testLead();
  return {
    lead_id,
    survey,
    tcpa,
    consent_version,
    consent_shown_at,
    landing_page,
    page_referer,
    affid: '7',
    sub_id: 'abc',
    submitted_at: testNow.toISOString(),
  };
};

const person = {
  first_name: 'Maria',
  last_name: 'Sandoval',
  email: 'maria@mail.example',
  phone: '2125550123',
  zip_code: '10001',
};

async function leadOf(
  survey: string,
  answers: Record<string, string>,
  specialStates?: readonly string[],
) {
  const { post, lead } = testAcceptLead({ rules: { specialStates } });
  const answer = await post({ ...page(survey), ...person, ...answers });
  return { answer, lead: lead(), fields: lead().fields };
}

describe('short variants (docs/specification.md#short-flows)', () => {
  const answers = {
    accident_type: 'Car Accident',
    injury_month: '10',
    injury_year: '2026',
    at_Fault: 'no',
    with_Lawyer: 'no',
    doctor_treatment: 'no',
  };

  test.each(['/survey/short', '/survey/short-b'])(
    '%s copies landing_page to landing_page_url and leadid_token to jornaya_leadid',
    async (survey) => {
      const { fields, lead } = await leadOf(survey, {
        ...answers,
        doctor_treatment: 'yes',
        leadid_token: '0B1B6C0A-5D3C-4E0A-9A3C-1E4F0B7A2D11',
      });
      expect(fields).toMatchObject({
        landing_page_url: 'https://claims.example.com',
        jornaya_leadid: '0B1B6C0A-5D3C-4E0A-9A3C-1E4F0B7A2D11',
        leadid_token: '0B1B6C0A-5D3C-4E0A-9A3C-1E4F0B7A2D11',
      });
      expect(lead).toMatchObject({ qualified: true, problems: [] });
    },
  );

  test.each([
    ['04', 'no', 'no'],
    ['05', 'Yes', 'yes'],
    ['06', 'no', 'no'],
  ])('accident on 2026-11-%s: treatment %s, qualified %s', async (day, treatment, qualified) => {
    const { fields, answer } = await leadOf('/survey/short', {
      ...answers,
      injury_month: '11',
      injury_day: day,
    });
    expect(fields.doctor_treatment).toBe(treatment);
    expect(answer.qualified).toBe(qualified);
  });
});

describe('VW3 (docs/specification.md#vw3)', () => {
  const answers = {
    injury_month: '09',
    injury_year: '2026',
    at_Fault: 'no',
    physical_injury: 'Yes',
    type_of_medical_treatment: 'Surgery',
    doctor_treatment: 'yes',
    police_report: 'yes',
    with_Lawyer: 'no',
    case_description: description,
  };

  test('accident_type is always Car Accident, and /survey/es is Spanish', async () => {
    const english = await leadOf('/survey/vw', { ...answers, accident_type: 'Other' });
    expect(english.fields).toMatchObject({
      accident_type: 'Car Accident',
      language: 'en',
      oid: '86',
    });
    expect(english.answer.qualified).toBe('yes');
    const spanish = await leadOf('/survey/es', answers);
    expect(spanish.fields).toMatchObject({
      accident_type: 'Car Accident',
      language: 'es',
      oid: '85',
    });
  });

  test('a lawyer disqualifies with the lawyer’s reason', async () => {
    const { answer } = await leadOf('/survey/vw', {
      ...answers,
      with_Lawyer: 'yes',
      lawyer_redirect_reason: 'have_attorney|yes_but_I_want_a_new_lawyer',
    });
    expect(answer).toMatchObject({
      qualified: 'no',
      dq_reason: 'have_attorney|yes_but_I_want_a_new_lawyer',
    });
  });
});

describe('special states (docs/specification.md#special-states)', () => {
  const answers = {
    accident_type: 'Car Accident',
    injury_month: '09',
    injury_year: '2026',
    at_Fault: 'no',
    doctor_treatment: 'no',
    police_report: 'yes',
    with_Lawyer: 'no',
  };
  const cheyenne = { zip_code: '82001' };

  test('in the group flow are the 25 most populous, with New York but not Wyoming', async () => {
    const newYork = await leadOf('/survey/v4g', answers);
    expect(newYork.fields).toMatchObject({ oid: '1500', affid: '1000350', original_affid: '7' });
    const wyoming = await leadOf('/survey/v4g', { ...answers, ...cheyenne });
    expect(wyoming.fields).toMatchObject({ state: 'WY', oid: '81', affid: '7' });
  });

  test('elsewhere are all states, and a setting overrides both lists', async () => {
    const { at_Fault, police_report, ...short } = answers;
    const wyoming = await leadOf('/survey/short', { ...short, at_Fault, ...cheyenne });
    expect(wyoming.fields).toMatchObject({ state: 'WY', oid: '1500' });
    const set = await leadOf('/survey/v4g', { ...answers, ...cheyenne }, ['WY']);
    expect(set.fields.oid).toBe('1500');
    const none = await leadOf('/survey/v4g', answers, []);
    expect(none.fields.oid).toBe('81');
  });

  test('in Ep, do_not_send_to_dq is yes, so leads keep their source', async () => {
    const { lead, fields } = await leadOf('/survey/v4nv-ep', {
      injury_month: '09',
      injury_year: '2026',
      at_Fault: 'no',
      specific_injury: 'Whiplash',
      physical_injury: 'Yes',
      doctor_treatment: 'no',
      police_report: 'yes',
      with_Lawyer: 'no',
      case_description: description,
    });
    expect(lead.qualified).toBe(false);
    expect(fields).toMatchObject({ do_not_send_to_dq: 'yes', oid: '196', affid: '7' });
    expect(fields.accident_type).toBe('Car Accident');
  });
});

describe('forms and ticket', () => {
  test('three-step sends language en, sms_verified no and the address', async () => {
    const { fields, answer } = await leadOf('/f', {
      physical_injury: 'Yes',
      police_report: 'yes',
      injury_month: '09',
      injury_year: '2026',
      doctor_treatment: 'yes',
      when_seek_medical_treatment: 'first_month',
      case_description: description,
      address: '12 Main Street',
      language: 'es',
    });
    expect(fields).toMatchObject({
      language: 'en',
      sms_verified: 'no',
      address: '12 Main Street',
      oid: '102',
      when_seek_medical_treatment: 'first_month',
    });
    expect(answer.qualified).toBe('yes');
  });

  test('one-page sends incident_date as year-01-01', async () => {
    const form = {
      accident_type: 'Truck Accident',
      injury_year: '2026',
      at_Fault: 'no',
      physical_injury: 'Yes',
      injury_type: 'Whiplash',
      police_report: 'yes',
      with_Lawyer: 'no',
      case_description: description,
    };
    const { fields, answer } = await leadOf('/form', form);
    expect(fields).toMatchObject({ incident_date: '2026-01-01', injury_year: '2026', oid: '101' });
    expect(answer.qualified).toBe('yes');
    const fault = await leadOf('/form', { ...form, at_Fault: 'yes' });
    expect(fault.answer).toMatchObject({ qualified: 'no', dq_reason: 'at_Fault|yes' });
  });

  test('ticket adds date_accident_occurred and removes three fields', async () => {
    const { fields, lead } = await leadOf('/ticket', {
      ticket_type: 'Speeding',
      motor_vehicle_accident: 'no',
      ticket_received: 'yes',
      state_accident_occurred: 'TX',
      injury_month: '9',
      injury_year: '2026',
      injury_day: '7',
      with_Lawyer: 'no',
      case_description: description,
      address: '12 Main Street',
      state_long: 'New York',
    });
    expect(fields).toMatchObject({
      date_accident_occurred: '09/07/2026',
      incident_date: '2026-09-01',
      state_accident_occurred: 'TX',
      state: 'NY',
    });
    for (const name of ['accident_within_last_year', 'state_long', 'accident_limit_exceeded']) {
      expect(fields).not.toHaveProperty(name);
    }
    expect(lead.differences).toEqual([]);
    expect(lead.deliveries).toMatchObject([{ destination: 'ingest' }]);
  });

  test('a lead of the benefits survey has no deliveries', async () => {
    const { lead } = await leadOf('/benefits', { ageGroup: '18_to_25', isUSCitizen: 'yes' });
    expect(lead.deliveries).toEqual([]);
  });
});
