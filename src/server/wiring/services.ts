/** Wires the services that are called while a visitor or a lead waits. Each service has a circuit breaker. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { PublishedConsent } from '../../model/lead/consent.ts';
import type { TextChecks, ZipCheck } from '../../model/lead/context.ts';
import type { PersonKey } from '../../model/lead/person-key.ts';
import type { Click } from '../../model/messages/click.ts';
import {
  askService,
  type Check,
  checkPhoneByPlan,
  createAsk,
  createBlockedEmails,
  createCheckAnswers,
  createCheckEmail,
  createCheckPhone,
  createCheckText,
  createCheckZip,
  createCountPaidCheck,
  createDevelopmentCodes,
  createEmailCheck,
  createPaidChecks,
  createRecallAnswers,
  createService,
  createServiceCircuit,
  createTwilioVerify,
  emailCheck,
  phoneCheck,
  type RecordedCheck,
  type Service,
  type ServiceObserver,
  services,
} from '../checks/index.ts';
import {
  createLeadChecks,
  createProgressMirror,
  createVerifyLead,
  type LeadObserver,
} from '../leads/index.ts';
import type { Alerts } from '../platform/alerts.ts';
import type { Clock } from '../platform/clock.ts';
import { cleanDatabaseError } from '../platform/database/database-error.ts';
import type { KeyedDigest } from '../platform/database/database-secret.ts';
import type { OutgoingHttp } from '../platform/outgoing-http.ts';
import type { ServiceSettings, Settings } from '../settings/settings.ts';
import { serviceSettings } from '../settings/third-parties.ts';

const DAY_MS = 86_400_000;

export type ComposeOptions = {
  /** The demo's history replaces the clock. Default: the process's clock. */
  readonly now?: Clock;
  /** The demo's history replaces the published consent texts. Default: all of them. */
  readonly consents?: readonly PublishedConsent[];
  readonly settings: Settings;
  readonly pool: pg.Pool;
  readonly personKey: PersonKey;
  /** Called after a commit that added deliveries, or when a waiting delivery may be sent. */
  wake(): void;
  readonly http: Pick<OutgoingHttp, 'request'>;
  readonly log: Logger;
  /** Observes calls to services that a visitor or a lead waits for. */
  readonly observer: ServiceObserver | undefined;
  /** Observes leads and their commits. */
  readonly leadObserver: LeadObserver | undefined;
};

type ServicesOptions = ComposeOptions & {
  readonly alert: Alerts;
  readonly now: Clock;
  /** Our own checks, which replace services that are not set up. */
  readonly checks: TextChecks;
  readonly ownZip: ZipCheck;
  readonly digest: KeyedDigest;
};

