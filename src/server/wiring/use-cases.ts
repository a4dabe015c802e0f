/** Wires the use cases to the database, the services and the settings. */
import type pg from 'pg';
import type { Logger } from 'pino';
import { oneToOneStatement, publishedConsents } from '../../../content/consent/index.ts';
import { waAuthorizations } from '../../../content/consent/wa-authorizations.ts';
import { calendarDate } from '../../model/fields/dates.ts';
import { loadSurveyTable } from '../../model/flows/survey-table.ts';
import { indexConsents, type PublishedConsent } from '../../model/lead/consent.ts';
import { createTextChecks, type TextChecks, type ZipCheck } from '../../model/lead/context.ts';
import type { PersonKey } from '../../model/lead/person-key.ts';
import type { Click } from '../../model/messages/click.ts';
import { places } from '../../web/site/site-map.ts';
import { shownSponsors, washingtonFirms } from '../../web/site/sponsor-list.ts';
import * as checks from '../checks/index.ts';
import { createIsForSale, createPlan, listenersOf } from '../delivery/index.ts';
import { pageLocals } from '../http/site.ts';
import type { UseCases } from '../http/use-cases.ts';
import { createSpeedCount } from '../insight/index.ts';
import * as leads from '../leads/index.ts';
import { takeOutcomes } from '../money/index.ts';
import { type Alerts, createAlerts, createHourlyAlert } from '../platform/alerts.ts';
import type { Clock } from '../platform/clock.ts';
import { persistently } from '../platform/database/database.ts';
import { cleanDatabaseError, storeErrors } from '../platform/database/database-error.ts';
import { type KeyedDigest, openDigest } from '../platform/database/database-secret.ts';
import { isFullDisk } from '../platform/database/disk-space.ts';
import { createRequestCounts } from '../platform/database/request-counts.ts';
import { LeadErasedError, OverLimitError, StoreUnavailableError } from '../platform/errors.ts';
import { inTime } from '../platform/in-time.ts';
import type { OutgoingHttp } from '../platform/outgoing-http.ts';
import { createTakeOptOut, suppress } from '../privacy/index.ts';
import type { ServiceSettings, Settings } from '../settings/settings.ts';
import { services as serviceTable } from '../settings/third-parties.ts';
import { auditStateRules, readRulesVersion, recordRulesVersion } from './rules-version.ts';

/** The alert contains no IP address, because an IP address is personal data. */
const OVER_LIMIT =
  'An IP address has sent leads of more persons than LEADS_PER_ADDRESS_PER_HOUR; leads of further persons are ' +
  'held for review. If the address is your proxy, name it in TRUSTED_PROXIES. Release genuine leads in the console';
const OVER_BYTES =
  'An IP address has sent more than BYTES_PER_ADDRESS_PER_HOUR: its leads are held. If the address is your proxy, ' +
  'name it in TRUSTED_PROXIES. Release genuine leads in the console';
const DISK_FULL =
  'The disk of the database is full: no lead can be stored. Visitors’ browsers keep their leads and will ' +
  'send them again. Free some space; no restart is needed';
const OVER_STEPS = 'A visit sends more steps than STEPS_PER_VISIT; its further steps are not saved';

/** Maximum number of alerts per hour from all visitors' pages together. */
const PAGE_ALERTS_PER_HOUR = 20;

/** Maximum time that `/readyz` waits for the database. */
const READY_TIMEOUT_MS = 2_000;

const DAY_MS = 86_400_000;

type ComposeOptions = {
  /** Default: the process's clock. */
  readonly now?: Clock;
  /** Default: all published consent texts. */
  readonly consents?: readonly PublishedConsent[];
  readonly settings: Settings;
  readonly pool: pg.Pool;
  readonly personKey: PersonKey;
  /** Called when a delivery may be due, for example after a commit that added deliveries. */
  wake(): void;
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly log: Logger;
  /** Observes the calls to services for which a visitor or a lead waits. */
  readonly observer: checks.ServiceObserver | undefined;
  readonly leadObserver: leads.LeadObserver | undefined;
};

