import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { StepAnswers } from '../../../model/flows/engine/walk.ts';
import { v4 } from '../../../model/flows/variants/v4.ts';
import { variantA } from '../../../model/flows/variants/variant-a.ts';
import {
  surveyScripts,
  type ThirdPartyScript,
} from '../../../model/messages/script-declarations.ts';
import { newVisit } from '../../../model/visit/visit.ts';
import { pageData, unsetScripts } from '../test-support/survey-fixture.ts';
import {
  clickByScript,
  clickOf,
  followScripts,
  type ScriptContext,
  type ScriptPage,
  type ScriptPart,
} from './follow-scripts.ts';

const set = {
  ...unsetScripts,
  pixel: 'https://p.example/p.js',
  caseWorth: 'https://a.example/g.js',
  adPixel: 'https://d.example/d.js',
};

function survey(
  scripts: readonly ThirdPartyScript[],
  start: { at: string; given?: StepAnswers },
  { affid = '1' } = {},
) {
  let state: { at: string; given: StepAnswers } = { given: {}, ...start };
  const subscribe = vi.fn<(listener: () => void) => void>();
  const onTyping = vi.fn<ScriptPage['onTyping']>();
  const idle = vi.fn<ScriptPage['idle']>();
  const load = vi.fn<ScriptPage['load']>(() => new Promise(() => undefined));
  const visit = newVisit('/survey/v4nv', { href: 'https://s.example/', referrer: '', now: 0 });
  visit.tracking.traffic_source_pool = 'google';
  const storeDrafts = async () => undefined;
  const getState = () => ({ ...state, phase: 'asking' as const });
  const ready = Promise.resolve();
  followScripts(
    { data: { ...pageData(), scripts }, visit, state: { given: start.given ?? {} } },
    { getState, subscribe, storeDrafts },
    affid,
    { load, idle, ready, onTyping, optsOut: false },
  );
  return {
    load,
    /** Waits until the page is idle, and returns the URLs of all scripts loaded so far. */
    async loaded() {
      await new Promise((resolve) => setImmediate(resolve));
      for (const [work] of idle.mock.calls.splice(0)) work();
      return load.mock.calls.map(([src]) => src);
    },
    go(at: string, given: StepAnswers = {}) {
      state = { at, given: { ...state.given, ...given } };
      subscribe.mock.lastCall?.[0]();
    },
  };
}

const declared = (flow: Parameters<typeof surveyScripts>[0], settings = set) =>
  surveyScripts(flow, settings);
const ofA = declared(variantA);

test('the survey loads each third-party script only once', async () => {
  const { go, load, loaded } = survey(ofA, { at: 'StartPath' });
  expect(await loaded()).toEqual([]);
  go('AutoAccidentCaseWorth');
  go('AutoAccidentCaseWorth');
  go('WasUserInjured');
  expect(load).not.toHaveBeenCalled();
  expect(await loaded()).toEqual([set.caseWorth]);
  go('PoliceReportFiled', { WasUserInjured: { physical_injury: 'No' } });
  expect(await loaded()).toEqual([set.caseWorth]);
  go('WasUserInjured');
  go('TypeOfMedicalTreatment', { WasUserInjured: { physical_injury: 'Yes' } });
  go('WasUserInjured');
  go('TypeOfMedicalTreatment', { WasUserInjured: { physical_injury: 'Yes' } });
  expect(await loaded()).toEqual([set.caseWorth, set.pixel]);
});

test.each([
  ['389', 'Yes', [set.adPixel]],
  ['389', 'No', []],
  ['1', 'Yes', []],
  ['3890', 'Yes', []],
])(
  'a v4 survey loads the ad pixel only for injured visitors of affiliate 389',
  async (affid, answer, expected) => {
    const { go, loaded } = survey(declared(v4), { at: 'StartPath' }, { affid });
    go('WasUserInjured', { StartPath: { accident_type: 'Car Accident' } });
    expect(await loaded()).toEqual([]);
    go('PoliceReportFiled', { WasUserInjured: { physical_injury: answer } });
    expect(await loaded()).toEqual(expected);
  },
);

const transactionId = '0123456789abcdef0123456789abcdef';

const script = { name: 'clickTracker', src: 'https://s.example/s.js', timeoutMs: 5000 } as const;

class FakePage {
  readonly listeners = new Map<string, () => void>();
  address = 'https://site.example/survey/v4nv?s1=abc#x';
  readonly load = vi.fn<ScriptPage['load']>(async () => true);
  phase: 'asking' | 'sending' = 'asking';
  readonly storeDrafts = vi.fn(async () => undefined);

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
    const { load, storeDrafts } = this;
    const ready = Promise.resolve();
    const idle = (work: () => void) => work();
    return {
      page: { load, idle, ready, onTyping: () => undefined, optsOut: false },
      runner: {
        getState: () => ({ at: 'AtFault', given: {}, phase: this.phase }),
        subscribe: () => undefined,
        storeDrafts,
      },
      visit: newVisit('/survey/v4nv', { href, referrer: '', now: 0 }),
      survey: { offerId: 81 },
      affid,
      settings: { phoneHref: '' },
    };
  }
}

let page: FakePage;

/** Runs the code of one script, and returns the fields that it collects within a minute. */
async function run(part: ScriptPart, of = page.context(), src: string = script.src) {
  const done = part({ ...script, src }, of);
  await vi.advanceTimersByTimeAsync(60_000);
  return done;
}

describe('the ad click', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    page = new FakePage();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const withClick = (click: () => Promise<unknown> = async () => transactionId) => {
    const made = vi.fn(click);
    Object.assign(window, { EF: { click: made } });
    return made;
  };
  const expected = { offer_id: '81', affiliate_id: '389', sub1: 'abc', sub2: 'two', uid: 'u7' };

  test('gets the click tracker’s id in place of our own id', async () => {
    const click = withClick();
    const of = page.context();
    await run(clickByScript, of);
    expect(page.load).toHaveBeenCalledExactlyOnceWith(script.src);
    expect(click).toHaveBeenCalledExactlyOnceWith(expected);
    expect(of.visit.tracking.ef_transaction_id).toBe(transactionId);
    expect(page.address).toBe(
      `https://site.example/survey/v4nv?s1=abc&_ef_transaction_id=${transactionId}#x`,
    );
    // The visitor goes back to a history entry whose URL contains our own click id.
    page.address = 'https://site.example/survey/v4nv?_ef_transaction_id=own';
    page.listeners.get('popstate')?.();
    expect(page.address).toContain(transactionId);
  });

  test('is stored before it is sent', async () => {
    const of = page.context();
    let storedAs: string | undefined;
    page.storeDrafts.mockImplementation(async () => {
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
  ])('is sent with the transaction id of the page’s URL', (query, id) => {
    expect(clickOf(page.context(query)).transaction_id).toBe(id);
  });
});
