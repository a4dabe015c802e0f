import type { Click, ClickAnswer } from '../../../model/messages/click.ts';
import type {
  AnyScriptName,
  CollectedFields,
  ThirdPartyScript,
} from '../../../model/messages/script-declarations.ts';
import {
  type VisitorStateAnswer,
  visitorStatePath,
} from '../../../model/messages/visitor-state.ts';
import type { VisitState } from '../../../model/visit/state.ts';
import { addressWithTransactionId, type Visit } from '../../../model/visit/visit.ts';
import { wait } from '../queue/requests.ts';
import type { SurveyPageData } from '../screens/screen-props.ts';
import { followNumber, loadScript, poll, WIDGET_POLL_MS, whenIdle } from './call-tracking.ts';

declare global {
  interface Navigator {
    /** Global Privacy Control: true if the visitor opts out of sale and sharing. */
    readonly globalPrivacyControl?: boolean;
  }
  interface Window {
    EF?: { click(options: Click): Promise<unknown> };
  }
}

/** Returns the functions of the page that third-party scripts use. */
export function scriptPage(ready: Promise<unknown>) {
  return {
    load: loadScript,
    idle: whenIdle,
    ready,
    onTyping: (begun: () => void) => {
      document.getElementById('survey')?.addEventListener('input', begun, { once: true });
    },
    optsOut: navigator.globalPrivacyControl === true,
  };
}
export type ScriptPage = ReturnType<typeof scriptPage>;

type Followed = {
  getState(): Pick<VisitState, 'at' | 'given' | 'phase'>;
  subscribe(listener: () => void): unknown;
  storeDrafts(): Promise<void> | undefined;
};

type FollowedVisit = {
  readonly data: Pick<SurveyPageData, 'scripts' | 'survey' | 'settings'>;
  readonly visit: Visit;
  readonly state: Pick<VisitState, 'given'>;
};

export type ScriptContext = {
  readonly page: ScriptPage;
  readonly runner: Followed;
  readonly visit: Visit;
  readonly survey: Pick<SurveyPageData['survey'], 'offerId'>;
  readonly affid: string;
  readonly settings: Pick<SurveyPageData['settings'], 'phoneHref'>;
};

/** A function that loads a third-party script and returns the fields that the script collects. */
export type ScriptPart = (
  script: ThirdPartyScript,
  context: ScriptContext,
) => Promise<CollectedFields | undefined>;

/** Longest wait for the visit to be stored. */
const STORE_LIMIT_MS = 500;

/** Returns the ad click in the click tracker's format, with the transaction id of the URL. */
export function clickOf({ visit, survey, affid }: ScriptContext): Click {
  const { tracking, session } = visit;
  const { ef_transaction_id: id } = tracking;
  const isBrought = Object.values(session.params).some((value) => value.trim() === id);
  const click = {
    offer_id: tracking.oid ?? String(survey.offerId),
    affiliate_id: affid,
    sub1: tracking.sub_id,
    sub2: tracking.sub_id2,
    sub3: tracking.sub_id3,
    sub4: tracking.sub_id4,
    sub5: tracking.click_id,
    uid: tracking.uid ?? '',
    source_id: tracking.source_id ?? '',
    transaction_id: isBrought ? id : '',
  };
  return Object.fromEntries(Object.entries(click).filter(([, value]) => value !== '')) as Click;
}

/** Sends the ad click once per click id. Stores the visit first, so that a reload sends nothing. */
async function clickOnce(
  { timeoutMs = 0 }: ThirdPartyScript,
  context: ScriptContext,
  make: (click: Click) => Promise<unknown>,
): Promise<undefined> {
  const { visit, runner } = context;
  const { click_id } = visit.session;
  if (visit.countedClick === click_id || !isOpen(context)) return;
  visit.countedClick = click_id;
  await Promise.race([runner.storeDrafts(), wait(STORE_LIMIT_MS)]);
  const id = await Promise.race([make(clickOf(context)), wait(timeoutMs)]);
  if (typeof id !== 'string' || !/^[0-9a-f]{32}$/.test(id) || !isOpen(context)) return;
  adopt(id, context);
}

/** Returns whether fields may still change, because the post of the lead has not begun. */
function isOpen({ runner }: ScriptContext): boolean {
  return ['asking', 'checking'].includes(runner.getState().phase);
}

/** Replaces our click id by the click tracker's transaction id, in the URL and in the visit. */
function adopt(id: string, { visit, runner }: ScriptContext): void {
  const write = () =>
    history.replaceState(history.state, '', addressWithTransactionId(location.href, id));
  visit.tracking.ef_transaction_id = id;
  // The URL changes before the visit is stored. Otherwise a reload could send a second ad click.
  write();
  void runner.storeDrafts();
  // When the visitor goes back, the URL of the earlier history entry still has our own id.
  window.addEventListener('popstate', write);
}

