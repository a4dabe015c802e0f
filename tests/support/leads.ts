import { createHash } from 'node:crypto';
import { createTextChecks, type Visitor } from '../../src/model/lead/context.ts';
import type { AcceptedLead, LeadStatus } from '../../src/model/lead/lead-record.ts';
import { leadSecretHeader } from '../../src/model/messages/lead.ts';
import type { BuyerList } from '../../src/model/rules/buyers.ts';
import { loadBlockedTermCheck, loadZipTable } from '../../src/server/checks/zip-and-text.ts';
import type { DestinationSetting } from '../../src/server/delivery/destinations/destination.ts';
import { ingest } from '../../src/server/delivery/destinations/lead-prosper.ts';
import { createIsForSale, createPlan } from '../../src/server/delivery/plan.ts';
import { type AcceptLeadOptions, createAcceptLead } from '../../src/server/leads/accept-lead.ts';
import type { LeadStore } from '../../src/server/leads/lead-store.ts';
import type { AddressBytes } from '../../src/server/leads/post-limits.ts';
import { createRequestCounts } from '../../src/server/platform/database/request-counts.ts';
import { testSurveys as surveys, testCalendar, testRules } from './build.ts';
import { publishedTcpa } from './consent.ts';
import { personKey } from './person-keys.ts';

export const testNow = new Date('2026-11-21T15:00:00Z');

/** The secret of the browser that posted the lead. */
export const testSecret = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
export const strangersSecret = '00112233445566778899aabbccddeeff';

/** Returns the hash that the server stores in place of a secret. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Returns the header with a visit's secret. Null means no header. */
export function secretHeader(secret: string | null = testSecret): Record<string, string> {
  return secret === null ? {} : { [leadSecretHeader]: secret };
}

export const testVisitor: Visitor = {
  address: '203.0.113.7',
  addressKey: '203.0.113.7',
  networkKey: '203.0.113.7',
  userAgent: 'TestBrowser/1.0',
  secGpc: false,
  secretSha256: hashOfSecret(testSecret),
  page: 'https://claims.example.com/survey/v4nv',
  siteOrigin: 'https://claims.example.com',
};

/** Returns the body that the survey's page posts for a qualified visitor. */
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
    ...publishedTcpa(),
    consent_shown_at: '2026-11-21T14:58:00.000Z',
    submitted_at: '2026-11-21T14:59:30.000Z',
    time_on_steps: 'StartPath:3|AtFault:2',
    ...overrides,
  };
}

/** A limiter of bytes per IP address that accepts every request. */
export const noByteLimit: AddressBytes = { take: async () => true };

type MemoryVisit = { secretSha256: string | null; isErased: boolean };

function consentTimeOf(revisions: readonly AcceptedLead[]): Date | null {
  const last = revisions.findLast(({ consent }) => consent !== null);
  return last ? new Date(last.receivedAt) : null;
}

function memoryStore() {
  const leads = new Map<string, AcceptedLead[]>();
  const visits = new Map<string, MemoryVisit>();
  const buyerLists: Record<string, BuyerList> = {};
  const sameOf = (revisions: readonly AcceptedLead[], bodySha256: string): LeadStatus['same'] => {
    const same = revisions.find((each) => each.bodySha256 === bodySha256);
    return same && { revision: same.revision, answer: same.change.answer };
  };
  const store: LeadStore = {
    async insert(lead) {
      const visit = visits.get(lead.id);
      if (visit && visit.secretSha256 !== lead.secretSha256) return 'exists';
      visits.set(lead.id, { secretSha256: lead.secretSha256, isErased: false });
      if (leads.has(lead.id)) return 'exists';
      leads.set(lead.id, [lead]);
      return 'inserted';
    },
    async find(leadId, bodySha256) {
      const visit = visits.get(leadId);
      if (!visit) return undefined;
      const revisions = leads.get(leadId) ?? [];
      return { ...visit, revision: revisions.length, same: sameOf(revisions, bodySha256) };
    },
    async revise(leadId, bodySha256, decide) {
      const revisions = leads.get(leadId);
      const visit = visits.get(leadId);
      const last = revisions?.at(-1);
      if (!revisions || !visit || !last) return;
      const same = sameOf(revisions, bodySha256);
      const next = decide({
        ...last,
        ...visit,
        merged: last.merged ?? last.body,
        consentReceivedAt: consentTimeOf(revisions),
        same,
        buyerLists,
      });
      if (next) revisions.push(next);
    },
    async insertUnauthorized(lead, most) {
      if (leads.has(lead.id)) return 'exists';
      if (unauthorizedPostsTo(lead.claimsId).length >= most) return 'too_many';
      await store.insert(lead, null);
      return 'inserted';
    },
  };

  function unauthorizedPostsTo(leadId: string | null): AcceptedLead[] {
    return [...leads.values()].flat().filter(({ claimsId }) => claimsId === leadId);
  }

  return { ...store, leads, visits, buyerLists, unauthorizedPostsTo };
}

const [blockedTerms, { checkZip, zipZone }] = await Promise.all([
  loadBlockedTermCheck(),
  loadZipTable(),
]);

/** Returns the settings of the ingest service. `isOn` turns the service on. */
export function testDestinations(isOn = true): readonly DestinationSetting[] {
  return [{ definition: ingest, values: isOn ? {} : undefined }];
}

export const testRulesVersion = 'rules-of-the-test';

/** Creates the use case that accepts a lead, with an in-memory store. */
export function testAcceptLead(
  options: Partial<
    Omit<AcceptLeadOptions, 'rules' | 'planDeliveries' | 'isForSale' | 'store' | 'addressBytes'>
  > & {
    addressBytes?: AddressBytes;
    rules?: Partial<AcceptLeadOptions['rules']>;
    perHour?: number;
    destinations?: readonly DestinationSetting[];
    /** The store of leads. Default: in memory. */
    leadStore?: LeadStore;
  } = {},
) {
  const store = memoryStore();
  const { perHour = 0, rules, destinations = testDestinations(), leadStore, ...rest } = options;
  const now = () => testNow;
  const acceptLead = createAcceptLead({
    store: leadStore ?? store,
    surveys,
    checks: createTextChecks(blockedTerms),
    checkZip,
    zipZone,
    calendar: testCalendar,
    personKey,
    oneToOne: {
      store: { findBuyerList: async (_, zip) => store.buyerLists[zip] },
      settings: { defaultBuyerName: 'Your Claim Guide', preselectsFirms: true, fallbackBuyers: [] },
    },
    leadsPerAddressPerHour: perHour,
    addressBytes: noByteLimit,
    requestCounts: createRequestCounts(now),
    planDeliveries: createPlan(destinations, rest.surveys ?? surveys),
    isForSale: createIsForSale(destinations, rest.surveys ?? surveys),
    rulesVersion: testRulesVersion,
    now,
    ...rest,
    rules: { ...testRules, ...rules },
  });
  const id = String(testLead().lead_id);
  return {
    post: (
      body: Record<string, unknown>,
      visitor: Partial<Visitor> = {},
      ...more: Parameters<typeof acceptLead> extends [unknown, unknown, ...infer More] ? More : []
    ) => acceptLead(body, { ...testVisitor, ...visitor }, ...more),
    revisions: () => store.leads.get(id) ?? [],
    lead: () => store.leads.get(id)?.at(-1) as AcceptedLead,
    store,
  };
}
