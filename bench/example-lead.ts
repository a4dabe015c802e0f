import { v7 as uuidv7 } from 'uuid';
import { fictionalPhone } from '../tests/e2e/support/visitors.ts';
import { publishedTcpa } from '../tests/support/consent.ts';

let count = 0;

/** Returns a lead as the survey page posts it, for a new visitor each time. */
export function exampleLead(): Record<string, string> {
  count += 1;
  return {
    lead_id: uuidv7(),
    survey: '/survey/v4nv',
    language: 'en',
    accident_type: 'Car Accident',
    injury_month: '10',
    injury_year: '2026',
    injury_day: '04',
    at_Fault: 'no',
    specific_injury: 'Whiplash',
    physical_injury: 'Yes',
    doctor_treatment: 'yes',
    police_report: 'yes',
    with_Lawyer: 'no',
    case_description:
      'I was stopped at a red light when a truck hit my car from behind. My neck and back have hurt since then and I cannot work.',
    hit_and_run: 'no',
    first_name: 'Maria',
    last_name: 'Sandoval',
    email: `visitor.${count}@example.com`,
    phone: fictionalPhone(count % 1000),
    zip_code: '10001',
    sub_id: 'abc',
    gclid: 'x'.repeat(40),
    click_id: '',
    ef_transaction_id: '0123456789abcdef0123456789abcdef',
    landing_page: 'https://example.com/survey/v4nv',
    page_referer: '',
    user_agent:
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/156.0 Mobile Safari/537.36',
    ...publishedTcpa(),
    consent_shown_at: '2026-11-20T10:00:00.000Z',
    submitted_at: '2026-11-20T10:01:00.000Z',
    time_on_steps: 'StartPath:3|WhenWasTheAccident:9|AtFault:2|WasUserInjured:4|PhoneAndZip:20',
  };
}
