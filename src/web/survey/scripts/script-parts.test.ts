import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addressWithTransactionId, newVisit } from '../../../model/visit/visit.ts';
import { clickByScript, clickOf, hearOfClick } from './click-tracker.ts';
import type { ScriptContext, ScriptPart } from './follow-scripts.ts';
import type { ScriptPage } from './script-page.ts';

const transactionId = '0123456789abcdef0123456789abcdef';

const script = { name: 'clickTracker', src: 'https://s.example/s.js', timeoutMs: 5000 } as const;

/** A page, as far as the scripts' parts touch it. */
class FakePage {
  readonly listeners = new Map<string, () => void>();
  address = 'https://site.example/survey/v4nv?s1=abc#x';
  /** Loads a script into the page. */
  readonly load = vi.fn<ScriptPage['load']>(async () => true);
  readonly tell = vi.fn<ScriptPage['tell']>();
  readonly onTold = vi.fn<ScriptPage['onTold']>();
  phase: 'asking' | 'sending' = 'asking';
  readonly keepDrafts = vi.fn(async () => undefined);

  constructor() {
    vi.stubGlobal('window', {
      addEventListener: (type: string, listener: () => void) => this.listeners.set(type, listener),
    });
    const page = this;
    vi.stubGlobal('location', {
      get href() {
        return page.address;
      },
    });
    vi.stubGlobal('history', {
      state: { index: 1 },
      replaceState: (_: unknown, __: string, to: string) => {
        this.address = new URL(to, this.address).href;
      },
    });
  }

  context(query = '?s1=abc&sub2=two&uid=u7', affid = '389'): ScriptContext {
    const href = `https://site.example/survey/v4nv${query}`;
    const { load, tell, onTold, keepDrafts } = this;
    const ready = Promise.resolve();
    const idle = (work: () => void) => work();
    return {
      page: { load, tell, onTold, idle, ready, onTyping: () => undefined, optsOut: false },
      runner: {
        getState: () => ({ at: 'AtFault', given: {}, phase: this.phase }),
        subscribe: () => undefined,
        keepDrafts,
      },
      visit: newVisit('/survey/v4nv', { href, referrer: '', now: 0 }),
      survey: { offerId: 81 },
      affid,
      settings: { phoneHref: '' },
      withTransactionId: addressWithTransactionId,
    };
  }
}

let page: FakePage;
beforeEach(() => {
  vi.useFakeTimers();
  page = new FakePage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Runs a part. @returns the fields that it collects within a minute */
async function run(part: ScriptPart, of = page.context(), src: string = script.src) {
  const done = part({ ...script, src }, of);
  await vi.advanceTimersByTimeAsync(60_000);
  return done;
}

describe('the click', () => {
  const withClick = (click: () => Promise<unknown> = async () => transactionId) => {
    const made = vi.fn(click);
    Object.assign(window, { EF: { click: made } });
    return made;
  };
  const told = { offer_id: '81', affiliate_id: '389', sub1: 'abc', sub2: 'two', uid: 'u7' };

  test('tells the tracker and the other tabs, and its id replaces our own in every address', async () => {
    const click = withClick();
    const of = page.context();
    const { click_id } = of.visit.session;
    await run(clickByScript, of);
    expect(page.load).toHaveBeenCalledExactlyOnceWith(script.src);
    expect(click).toHaveBeenCalledExactlyOnceWith(told);
    expect(page.tell.mock.calls).toEqual([[{ click_id }], [{ click_id, id: transactionId }]]);
    expect(of.visit.tracking.ef_transaction_id).toBe(transactionId);
    expect(page.address).toBe(
      `https://site.example/survey/v4nv?s1=abc&_ef_transaction_id=${transactionId}#x`,
    );
    // An earlier history entry still has our own id.
    page.address = 'https://site.example/survey/v4nv?_ef_transaction_id=own';
    page.listeners.get('popstate')?.();
    expect(page.address).toContain(transactionId);
  });

  test('is not made again if another tab has made it, and that tab’s id counts', async () => {
    const click = withClick(async () => 'f'.repeat(32));
    const of = page.context();
    const { click_id } = of.visit.session;
    hearOfClick(of);
    for (const each of [
      { click_id: 'another visit', id: 'e'.repeat(32) },
      { click_id },
      { click_id, id: transactionId },
    ]) {
      page.onTold.mock.lastCall?.[0](each);
    }
    await run(clickByScript, of);
    expect(click).not.toHaveBeenCalled();
    expect(of.visit.tracking.ef_transaction_id).toBe(transactionId);
    expect(page.address).toContain(`_ef_transaction_id=${transactionId}`);
  });

  test('is stored before it is made, and made once over reloads', async () => {
    const of = page.context();
    let storedAs: string | undefined;
    page.keepDrafts.mockImplementation(async () => {
      storedAs ??= of.visit.countedClick;
    });
    const click = withClick(async () => {
      expect(storedAs).toBe(of.visit.session.click_id);
      return transactionId;
    });
    await run(clickByScript, of);
    await run(clickByScript, of);
    expect(page.load).toHaveBeenCalledOnce();
    expect(click).toHaveBeenCalledOnce();
  });

  test.each([
    [`?_ef_transaction_id=${transactionId}`, transactionId],
    [`?transaction_id=${transactionId}`, transactionId],
    ['?s1=abc', undefined],
  ])('joins a click that the address brought: %s', (query, id) => {
    expect(clickOf(page.context(query)).transaction_id).toBe(id);
  });

  test.each([
    ['never settles', () => new Promise(() => undefined)],
    ['settles too late', () => new Promise((resolve) => setTimeout(resolve, 5001, transactionId))],
    ['returns no id', async () => 'x'],
    ['returns nothing', async () => null],
  ])('that %s leaves our own id', async (_, click) => {
    withClick(click);
    const of = page.context();
    const own = of.visit.tracking.ef_transaction_id;
    await run(clickByScript, of);
    expect(of.visit.tracking.ef_transaction_id).toBe(own);
    expect(page.address).not.toContain(transactionId);
  });
});