/** Creates the use cases, after loading all tables and lists into memory. */
export async function compose(options: ComposeOptions) {
  const { settings, pool, personKey, log, leadObserver, now = () => new Date() } = options;
  const { site, limits } = settings;
  const people = { pool, personKey, settings };
  const { alert, stop: stopAlerts } = createAlerts(settings.slack, options);
  const store = leads.createLeadStore({
    ...options,
    addressIsOver: () => alert(OVER_LIMIT),
    observer: leadObserver,
  });
  const [{ checkZip: ownZip, zipZone }, blockedTerms, surveys] = await Promise.all([
    checks.loadZipTable(),
    checks.loadBlockedTermCheck(),
    loadSurveyTable(settings.surveys),
  ]);
  const { descriptionLimit, dateOfBirthStates, partialFaultStates, limitation } = site;
  const { forcesTreatment, companyName, preselectsFirms } = site;
  const { compensationMultipliers: multipliers } = site;
  const { specialStates, timeZone, formerCompanyNames, fallbackBuyers, destinations } = settings;
  const ofStates = { dateOfBirthStates, partialFaultStates, specialStates };
  const { stateRules } = settings;
  const rules = { ...ofStates, descriptionLimit, limitation, forcesTreatment, stateRules };
  const authorization = {
    companies: [companyName, ...formerCompanyNames],
    email: site.contactEmail,
    firms: washingtonFirms(site.authorizedFirms),
  };
  const others = { authorization, timeZone, companyName, preselectsFirms, formerCompanyNames };
  const versioned = await readRulesVersion(
    { ...rules, ...others, surveys: settings.surveys },
    shownSponsors(pageLocals(settings)),
  );
  await recordRulesVersion(pool, versioned);
  await auditStateRules(pool, stateRules);
  const rulesVersion = versioned.version;
  const digest = await openDigest(pool);
  const textChecks = createTextChecks(blockedTerms);
  const services = composeServices({ ...options, alert, now, textChecks, ownZip, digest });
  const { consents = publishedConsents([companyName, ...formerCompanyNames]) } = options;
  const requestCounts = createRequestCounts(now, { pool, log });
  const hourlyCounts = createRequestCounts(now, { pool, log }, leads.HOUR_MS);
  const shared = {
    log,
    now,
    personKey,
    checks: textChecks,
    surveys,
    consents,
    requestCounts,
    calendar: (moment: Date) => calendarDate(moment, timeZone),
    digest,
    inTurn: leads.createFormTurns(pool),
    addressBytes: leads.createAddressBytes({
      counts: hourlyCounts,
      limit: limits.bytesPerAddressPerHour,
      isOver: createHourlyAlert(alert, OVER_BYTES),
      now,
    }),
  };
  const pagesWithoutSteps = new Set([
    ...places.map(({ path }) => path),
    ...settings.surveys.map(({ thankYouPath }) => thankYouPath),
  ]);
  const oneToOne = {
    store: checks.createOneToOneStore(pool),
    surveys,
    settings: { defaultBuyerName: companyName, fallbackBuyers, preselectsFirms },
  };
  const phoneCodes = checks.createPhoneCodeStore(pool, digest);
  const days = limits.holdSamePersonDays;
  const choiceWaitMs = site.choiceWaitMinutes * 60_000;
  const accept = leads.createAcceptLead({
    ...shared,
    ...limits,
    store,
    oneToOne,
    phoneCodes: settings.surveys.some((each) => each.verifiesPhone) ? phoneCodes : undefined,
    checkZip: ownZip,
    zipZone,
    isSamePersonAgain: days === 0 ? undefined : (lead) => leads.hasOtherLead(pool, lead, days),
    planDeliveries: createPlan(destinations, surveys, services.waitOf, choiceWaitMs),
    isForSale: createIsForSale(destinations, surveys),
    recallAnswers: services.recallAnswers,
    prepareVerification: services.verify?.prepare,
    rulesVersion,
    rules: {
      ...rules,
      siteOrigin: settings.publicUrl,
      authorization: { ...authorization, files: waAuthorizations },
      oneToOneStatement: (shown, language) => oneToOneStatement(shown, language, companyName),
      consents: indexConsents(consents),
    },
  });
  const listeners = listenersOf(destinations);
  const diskIsFull = createHourlyAlert(alert, DISK_FULL);
  const acceptLead: leads.AcceptLead = async (...post) => {
    try {
      return await accept(...post);
    } catch (error) {
      leadObserver?.refused(post[0].survey, refusalOf(error));
      // If the database runs on another machine, this error is the only sign of a full disk.
      if (isFullDisk(error)) diskIsFull();
      throw error;
    }
  };
  const useCases: Omit<UseCases, 'surveyForms'> = {
    acceptLead,
    saveProgress: leads.createSaveProgress({
      ...shared,
      store: leads.createProgressStore(pool, personKey),
      mirror: services.mirror,
      stepsPerVisit: limits.stepsPerVisit,
      tooManySteps: createHourlyAlert(alert, OVER_STEPS),
    }),
    ...services.checks,
    verifyPhone: checks.createVerifyPhone({
      verifier: services.phoneVerifier,
      store: phoneCodes,
      surveys,
      checkLine: checks.checkPhoneByPlan,
      limits: settings.phoneCodeLimits,
    }),
    mapLead: checks.createMapLead({ ...oneToOne, ask: services.mapping }),
    findBuyers: checks.createFindBuyers({
      ...oneToOne,
      checkZip: services.checks.checkZip,
      ask: services.buyers,
    }),
    estimate: checks.createEstimate({ multipliers, ask: services.estimate }),
    takeContactForm: leads.createTakeContactForm({ ...shared, acceptLead, store }),
    takeOptOut: createTakeOptOut(people, limits.optOuts, alert),
    async takeStop(phone) {
      const by = { actor: 'a text message', source: 'sms' } as const;
      const work = () => suppress(people, phone, by);
      await storeErrors(() => persistently(work, { idempotent: true }));
      options.wake();
    },
    async takeOutcome(destination, outcome) {
      const by = { destination, source: 'webhook', actor: destination, listeners } as const;
      const taken = await storeErrors(() => takeOutcomes(pool, [outcome], by));
      options.wake();
      return taken;
    },
    async sendPageAlert(text) {
      const { isWithin } = await hourlyCounts.take('page alerts', PAGE_ALERTS_PER_HOUR);
      if (isWithin) alert(text, { from: 'a page' });
    },
    countSpeed: createSpeedCount({ client: pool, surveys, pages: pagesWithoutSteps }),
    isReady: async () => (await inTime(pool.query('select 1'), READY_TIMEOUT_MS)) !== undefined,
  };
  return {
    alert,
    /** Counts requests per IP address and posts per lead, in all processes together. */
    requestCounts,
    /** Sends the waiting alerts in one last message, and accepts no more alerts. */
    stopAlerts,
    /** Resolves when every received lead is stored or refused, and all checks have ended. */
    async drain(): Promise<void> {
      await store.drain();
      await services.drain();
    },
    useCases: {
      ...useCases,
      surveyForms: leads.createSurveyForms({
        ...shared,
        store: leads.createFormVisitStore(pool, personKey),
        useCases,
      }),
    },
  };
}

