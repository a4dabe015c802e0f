import type { Click, ClickAnswer } from '../../contract/click.ts';
import type { ThirdPartyScript } from '../../contract/third-party-scripts.ts';
import type { ScriptContext, ScriptPart } from './follow-scripts.ts';
import { wait } from './wait.ts';

/** The click tracker's script leaves this in the page. */
declare global {
  interface Window {
    /** The promise may never settle. */
    EF?: { click(options: Click): Promise<unknown> };
  }
}

/** The mark that a click is made is waited for at most so long: where a browser keeps nothing, forever. */
const KEEP_LIMIT_MS = 500;

/**
 * The click as the tracker is told it. The transaction id goes along only where the address brought it:
 * it joins the click that was made with it. Our own click id would join none.
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
 * Makes the click once for the visit's click, whatever comes of it: that it is made is kept before it is
 * made, so that a reload makes no second one (docs/specification.md#transaction-id).
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
  // What comes once the lead is on its way comes too late for it.
  if (typeof id !== 'string' || !/^[0-9a-f]{32}$/.test(id) || !isOpen(context)) return;
  page.tell({ click_id, id });
  adopt(id, context);
}

/** The lead is not on its way yet. */
function isOpen({ runner }: ScriptContext): boolean {
  return ['asking', 'checking'].includes(runner.getState().phase);
}

/** A visit in two tabs has one click: what another tab tells of it counts for this one. */
export function hearOfClick(context: ScriptContext): void {
  const { page, visit } = context;
  page.onTold(({ click_id, id }) => {
    if (click_id !== visit.session.click_id) return;
    visit.countedClick = click_id;
    if (id !== undefined && isOpen(context)) adopt(id, context);
  });
}

/** The tracker's transaction id takes our click id's place, in the address bar and on the lead. */
function adopt(id: string, { visit, runner, withTransactionId }: ScriptContext): void {
  const write = () => history.replaceState(history.state, '', withTransactionId(location.href, id));
  visit.tracking.ef_transaction_id = id;
  // The address first: with another id in it than the visit's, a reload would count as a new click.
  write();
  void runner.keepDrafts();
  // The history's earlier entries still have our own id.
  window.addEventListener('popstate', write);
}

/** Everflow's script: `EF.click`, raced against the timer. */
export const clickByScript: ScriptPart = async (script, context) => {
  const { visit } = context;
  if (visit.countedClick === visit.session.click_id) return undefined;
  if (!(await context.page.load(script.src))) return undefined;
  const tracker = window.EF;
  return tracker && clickOnce(script, context, (click) => tracker.click(click));
};

/** The same by our server. */
export const clickByServer: ScriptPart = (script, context) =>
  clickOnce(script, context, async (click) => {
    const response = await fetch(script.src, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(click),
    });
    return ((await response.json()) as ClickAnswer).transaction_id;
  });
