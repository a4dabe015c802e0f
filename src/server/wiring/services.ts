/** Wires the services that are called while a visitor or a lead waits, each with its circuit breaker. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { PublishedConsent } from '../../domain/consent.ts';
import type { TextChecks } from '../../intake/check-texts.ts';
import type { ZipLookup } from '../../intake/context.ts';
import type { PersonKey } from '../../intake/person-key.ts';
import { createLeadChecks } from '../accept/lead-checks.ts';
import type { LeadObserver } from '../accept/lead-store.ts';
import { createVerifyLead } from '../accept/verify-lead.ts';
import type { Alerts } from '../base/alerts.ts';
import type { Clock } from '../base/clock.ts';
import type { OutgoingHttp } from '../base/outgoing-http.ts';
import { createBlockedEmails, createCheckAnswers } from '../checks/check-answers.ts';
import { createCheckEmail, createCheckPhone } from '../checks/check-contact.ts';
import { createDevelopmentCodes } from '../checks/development-codes.ts';
import { createEmailCheck } from '../checks/email.ts';
import { createEmailService, createPhoneService } from '../checks/ipqs.ts';
import { createCountPaidCheck, createPaidChecks } from '../checks/paid-checks.ts';
import { checkPhoneByPlan } from '../checks/phone.ts';
import { createService, createServiceCircuit, type Service } from '../checks/service.ts';
import {
  createCheckText,
  createLookUpZip,
  createRecallAnswers,
  emailCheckBy,
  phoneCheckBy,
} from '../checks/service-checks.ts';
import type { ServiceObserver } from '../checks/service-watch.ts';
import {
  createBuyersLookup,
  createClickTracker,
  createEstimateLookup,
  createGibberishService,
  createMappingLookup,
  createPrefillCheck,
  createVerificationService,
  createZipService,
  noPrefill,
} from '../checks/services.ts';
import { createTwilioVerify } from '../checks/twilio.ts';
import type { LookupSettings } from '../config/service-settings.ts';
import type { Settings } from '../config/settings.ts';
import { serviceSettings } from '../config/third-parties.ts';
import { cleanDatabaseError } from '../storage/database-error.ts';
import { createKeyedDigest } from '../storage/database-secret.ts';
import { createProgressMirror } from '../visits/progress-mirror.ts';

const DAY_MS = 86_400_000;

export type ComposeOptions = {
  /** For a demo's history. Default: the process's clock. */
  readonly now?: Clock;
  /** For a demo's history. Default: every text that was published. */
  readonly consents?: readonly PublishedConsent[];
  readonly settings: Settings;
  readonly pool: pg.Pool;
  readonly personKey: PersonKey;
  /** Called after a commit that added deliveries, or when one that waited may be sent. */
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
  /** Our own checks, used without a service. */
  readonly checks: TextChecks;
  readonly ownZip: ZipLookup;
};

export function composeServices(options: ServicesOptions) {
  const { settings, pool, personKey, wake, http, log, alert, observer, now, checks, ownZip } =
    options;
  const { descriptionLimit } = settings.site;
  const { phone, email, gibberish, zip, verification, saveData, answersDays } = settings.checks;

  /** Creates a service's part. Returns undefined if the service is not set up. */
  function use<Part>(
    name: string,
    given: LookupSettings | undefined,
    make: (service: Service) => Part,
  ): Part | undefined {
    if (given === undefined) return undefined;
    const { baseUrl, timeoutMs } = given;
    const told = { alert, observer };
    const circuit = createServiceCircuit(name, settings.circuit, told, serviceSettings(name));
    const onFailure = (reason: string, durationMs: number) =>
      log.warn({ service: name, reason, durationMs }, 'A service gave no usable answer');
    return make(createService({ name, http, baseUrl, timeoutMs, circuit, observer, onFailure }));
  }

  const waiting = settings.destinations.flatMap(({ definition, values }) =>
    verification && values && definition.waitsForVerification?.(values) ? [definition.name] : [],
  );
  const answers = createCheckAnswers({ pool, log, lifetimeMs: answersDays * DAY_MS });
  const checked = createLeadChecks({ pool, log, waiting, wake });
  const shared = { answers, record: checked.record, now };
  const permit = createPaidChecks({
    count: createCountPaidCheck(pool),
    limits: settings.limits.paidChecksPerHour,
    alert,
    now,
  });
  /** Takes a permit for a paid call, but not while the service's circuit is open and it is not called. */
  const paid = (service: Service) => ({
    ...shared,
    personKey,
    permit: async (networkKey: string) => (service.mayBeAsked() ? permit(networkKey) : undefined),
  });
  const verifying = use('verification', verification, (service) => service);
  const verify =
    verifying &&
    createVerifyLead({
      ask: createVerificationService(verifying),
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
  const phoneCheck = use('phone', phone, (service) =>
    phoneCheckBy(createPhoneService(service, phone?.key ?? ''), paid(service)),
  );
  const emailCheck = use('email', email, (service) =>
    emailCheckBy(createEmailService(service, email?.key ?? ''), paid(service)),
  );
  const { click } = settings.site.scripts;
  const { codeSender } = settings;
  const warn = (facts: object, text: string) => log.warn(facts, text);
  const { emailMxLookup: looksUpMx, emailMxTimeoutMs: timeoutMs } = settings;

  return {
    /** The cache of answers and the record of checks, for use cases. */
    shared,
    verify,
    mirror,
    /** Returns how long a destination's first attempt waits for the verification. */
    waitOf: (destination: string) =>
      waiting.includes(destination) && verifying?.mayBeAsked() ? verifying.timeoutMs : undefined,
    recallAnswers: createRecallAnswers({
      answers,
      services: { gibberish: gibberish !== undefined, zip: zip !== undefined },
      descriptionLimit,
    }),
    lookUpZip: createLookUpZip({
      ...shared,
      own: ownZip,
      ask: use('zip', zip, (service) => createZipService(service, ownZip)),
    }),
    checkPhone: createCheckPhone(phoneCheck ?? checkPhoneByPlan, settings.checks.keepsActive),
    checkEmail: createCheckEmail(
      emailCheck ?? createEmailCheck({ looksUpMx, timeoutMs }),
      createBlockedEmails(pool, createKeyedDigest(pool)),
      alert,
    ),
    checkText: createCheckText({
      ...shared,
      ask: use('gibberish', gibberish, createGibberishService),
      checks,
      descriptionLimit,
    }),
    /** Defined only if our server creates the clicks. */
    trackClick: use('click', click?.by === 'server' ? click : undefined, createClickTracker),
    /** Sends SMS codes by the service or to the log. */
    phoneVerifier:
      codeSender === 'development'
        ? createDevelopmentCodes(warn)
        : codeSender &&
          use('sms', codeSender, (service) => createTwilioVerify(service, codeSender, warn)),
    mapping: use('mapping', settings.mapping, createMappingLookup),
    buyers: use('buyers', settings.buyers, createBuyersLookup),
    estimate: use('estimate', settings.estimate, createEstimateLookup),
    checkPrefill:
      use('prefill', settings.prefill, (service) =>
        createPrefillCheck(service, settings.prefill?.percentage ?? 0),
      ) ?? noPrefill,
    /** Resolves when all calls have ended and their results are written or given up. */
    async drain(): Promise<void> {
      await verify?.drain();
      await Promise.all([checked.drain(), answers.drain()]);
    },
  };
}