export function composeServices(options: ServicesOptions) {
  const { settings, pool, personKey, wake, http, log, alert, observer, now } = options;
  const { checks, ownZip, digest } = options;
  const { descriptionLimit } = settings.site;
  const { phone, email, gibberish, zip, verification, saveData, answersDays } = settings.checks;

  /** Connects a service and makes the part that uses it. Returns undefined if the service is not set up. */
  function use<Part>(
    name: string,
    given: ServiceSettings | undefined,
    make: (service: Service) => Part,
  ): Part | undefined {
    if (given === undefined) return undefined;
    const { baseUrl, timeoutMs } = given;
    const observers = { alert, observer };
    const needs = serviceSettings(name);
    const circuit = createServiceCircuit(name, settings.circuit, observers, needs);
    const onFailure = (reason: string, durationMs: number) =>
      log.warn({ service: name, reason, durationMs }, 'A service gave no usable answer');
    return make(createService({ name, http, baseUrl, timeoutMs, circuit, observer, onFailure }));
  }

  const waiting = settings.destinations.flatMap(({ definition, values }) =>
    verification && values && definition.waitsForVerification?.(values) ? [definition.name] : [],
  );
  const answers = createCheckAnswers({ pool, log, lifetimeMs: answersDays * DAY_MS });
  const checked = createLeadChecks({ pool, log, waiting, wake });
  const permit = createPaidChecks({
    count: createCountPaidCheck(pool, digest),
    limits: settings.limits.paidChecksPerHour,
    alert,
    now,
  });
  const parts = { answers, record: checked.record, permit, personKey, now };
  /** Creates a function that asks a service. Answers are cached, limited and recorded with the lead. */
  const recorded = <Value, Said>(
    check: RecordedCheck<Value, Said>,
    given: ServiceSettings | undefined,
  ) => use(check.name, given, (service) => createAsk(service, check, parts));
  /** Creates a function that asks a service without a record. */
  const unrecorded = <Value, Said>(check: Check<Value, Said>, given: ServiceSettings | undefined) =>
    use(check.name, given, (service) => async (value: Value) => {
      const { said } = await askService(service, check, value);
      return said;
    });
  const verifying = use('verification', verification, (service) => service);
  const verify =
    verifying &&
    createVerifyLead({
      ask: (fields) => askService(verifying, services.verification, fields),
      store: checked,
      now,
      timeoutMs: verifying.timeoutMs,
      mayBeAsked: verifying.mayBeAsked,
      onError: (error) =>
        log.warn({ err: cleanDatabaseError(error) }, 'A verification could not be stored'),
    });
  const mirror = use('save_data', saveData, (service) =>
    createProgressMirror(service, () =>
      log.warn('Saved progress arrives faster than it can be copied; some copies are dropped'),
    ),
  );
  const { click } = settings.site.scripts;
  const trackClick = unrecorded(services.clickId, click?.by === 'server' ? click : undefined);
  const { codeSender, prefill, emailMxLookup: looksUpMx, emailMxTimeoutMs: timeoutMs } = settings;
  const checkPrefill = unrecorded(services.prefill(prefill?.percentage ?? 0), prefill);
  const warn = (facts: object, text: string) => log.warn(facts, text);

  return {
    verify,
    mirror,
    /** Returns how many ms a destination's first attempt waits for the lead's verification. */
    waitOf: (destination: string) =>
      waiting.includes(destination) && verifying?.mayBeAsked() ? verifying.timeoutMs : undefined,
    recallAnswers: createRecallAnswers({
      answers,
      services: { gibberish: gibberish !== undefined, zip: zip !== undefined },
      descriptionLimit,
    }),
    /** The checks of a visitor's answers and of the visit. */
    checks: {
      checkZip: createCheckZip(recorded(services.zipPlace(ownZip), zip), ownZip),
      checkPhone: createCheckPhone(
        recorded(phoneCheck(phone?.key ?? ''), phone) ?? checkPhoneByPlan,
        settings.checks.keepsActive,
      ),
      checkEmail: createCheckEmail(
        recorded(emailCheck(email?.key ?? '', email?.timeoutMs ?? 0), email) ??
          createEmailCheck({ looksUpMx, timeoutMs }),
        createBlockedEmails(pool, digest),
        alert,
      ),
      checkText: createCheckText(recorded(services.gibberish, gibberish), checks, descriptionLimit),
      /** Creates a click at the tracker; '' after a failure. Undefined unless our server creates the clicks. */
      trackClick: trackClick && (async (click: Click) => (await trackClick(click)) ?? ''),
      /** Returns whether to prefill; false without a service or after a failure. */
      checkPrefill: async (affid: string) => (await checkPrefill?.(affid)) ?? false,
    },
    /** Sends SMS codes by the service, or logs them during development. */
    phoneVerifier:
      codeSender === 'development'
        ? createDevelopmentCodes(warn)
        : codeSender &&
          use('sms', codeSender, (service) => createTwilioVerify(service, codeSender, warn)),
    mapping: recorded(services.mapping, settings.mapping),
    buyers: recorded(services.buyersAvailable, settings.buyers),
    estimate: unrecorded(services.estimate, settings.estimate),
    /** Resolves when all calls have ended and their results are written or given up. */
    async drain(): Promise<void> {
      await verify?.drain();
      await checked.drain();
    },
  };
}