function refusalOf(error: unknown): string {
  if (error instanceof OverLimitError) return error.reason;
  if (error instanceof LeadErasedError) return 'erased';
  return error instanceof StoreUnavailableError ? 'unavailable' : 'internal';
}

type ServicesOptions = ComposeOptions & {
  readonly alert: Alerts;
  readonly now: Clock;
  /** Our own checks, which are used instead of a service without settings. */
  readonly textChecks: TextChecks;
  readonly ownZip: ZipCheck;
  readonly digest: KeyedDigest;
};

/** Wires the services for which a visitor or a lead waits. */
function composeServices(options: ServicesOptions) {
  const { settings, pool, personKey, wake, http, log, alert, observer, now } = options;
  const { textChecks, ownZip, digest } = options;
  const { phone, email, gibberish, zip, verification, saveData, answersDays } = settings.checks;

  function use<Part>(
    name: string,
    given: ServiceSettings | undefined,
    make: (service: checks.Service) => Part,
  ): Part | undefined {
    if (given === undefined) return undefined;
    const observers = { alert, observer };
    const { needs = [] } = serviceTable.find((each) => each.name === name) ?? {};
    const circuit = checks.createServiceCircuit(name, settings.circuit, observers, needs);
    const onFailure = (reason: string, durationMs: number) =>
      log.warn({ service: name, reason, durationMs }, 'A service gave no usable answer');
    return make(checks.createService({ ...given, name, http, circuit, observer, onFailure }));
  }

  const waiting = settings.destinations.flatMap(({ definition, values }) =>
    verification && values && definition.waitsForVerification?.(values) ? [definition.name] : [],
  );
  const answers = checks.createCheckAnswers({ pool, log, lifetimeMs: answersDays * DAY_MS });
  const checked = leads.createLeadChecks({ pool, log, waiting, wake });
  const permit = checks.createPaidChecks({
    count: checks.createCountPaidCheck(pool, digest),
    limits: settings.limits.paidChecksPerHour,
    alert,
  });
  const parts = { answers, record: checked.record, permit, personKey, now };
  /** Creates a function that calls a service. Results are cached, limited and recorded. */
  const recorded = <Value, Said>(
    check: checks.RecordedCheck<Value, Said>,
    given: ServiceSettings | undefined,
  ) => use(check.name, given, (service) => checks.createAsk(service, check, parts));
  /** Creates a function that calls a service without recording the result. */
  const unrecorded = <Value, Said>(
    check: checks.Check<Value, Said>,
    given: ServiceSettings | undefined,
  ) =>
    use(check.name, given, (service) => async (value: Value) => {
      const { said } = await checks.askService(service, check, value);
      return said;
    });
  const verifying = use('verification', verification, (service) => service);
  const verify =
    verifying &&
    leads.createVerifyLead({
      ask: (fields) => checks.askService(verifying, checks.services.verification, fields),
      store: checked,
      now,
      mayBeAsked: verifying.mayBeAsked,
      onError: (error) =>
        log.warn({ err: cleanDatabaseError(error) }, 'A verification could not be stored'),
    });
  const mirror = use('save_data', saveData, (service) =>
    leads.createProgressMirror(service, () =>
      log.warn('Saved progress arrives faster than it can be copied; some copies are dropped'),
    ),
  );
  const { click } = settings.site.scripts;
  const clickTracker = click?.by === 'server' ? click : undefined;
  const trackClick = unrecorded(checks.services.clickId, clickTracker);
  const { codeSender, prefill, emailMxLookup: looksUpMx, emailMxTimeoutMs: timeoutMs } = settings;
  const checkPrefill = unrecorded(checks.services.prefill(prefill?.percentage ?? 0), prefill);
  const warn = (facts: object, text: string) => log.warn(facts, text);

  return {
    verify,
    mirror,
    /** Returns the maximum wait of a first attempt for the lead's verification, in milliseconds. */
    waitOf: (destination: string) =>
      waiting.includes(destination) && verifying?.mayBeAsked() ? verifying.timeoutMs : undefined,
    recallAnswers: checks.createRecallAnswers({
      answers,
      services: { gibberish: gibberish !== undefined, zip: zip !== undefined },
    }),
    checks: {
      checkZip: checks.createCheckZip(recorded(checks.services.zipPlace(ownZip), zip), ownZip),
      checkPhone: checks.createCheckPhone(
        recorded(checks.phoneCheck(phone?.key ?? ''), phone) ?? checks.checkPhoneByPlan,
        settings.checks.keepsActive,
      ),
      checkEmail: checks.createCheckEmail(
        recorded(checks.emailCheck(email?.key ?? '', email?.timeoutMs ?? 0), email) ??
          checks.createEmailCheck({ looksUpMx, timeoutMs }),
        checks.createBlockedEmails(pool, digest),
        alert,
      ),
      checkText: checks.createCheckText(recorded(checks.services.gibberish, gibberish), textChecks),
      /** Registers an ad click and returns the transaction id, or '' after a failure. */
      trackClick: trackClick && (async (click: Click) => (await trackClick(click)) ?? ''),
      /** Returns whether an affiliate's contact fields are prefilled; false after a failure. */
      checkPrefill: async (affid: string) => (await checkPrefill?.(affid)) ?? false,
    },
    /** Sends SMS codes through the service, or only logs them during development. */
    phoneVerifier:
      codeSender === 'development'
        ? checks.createDevelopmentCodes(warn)
        : codeSender &&
          use('sms', codeSender, (service) => checks.createTwilioVerify(service, codeSender, warn)),
    mapping: recorded(checks.services.mapping, settings.mapping),
    buyers: recorded(checks.services.buyersAvailable, settings.buyers),
    estimate: unrecorded(checks.services.estimate, settings.estimate),
    /** Resolves when all calls have ended and no result waits to be stored. */
    async drain(): Promise<void> {
      await verify?.drain();
      await checked.drain();
    },
  };
}
