import type {
  AnyScriptName,
  CollectedFields,
  ThirdPartyScript,
} from '../../contract/third-party-scripts.ts';
import type { JourneyState } from '../../journey/state.ts';
import type { Visit } from '../../journey/visit.ts';
import type { SurveyPageData } from '../screens/page-data.ts';
import { followNumber } from './call-tracking.ts';
import { takeCertificate, takeLeadidToken } from './certificates.ts';
import { clickByScript, clickByServer, hearOfClick } from './click-tracker.ts';
import { browserPage, type ScriptPage } from './script-page.ts';
import { wait } from './wait.ts';

/** The part of the runner that scripts follow. */
type Followed = {
  getState(): Pick<JourneyState, 'at' | 'given' | 'phase'>;
  subscribe(listener: () => void): unknown;
  /** Stores the visit with its collected fields. */
  keepDrafts(): Promise<void> | undefined;
};

/** The input of a script's part. */
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
