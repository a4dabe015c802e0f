/** Wires the use cases to the database, the services and the settings. */
import { oneToOneStatement, publishedConsents } from '../../../content/consent/index.ts';
import { calendarDate } from '../../model/fields/dates.ts';
import { variantFields } from '../../model/flows/experiments.ts';
import { loadSurveyTable } from '../../model/flows/survey-table.ts';
import { indexConsents } from '../../model/lead/consent.ts';
import { createTextChecks } from '../../model/lead/context.ts';
import { shownSponsors } from '../../web/site/sponsor-list.ts';
import {
  checkPhoneByPlan,
  createEstimate,
  createFindBuyers,
  createMapLead,
  createOneToOneStore,
  createPhoneCodeStore,
  createVerifyPhone,
  loadBlockedTermCheck,
  loadZipCheck,
} from '../checks/index.ts';
import { createPlan } from '../delivery/index.ts';
import { pageLocals } from '../http/site.ts';
import type { UseCases } from '../http/use-cases.ts';
import {
  type AcceptLead,
  createAcceptLead,
  createAddressBytes,
  createFormTurns,
  createFormVisitStore,
  createLeadStore,
  createProgressStore,
  createSaveProgress,
  createSurveyForms,
  createTakeContactForm,
  HOUR_MS,
  hasOtherLead,
  silentObserver,
  surveyOfVisit,
  withoutLimit,
} from '../leads/index.ts';
import { createAlerts, createHourlyAlert } from '../platform/alerts.ts';
import { openDigest } from '../platform/database/database-secret.ts';
import { isFullDisk } from '../platform/database/disk-space.ts';
import { createRequestCounts } from '../platform/database/request-counts.ts';
import { LeadErasedError, OverLimitError, StoreUnavailableError } from '../platform/errors.ts';
import { inTime } from '../platform/in-time.ts';
import { createTakeOptOut } from '../privacy/index.ts';
import { readRulesVersion, recordRulesVersion } from './rules-version.ts';
import { type ComposeOptions, composeServices } from './services.ts';

/** Does not name the address, which is personal data. An unlisted proxy counts as one busy address. */
const OVER_LIMIT =
  'An address has sent leads of more persons than LEADS_PER_ADDRESS_PER_HOUR; leads of further persons are ' +
  'held for review. If the address is your proxy, name it in TRUSTED_PROXIES. If all is well, run ' +
  '"npm run leads -- release --hold over_address_limit"';

const OVER_BYTES =
  'An address has sent more than BYTES_PER_ADDRESS_PER_HOUR: its leads are held, and large ones are stored in ' +
  'part. If the address is your proxy, name it in TRUSTED_PROXIES. If all is well, run ' +
  '"npm run leads -- release --hold over_address_bytes"';
const DISK_FULL =
  'The disk of the database is full: no lead can be stored. Visitors’ browsers keep their leads and will ' +
  'send them again. Free some space; no restart is needed';
const OVER_STEPS = 'A visit sends more steps than STEPS_PER_VISIT; its further steps are not saved';

/** The limit for all visitors together, so that pages cannot bury other alerts. */
const PAGE_ALERTS_PER_HOUR = 20;

/** Maximum wait of `/readyz` for the database. */
const READY_TIMEOUT_MS = 2_000;