/** Sends the ad click through Everflow's script. */
export const clickByScript: ScriptPart = async (script, context) => {
  const { visit } = context;
  if (visit.countedClick === visit.session.click_id) return undefined;
  if (!(await context.page.load(script.src))) return undefined;
  const tracker = window.EF;
  return tracker && clickOnce(script, context, (click) => tracker.click(click));
};

/** Sends the ad click through our server. */
export const clickByServer: ScriptPart = (script, context) =>
  clickOnce(script, context, async (click) => {
    const response = await fetch(script.src, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(click),
    });
    return ((await response.json()) as ClickAnswer).transaction_id;
  });

/** Pause between two reads of the LeadiD token (docs/specification.md#consent-certificates). */
const LEADID_POLL_MS = 50;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CERTIFICATE_FIELD = 'xxTrustedFormCertUrl';

function hiddenInput(name: string, id: string): HTMLInputElement {
  const input = document.createElement('input');
  Object.assign(input, { type: 'hidden', name, id });
  document.querySelector<HTMLFormElement>('#survey form')?.append(input);
  return input;
}

/** Marks the step, the consent text and the button for TrustedForm (`use_tagged_consent`). */
function tagConsent(): void {
  const consent = document.getElementById('tcpa');
  const step = consent?.closest('[data-step]');
  const tag = (element: Element | null | undefined, role: string) =>
    element?.setAttribute('data-tf-element-role', role);
  tag(step, 'offer');
  tag(consent, 'consent-language');
  tag(step?.querySelector('button[type=submit]'), 'submit');
}

/** Loads TrustedForm's script, which fills a hidden input with the certificate's URL. */
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

/** Loads LeadiD's script, which later fills the hidden input `leadid_token`. */
const takeLeadidToken: ScriptPart = async ({ src }, { page }) => {
  const input = hiddenInput('universal_leadid', 'leadid_token');
  if (!(await page.load(src, 'LeadiDscript_campaign'))) return undefined;
  const leadid_token = await poll(
    () => (GUID.test(input.value) ? input.value : undefined),
    LEADID_POLL_MS,
  );
  return leadid_token === undefined ? undefined : { leadid_token };
};

/** Maps a script's name to the code that handles it. Scripts without such code are only loaded. */
const parts: Partial<Record<AnyScriptName, ScriptPart>> = {
  clickTracker: clickByScript,
  serverClick: clickByServer,
  trustedForm: takeCertificate,
  leadid: takeLeadidToken,
  callTracking: followNumber,
};

/**
 * Loads each third-party script once (docs/specification.md#scripts-of-third-parties). The returned
 * function waits for the fields that the scripts collect.
 */
export function followScripts(
  { data, visit, state }: FollowedVisit,
  runner: Followed,
  affid: string,
  page: ScriptPage,
): () => Promise<unknown> | undefined {
  const { scripts, survey, settings } = data;
  const context = { page, runner, visit, survey, affid, settings };
  const { given: before } = state;
  const pool = visit.tracking.traffic_source_pool;
  const left = new Set(
    scripts.filter(
      (script) =>
        (!script.affid || script.affid === affid) &&
        (!script.pool || script.pool === pool) &&
        !page.optsOut,
    ),
  );
  const awaited = new Map<ThirdPartyScript, Promise<unknown>>();
  const start = async (script: ThirdPartyScript) => {
    const part = parts[script.name];
    if (!part) await page.load(script.src);
    const collected = await part?.(script, context);
    if (!collected) return;
    visit.collected = { ...visit.collected, ...collected };
    await runner.storeDrafts();
  };
  let hasBegun = false;
  const isDue = ({ at: wantedAt, after, answer, withoutAnswer }: ThirdPartyScript): boolean => {
    const { at, given } = runner.getState();
    if (withoutAnswer) return true;
    if (!wantedAt && !after) return hasBegun || Object.keys(given).length > 0;
    // If this code loads late, the visitor may have answered the step `wantedAt` before.
    if (wantedAt && wantedAt !== at && given[wantedAt] === before[wantedAt]) return false;
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

/** Calls `learn` with the visitor's US state if our server can determine it. Never rejects. */
export async function findState(learn: (state: string) => void): Promise<void> {
  try {
    const answer = await fetch(visitorStatePath);
    learn(((await answer.json()) as VisitorStateAnswer).state);
  } catch {
    // Without a US state, the survey skips the questions that only some US states need.
  }
}
