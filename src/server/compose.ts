/** The use cases with the adapters that they run on: the middle part of the wiring. */
import type pg from 'pg';
import type { Logger } from 'pino';
import { oneToOneStatement } from '../../content/consent/index.ts';
import type { Settings } from './config/settings.ts';
import { createAcceptLead } from './leads/accept-lead.ts';
import { createAddressLimit } from './leads/address-limit.ts';
import { createCalendar } from './leads/calendar.ts';
import { createCheckEmail, createCheckPhone } from './leads/check-contact.ts';
import { checkText, createTextChecks } from './leads/check-texts.ts';
import { createEstimate } from './leads/estimate.ts';
import { createMapLead, createOfferBuyers } from './leads/one-to-one.ts';
import type { Alerts, Clock } from './leads/ports.ts';
import { createSaveProgress } from './leads/save-progress.ts';
import { loadSurveyTable } from './leads/survey-table.ts';
import type { UseCases } from './leads/use-cases.ts';
import { createLogAlerts } from './providers/alerts.ts';
import { createEmailCheck } from './providers/email.ts';
import {
  createBuyersLookup,
  createEstimateLookup,
  createMappingLookup,
} from './providers/lookups.ts';
import type { OutgoingHttp } from './providers/outgoing-http.ts';
import { checkPhoneByPlan } from './providers/phone.ts';
import { createPrefillCheck, noPrefill } from './providers/prefill.ts';
import { checkGibberish, checkPersonName, loadBlockedTermCheck } from './providers/texts.ts';
import { loadZipLookup } from './providers/zip.ts';
import { createSendJobs } from './storage/leads-jobs.ts';
import { createProgressStore } from './storage/leads-progress.ts';
import { createLeadsStore } from './storage/leads-store.ts';
import { createOneToOneStore } from './storage/one-to-one-store.ts';
import type { Queue } from './storage/queue.ts';

export type Parts = {
  readonly useCases: UseCases;
  readonly alert: Alerts;
  /** Resolves when every lead that was taken is written or refused. */
  drain(): Promise<void>;
};

/** Whose address it is, is not said; a proxy that is not trusted looks just like it. */
const OVER_LIMIT =
  'An address has sent more leads than LEADS_PER_ADDRESS_PER_HOUR; its further ones are held for ' +
  'review. If that is a proxy of yours, name it in TRUSTED_PROXIES';

/** How long `/readyz` waits for the database. */
const READY_TIMEOUT_MS = 2_000;

/** Loads every table and list that requests need, so that none of them waits for one. */
export async function compose(options: {
  settings: Settings;
  pool: pg.Pool;
  queue: Pick<Queue, 'boss' | 'wake'>;
  http: Pick<OutgoingHttp, 'request'>;
  log: Logger;
  now?: Clock;
}): Promise<Parts> {
  const { settings, pool, queue, http, log, now = () => new Date() } = options;
  const alert = createLogAlerts(log);
  const store = createLeadsStore({
    pool,
    sendJobs: createSendJobs(queue),
    wake: () => queue.wake(),
  });
  const [lookUpZip, blockedTerms, surveys] = await Promise.all([
    loadZipLookup(),
    loadBlockedTermCheck(),
    loadSurveyTable(settings.surveys),
  ]);
  const checks = createTextChecks({
    gibberish: checkGibberish,
    blockedTerms,
    name: checkPersonName,
  });
  const emails = createEmailCheck({
    looksUpMx: settings.emailMxLookup,
    timeoutMs: settings.emailMxTimeoutMs,
  });
  const { site, limits, mapping, buyers, estimate } = settings;
  const oneToOne = {
    store: createOneToOneStore(pool),
    surveys,
    settings: { defaultBuyerName: site.companyName, fallbackBuyers: settings.fallbackBuyers },
  };
  return {
    alert,
    drain: () => store.drain(),
    useCases: {
      acceptLead: createAcceptLead({
        store,
        surveys,
        oneToOne,
        checks,
        lookUpZip,
        calendar: createCalendar(settings.timeZone),
        addressLimit: createAddressLimit(limits.leadsPerAddressPerHour, now, () =>
          alert(OVER_LIMIT),
        ),
        destinations: new Set(settings.ingest ? ['ingest'] : []),
        rules: {
          descriptionLimit: site.descriptionLimit,
          dateOfBirthStates: site.dateOfBirthStates,
          partialFaultStates: site.partialFaultStates,
          specialStates: site.specialStates,
          limitation: site.limitation,
          siteOrigin: settings.publicUrl,
          oneToOneStatement: (shown, language) =>
            oneToOneStatement(shown, language, site.companyName),
        },
        now,
      }),
      saveProgress: createSaveProgress({ store: createProgressStore(pool) }),
      lookUpZip,
      checkPhone: createCheckPhone(checkPhoneByPlan),
      checkEmail: createCheckEmail(emails, alert),
      checkText: (text) => checkText(checks, text),
      mapLead: createMapLead({
        ...oneToOne,
        lookUp: mapping && createMappingLookup({ http, ...mapping }),
      }),
      offerBuyers: createOfferBuyers({
        ...oneToOne,
        lookUpZip,
        lookUp: buyers && createBuyersLookup({ http, ...buyers }),
      }),
      estimate: createEstimate({
        multipliers: settings.compensationMultipliers,
        lookUp: estimate && createEstimateLookup({ http, ...estimate }),
      }),
      checkPrefill: settings.prefill
        ? createPrefillCheck({ http, ...settings.prefill })
        : noPrefill,
      isReady: () => isReady(pool),
    },
  };
}

async function isReady(pool: pg.Pool): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), READY_TIMEOUT_MS);
  });
  try {
    return await Promise.race([pool.query('select 1').then(() => true), tooLate]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