/** Creates the use cases. Loads all tables and lists beforehand, so that no request waits for them. */
export async function compose(options: ComposeOptions) {
  const { settings, pool, personKey, http, log } = options;
  const { leadObserver = silentObserver, now = () => new Date() } = options;
  const { site, limits } = settings;
  const { alert, stop: stopAlerts } = createAlerts({ slack: settings.slack, http, log });
  const store = createLeadStore({
    ...options,
    addressIsOver: () => alert(OVER_LIMIT),
    observer: leadObserver,
  });
  const [ownZip, blockedTerms, surveys] = await Promise.all([
    loadZipCheck(),
    loadBlockedTermCheck(),
    loadSurveyTable(settings.surveys),
  ]);
  const { descriptionLimit, dateOfBirthStates, partialFaultStates, limitation } = site;
  const { forcesTreatment, companyName, preselectsFirms } = site;
  const { specialStates, timeZone, formerCompanyNames } = settings;
  const ofStates = { dateOfBirthStates, partialFaultStates, specialStates };
  const rules = { ...ofStates, descriptionLimit, limitation, forcesTreatment };
  // These settings decide how days are counted, which consent texts are ours, and what a visitor
  // changed.
  const others = { timeZone, companyName, preselectsFirms, formerCompanyNames };
  const versioned = await readRulesVersion(
    { ...rules, ...others, surveys: settings.surveys },
    shownSponsors(pageLocals(settings)),
  );
  await recordRulesVersion(pool, versioned);
  const rulesVersion = versioned.version;
  const digest = await openDigest(pool);
  const checks = createTextChecks(blockedTerms, descriptionLimit);
  const services = composeServices({ ...options, alert, now, checks, ownZip, digest });
  const { verify } = services;
  const { consents = publishedConsents([companyName, ...formerCompanyNames]) } = options;
  const requestCounts = createRequestCounts(now, { pool, log });
  const hourlyCounts = createRequestCounts(now, { pool, log }, HOUR_MS);
  /** The parts that several use cases share. */
  const shared = {
    log,
    now,
    personKey,
    checks,
    surveys,
    consents,
    requestCounts,
    calendar: (moment: Date) => calendarDate(moment, timeZone),
    digest,
    inTurn: createFormTurns(pool),
    addressBytes: createAddressBytes({
      counts: hourlyCounts,
      limit: limits.bytesPerAddressPerHour,
      isOver: createHourlyAlert(alert, OVER_BYTES),
      now,
    }),
  };
  const oneToOne = {
    store: createOneToOneStore(pool),
    surveys,
    settings: {
      defaultBuyerName: companyName,
      fallbackBuyers: settings.fallbackBuyers,
      preselectsFirms,
    },
  };
  const phoneCodes = createPhoneCodeStore(pool, digest);
  const days = limits.holdSamePersonDays;
  const accept = createAcceptLead({
    ...shared,
    ...limits,
    store,
    oneToOne,
    phoneCodes: settings.surveys.some((each) => each.verifiesPhone) ? phoneCodes : undefined,
    checkZip: ownZip,
    isSamePersonAgain: days === 0 ? undefined : (lead) => hasOtherLead(pool, lead, days),
    planDeliveries: createPlan(
      settings.destinations,
      surveys,
      services.waitOf,
      site.choiceWaitMinutes * 60_000,
    ),
    recallAnswers: services.recallAnswers,
    prepareVerification: verify?.prepare,
    rulesVersion,
    variantFields: (variants) => variantFields(variants, settings.experiments),
    rules: {
      ...rules,
      siteOrigin: settings.publicUrl,
      oneToOneStatement: (shown, language) => oneToOneStatement(shown, language, companyName),
      consents: indexConsents(consents),
    },
  });
  const diskIsFull = createHourlyAlert(alert, DISK_FULL);
  const acceptLead: AcceptLead = async (...post) => {
    try {
      return await accept(...post);
    } catch (error) {
      leadObserver.refused(post[0].survey, refusalOf(error));
      // We cannot measure the disk of a `DATABASE_URL`, so this error is the only sign that it is
      // full.
      if (isFullDisk(error)) diskIsFull();
      throw error;
    }
  };
  const useCases: Omit<UseCases, 'surveyForms'> = {
    acceptLead,
    saveProgress: createSaveProgress({
      ...shared,
      store: createProgressStore(pool, personKey),
      mirror: services.mirror?.copy,
      stepsPerVisit: limits.stepsPerVisit,
      tooManySteps: createHourlyAlert(alert, OVER_STEPS),
    }),
    ...services.checks,
    // The survey of the saved visit takes precedence over the survey that the request names.
    async checkPhone(phone, named, lead, visitor) {
      const own = lead && (await surveyOfVisit(pool, lead).catch(() => undefined));
      return services.checks.checkPhone(phone, own || named, lead, visitor);
    },
    verifyPhone: createVerifyPhone({
      verifier: services.phoneVerifier,
      store: phoneCodes,
      surveys,
      checkLine: checkPhoneByPlan,
      limits: settings.phoneCodeLimits,
    }),
    mapLead: createMapLead({ ...oneToOne, ask: services.mapping }),
    findBuyers: createFindBuyers({
      ...oneToOne,
      checkZip: services.checks.checkZip,
      ask: services.buyers,
    }),
    estimate: createEstimate({
      multipliers: site.compensationMultipliers,
      ask: services.estimate,
    }),
    takeContactForm: createTakeContactForm({ ...shared, acceptLead, store }),
    takeOptOut: createTakeOptOut({ pool, personKey }, limits.optOuts, alert),
    async sendPageAlert(text) {
      const { isWithin } = await hourlyCounts.take('page alerts', PAGE_ALERTS_PER_HOUR);
      if (isWithin) alert(text, { from: 'a page' });
    },
    isReady: async () => (await inTime(pool.query('select 1'), READY_TIMEOUT_MS)) !== undefined,
  };
  return {
    alert,
    /** Counts requests per address and posts per lead, together with the other processes. */
    requestCounts,
    /** Sends the queued alerts once more. */
    stopAlerts,
    /** Verifies leads that a dead process left unverified. Undefined: verification is off. */
    catchUpVerifications: verify?.catchUp,
    /** Resolves when all received leads are stored or refused and their checks have ended. */
    async drain(): Promise<void> {
      await store.drain();
      await services.drain();
    },
    useCases: {
      ...useCases,
      surveyForms: createSurveyForms({
        ...shared,
        store: createFormVisitStore(pool, personKey),
        useCases: { ...useCases, saveProgress: withoutLimit(useCases.saveProgress) },
      }),
    },
  };
}

function refusalOf(error: unknown): string {
  if (error instanceof OverLimitError) return error.reason;
  if (error instanceof LeadErasedError) return 'erased';
  return error instanceof StoreUnavailableError ? 'unavailable' : 'internal';
}
