import type {
  AnyScriptName,
  CollectedFields,
  ThirdPartyScript,
} from '../../../model/messages/third-party-scripts.ts';
import type { VisitState } from '../../../model/visit/state.ts';
import type { Visit } from '../../../model/visit/visit.ts';
import type { SurveyPageData } from '../screens/screen-props.ts';
import { followNumber } from './call-tracking.ts';
import { clickByScript, clickByServer, hearOfClick } from './click-tracker.ts';
import { browserPage, poll, type ScriptPage, WIDGET_POLL_MS } from './script-page.ts';
import { wait } from './wait.ts';

/** docs/specification.md#consent-certificates: how often the LeadiD token is looked for. */
const LEADID_POLL_MS = 50;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CERTIFICATE_FIELD = 'xxTrustedFormCertUrl';

/** Adds a hidden input to the survey's form, for a third-party script to fill. */
function hiddenInput(name: string, id: string): HTMLInputElement {
  const input = document.createElement('input');
  Object.assign(input, { type: 'hidden', name, id });
  document.querySelector<HTMLFormElement>('#survey form')?.append(input);
  return input;
}

/** Marks the consent text and its button for TrustedForm (`use_tagged_consent`) on every screen that has them. */
function tagConsent(): void {
  const consent = document.getElementById('tcpa');
  if (!consent) return;
  consent.setAttribute('data-tf-element-role', 'consent-language');
  document
    .querySelector('[data-step] button[type=submit]')
    ?.setAttribute('data-tf-element-role', 'submit');
}

/**
 * TrustedForm: its script fills a hidden input with the certificate's URL, whose last segment is the
 * certificate's id (docs/specification.md#consent-certificates).
 */
const takeCertificate: ScriptPart = async ({ src }, { page }) => {
  const input = hiddenInput(CERTIFICATE_FIELD, `${CERTIFICATE_FIELD}_0`);
  tagConsent();
  window.addEventListener('survey:step', tagConsent);
  const query = `field=${CERTIFICATE_FIELD}&use_tagged_consent=true&l=${Date.now()}${Math.random()}`;
  if (!(await page.load(`${src}?${query}`))) return undefined;
  const url = await poll(() => input.value || undefined, WIDGET_POLL_MS);
  if (!url || !/^https?:\/\/./.test(url)) return undefined;
  const id = new URL(url).pathname.split('/').findLast((part) => part !== '');
  return { trustedform_cert_url: url, ...(id && { trusted_form_cert_id: id }) };
};

/**
 * LeadiD: the campaign's script, which finds itself by its id, fills the hidden input `leadid_token` some time
 * after it has loaded (docs/specification.md#consent-certificates).
 */
const takeLeadidToken: ScriptPart = async ({ src }, { page }) => {
  const input = hiddenInput('universal_leadid', 'leadid_token');
  if (!(await page.load(src, 'LeadiDscript_campaign'))) return undefined;
  const leadid_token = await poll(
    () => (GUID.test(input.value) ? input.value : undefined),
    LEADID_POLL_MS,
  );
  return leadid_token === undefined ? undefined : { leadid_token };
};

/** The part of the runner that scripts follow. */
type Followed = {
  getState(): Pick<VisitState, 'at' | 'given' | 'phase'>;
  subscribe(listener: () => void): unknown;
  /** Stores the visit with its collected fields. */
  keepDrafts(): Promise<void> | undefined;
};

export type ScriptContext = {
  readonly page: ScriptPage;
  readonly runner: Followed;
  readonly visit: Visit;
  readonly survey: Pick<SurveyPageData['survey'], 'offerId'>;
  readonly affid: string;
  readonly settings: Pick<SurveyPageData['settings'], 'phoneHref'>;
  readonly withTransactionId: (href: string, transactionId: string) => string;
};

/** Loads a script and returns the fields that it collects. Errors are ignored. */
export type ScriptPart = (
  script: ThirdPartyScript,
  context: ScriptContext,
) => Promise<CollectedFields | undefined>;

/** The scripts that need more than loading. */
const parts: Partial<Record<AnyScriptName, ScriptPart>> = {
  clickTracker: clickByScript,
  serverClick: clickByServer,
  trustedForm: takeCertificate,
  leadid: takeLeadidToken,
  callTracking: followNumber,
};

const loadOnly: ScriptPart = async ({ src }, { page }) => {
  await page.load(src);
  return undefined;
};

/**
 * Loads third-party scripts (docs/specification.md#scripts-of-third-parties): each once per page load, in idle time,
 * after its rule first holds. A script without a rule waits for the first answer or input, unless it is declared
 * `withoutAnswer`. Only answers given in this page count, so that a resumed visit is not counted again.
 *
 * @returns a function that returns what the last button must wait for (each script as long as declared), if anything
 */
export function followScripts(
  { scripts, survey, settings }: Pick<SurveyPageData, 'scripts' | 'survey' | 'settings'>,
  runner: Followed,
  visit: Visit,
  affid: string,
  withTransactionId: ScriptContext['withTransactionId'],
  page: ScriptPage = browserPage(),
): () => Promise<unknown> | undefined {
  const context = { page, runner, visit, survey, affid, settings, withTransactionId };
  const { given: before } = runner.getState();
  const pool = visit.tracking.traffic_source_pool;
  const left = new Set(
    scripts.filter(
      (script) =>
        (!script.affid || script.affid === affid) &&
        (!script.pool || script.pool === pool) &&
        !page.optsOut,
    ),
  );
  if ([...left].some(({ name }) => name === 'clickTracker' || name === 'serverClick')) {
    hearOfClick(context);
  }
  const awaited = new Map<ThirdPartyScript, Promise<unknown>>();
  const start = async (script: ThirdPartyScript) => {
    const collected = await (parts[script.name] ?? loadOnly)(script, context);
    if (!collected) return;
    visit.collected = { ...visit.collected, ...collected };
    await runner.keepDrafts();
  };
  let hasBegun = false;
  const isDue = ({ at: wantedAt, after, answer, withoutAnswer }: ThirdPartyScript): boolean => {
    const { at, given } = runner.getState();
    if (withoutAnswer) return true;
    if (!wantedAt && !after) return hasBegun || Object.keys(given).length > 0;
    if (wantedAt && wantedAt !== at) return false;
    if (!after) return true;
    const answers: Readonly<Record<string, string>> | undefined = given[after];
    if (!answers || answers === before[after]) return false;
    return Object.entries(answer ?? {}).every(([field, value]) => answers[field] === value);
  };
  const look = () => {
    for (const script of left) {
      if (!isDue(script)) continue;
      left.delete(script);
      void page.ready.then(() =>
        page.idle(() => {
          const done = start(script)
            .catch(() => undefined)
            .finally(() => awaited.delete(script));
          if (script.waitMs) awaited.set(script, done);
        }),
      );
    }
  };
  look();
  runner.subscribe(look);
  page.onTyping(() => {
    hasBegun = true;
    look();
  });
  return () =>
    awaited.size > 0
      ? Promise.all(
          [...awaited].map(([{ waitMs = 0 }, done]) => Promise.race([done, wait(waitMs)])),
        )
      : undefined;
}
