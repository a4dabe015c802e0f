import type { Click, ClickAnswer } from '../../../model/messages/click.ts';
import type { ThirdPartyScript } from '../../../model/messages/third-party-scripts.ts';
import type { ScriptContext, ScriptPart } from './follow-scripts.ts';
import { wait } from './wait.ts';

declare global {
  interface Window {
    /** The promise may never settle. */
    EF?: { click(options: Click): Promise<unknown> };
  }
}

/** Longest wait until the visit is stored, for browsers without storage. */
const KEEP_LIMIT_MS = 500;

/**
 * Returns the click for the tracker. Includes the transaction id only if it came from the address:
 * it then joins an earlier click. Our own id is unknown to the tracker.
 */
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

/**
 * Makes the click at most once for a visit's click id. Stores that before it makes the click, so that a reload
 * makes no second one (docs/specification.md#transaction-id).
 */
async function clickOnce(
  { timeoutMs = 0 }: ThirdPartyScript,
  context: ScriptContext,
  make: (click: Click) => Promise<unknown>,
): Promise<undefined> {
  const { page, visit, runner } = context;
  const { click_id } = visit.session;
  if (visit.countedClick === click_id || !isOpen(context)) return;
  visit.countedClick = click_id;
  page.tell({ click_id });
  await Promise.race([runner.keepDrafts(), wait(KEEP_LIMIT_MS)]);
  const id = await Promise.race([make(clickOf(context)), wait(timeoutMs)]);
  // Once the lead is being posted, the id is too late.
  if (typeof id !== 'string' || !/^[0-9a-f]{32}$/.test(id) || !isOpen(context)) return;
  page.tell({ click_id, id });
  adopt(id, context);
}

/** Returns whether the lead is not yet being posted. */
function isOpen({ runner }: ScriptContext): boolean {
  return ['asking', 'checking'].includes(runner.getState().phase);
}

/**
 * Listens to the visitor's other tabs: a visit in two tabs has one click. A tab that knows of a click without its
 * id asks for it, because the id may have been told before this tab listened.
 */
export function hearOfClick(context: ScriptContext): void {
  const { page, visit } = context;
  const { click_id } = visit.session;
  page.onTold((told) => {
    if (told.click_id !== click_id) return;
    visit.countedClick = click_id;
    const { ef_transaction_id: known } = visit.tracking;
    if (told.id === undefined && known !== click_id) page.tell({ click_id, id: known });
    else if (told.id !== undefined && isOpen(context)) adopt(told.id, context);
  });
  if (visit.countedClick === click_id) page.tell({ click_id });
}

/** Replaces our click id by the tracker's transaction id, in the address bar and on the lead. */
function adopt(id: string, { visit, runner, withTransactionId }: ScriptContext): void {
  const write = () => history.replaceState(history.state, '', withTransactionId(location.href, id));
  visit.tracking.ef_transaction_id = id;
  // The address first: if it differed from the visit's id, a reload would count as a new click.
  write();
  void runner.keepDrafts();
  // Earlier history entries still have our own id.
  window.addEventListener('popstate', write);
}

/** Makes the click by Everflow's script. */
export const clickByScript: ScriptPart = async (script, context) => {
  const { visit } = context;
  if (visit.countedClick === visit.session.click_id) return undefined;
  if (!(await context.page.load(script.src))) return undefined;
  const tracker = window.EF;
  return tracker && clickOnce(script, context, (click) => tracker.click(click));
};

/** Makes the click by our server. */
export const clickByServer: ScriptPart = (script, context) =>
  clickOnce(script, context, async (click) => {
    const response = await fetch(script.src, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(click),
    });
    return ((await response.json()) as ClickAnswer).transaction_id;
  });
