/** A lead of the v4 flow for tests, and the use case on a store in memory. */
import type { BuyerOffer } from '../../src/domain/buyers.ts';
import { surveys as surveyRows } from '../../src/flows/surveys.ts';
import { type AcceptLeadOptions, createAcceptLead } from '../../src/server/leads/accept-lead.ts';
import { createAddressLimit } from '../../src/server/leads/address-limit.ts';
import { createCalendar } from '../../src/server/leads/calendar.ts';
import { createTextChecks } from '../../src/server/leads/check-texts.ts';
import type { AcceptedLead, StoredLead } from '../../src/server/leads/lead-record.ts';
import type { LeadStore } from '../../src/server/leads/ports.ts';
import { loadSurveyTable } from '../../src/server/leads/survey-table.ts';
import type { Visitor } from '../../src/server/leads/visitor.ts';
import {
  checkGibberish,
  checkPersonName,
  loadBlockedTermCheck,
} from '../../src/server/providers/texts.ts';
import { loadZipLookup } from '../../src/server/providers/zip.ts';

export const testNow = new Date('2026-11-20T15:00:00Z');

export const testVisitor: Visitor = {
  address: '203.0.113.7',
  addressKey: '203.0.113.7',
  userAgent: 'TestBrowser/1.0',
  secGpc: false,
  page: 'https://claims.example.com/survey/v4nv',
  siteOrigin: 'https://claims.example.com',
};

/** What the survey's page posts for a qualified visitor. */
export function testLead(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    lead_id: '01939999-1111-7111-8111-111111111111',
    survey: '/survey/v4nv',
    language: 'en',
    accident_type: 'Car Accident',
    injury_month: '09',
    injury_year: '2026',
    at_Fault: 'no',
    specific_injury: 'Whiplash',
    physical_injury: 'Yes',
    doctor_treatment: 'yes',
    police_report: 'yes',
    with_Lawyer: 'no',
    case_description: 'A truck hit my car from behind at a red light and my neck hurts.',
    hit_and_run: 'no',
    first_name: 'Maria',
    last_name: 'Sandoval',
    email: 'Maria.Sandoval@Mail.example',
    phone: '(212) 555-0123',
    zip_code: '10001',
    affid: '1',
    oid: '81',
    sub_id: 'abc',
    gclid: 'x',
    ef_transaction_id: '0123456789abcdef0123456789abcdef',
    landing_page: 'https://claims.example.com/survey/v4nv',
    page_referer: 'https://ads.example.net/',
    tcpa: 'By pressing the button I agree.',
    consent_version: '2026-11-20',
    consent_shown_at: '2026-11-20T14:58:00.000Z',
    submitted_at: '2026-11-20T14:59:30.000Z',
    time_on_steps: 'StartPath:3|AtFault:2',
    ...overrides,
  };
}

/** A store in memory with the behaviour of the real one. */
export function memoryStore(): LeadStore & { readonly leads: Map<string, AcceptedLead[]> } {
  const leads = new Map<string, AcceptedLead[]>();
  const storedOf = (revisions: readonly AcceptedLead[]): StoredLead => {
    const last = revisions.at(-1) as AcceptedLead;
    return { ...last, revisions };
  };
  return {
    leads,
    async insert(lead) {
      if (leads.has(lead.id)) return 'exists';
      leads.set(lead.id, [lead]);
      return 'inserted';
    },
    async revise(leadId, decide) {
      const revisions = leads.get(leadId);
      if (!revisions) return undefined;
      const stored = storedOf([...revisions]);
      const next = decide(stored);
      if (next) revisions.push(next);
      return stored;
    },
  };
}

const [blockedTerms, lookUpZip, surveys] = await Promise.all([
  loadBlockedTermCheck(),
  loadZipLookup(),
  loadSurveyTable(surveyRows),
]);

/** The use case with everything real but the store. */
export function testAcceptLead(
  options: Partial<Omit<AcceptLeadOptions, 'rules'>> & {
    rules?: Partial<AcceptLeadOptions['rules']>;
    perHour?: number;
  } = {},
) {
  const store = memoryStore();
  const { perHour = 0, rules, ...rest } = options;
  const now = () => testNow;
  const acceptLead = createAcceptLead({
    store,
    surveys,
    checks: createTextChecks({ gibberish: checkGibberish, blockedTerms, name: checkPersonName }),
    lookUpZip,
    calendar: createCalendar('America/New_York'),
    oneToOne: {
      store: { findOffer: async (): Promise<BuyerOffer | undefined> => undefined },
      settings: { defaultBuyerName: 'Your Claim Guide', fallbackBuyers: [] },
    },
    addressLimit: createAddressLimit(perHour, now),
    destinations: new Set(['ingest']),
    now,
    ...rest,
    rules: {
      descriptionLimit: 1000,
      dateOfBirthStates: ['AL', 'NE'],
      partialFaultStates: ['NY'],
      specialStates: [],
      limitation: 'coded',
      siteOrigin: undefined,
      oneToOneStatement: (shown, language) => `${shown} statement (${language})`,
      ...rules,
    },
  });
  const id = String(testLead().lead_id);
  return {
    post: (body: Record<string, unknown>, visitor: Partial<Visitor> = {}) =>
      acceptLead(body, { ...testVisitor, ...visitor }),
    /** Every revision of the test lead. */
    revisions: () => store.leads.get(id) ?? [],
    /** Its last one. */
    lead: () => store.leads.get(id)?.at(-1) as AcceptedLead,
    store,
  };
}
