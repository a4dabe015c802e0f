import { afterEach, expect, test, vi } from 'vitest';
import type { StepAnswers } from '../../../model/flows/engine/walk.ts';
import { v4 } from '../../../model/flows/variants/v4.ts';
import { variantA } from '../../../model/flows/variants/variant-a.ts';
import { surveyScripts } from '../../../model/messages/script-declarations.ts';
import type { ThirdPartyScript } from '../../../model/messages/third-party-scripts.ts';
import { newVisit } from '../../../model/visit/visit.ts';
import { pageData, unsetScripts } from '../test-support/survey-fixture.ts';
import { followScripts } from './follow-scripts.ts';
import type { ScriptPage } from './script-page.ts';

const set = {
  ...unsetScripts,
  pixel: 'https://p.example/p.js',
  caseWorth: 'https://a.example/g.js',
  adPixel: 'https://d.example/d.js',
};

afterEach(() => {
  vi.useRealTimers();
});

/** Follows the scripts of a survey that is at a step. */
function survey(
  scripts: readonly ThirdPartyScript[],
  start: { at: string; given?: StepAnswers },
  options: { affid?: string; pool?: 'google' | 'facebook'; optsOut?: boolean } = {},
) {
  const { affid = '1', pool = 'google', optsOut = false } = options;
  let state: { at: string; given: StepAnswers } = { given: {}, ...start };
  const subscribe = vi.fn<(listener: () => void) => void>();
  const onTyping = vi.fn<ScriptPage['onTyping']>();
  const idle = vi.fn<ScriptPage['idle']>();
  const load = vi.fn<ScriptPage['load']>(() => new Promise(() => undefined));
  const visit = newVisit('/survey/v4nv', { href: 'https://s.example/', referrer: '', now: 0 });
  visit.tracking.traffic_source_pool = pool;
  const keepDrafts = async () => undefined;
  const getState = () => ({ ...state, phase: 'asking' as const });
  const ready = Promise.resolve();
  const noTabs = { tell: () => undefined, onTold: () => undefined };
  const awaits = followScripts(
    { ...pageData(), scripts },
    { getState, subscribe, keepDrafts },
    visit,
    affid,
    (href) => href,
    { load, idle, ready, onTyping, ...noTabs, optsOut },
  );
  return {
    awaits,
    load,
    /** Lets the page become idle. @returns the addresses of all scripts loaded so far */
    async loaded() {
      await new Promise((resolve) => setImmediate(resolve));
      for (const [work] of idle.mock.calls.splice(0)) work();
      return load.mock.calls.map(([src]) => src);
    },
    type: () => onTyping.mock.lastCall?.[0](),
    go(at: string, given: StepAnswers = {}) {
      state = { at, given: { ...state.given, ...given } };
      subscribe.mock.lastCall?.[0]();
    },
  };
}

const declared = (flow: Parameters<typeof surveyScripts>[0], settings = set) =>
  surveyScripts(flow, settings);
const ofA = declared(variantA);

test('the ad script loads at its step and the pixel on the answer Yes, each once', async () => {
  const { go, load, loaded } = survey(ofA, { at: 'StartPath' });
  expect(await loaded()).toEqual([]);
  go('AutoAccidentCaseWorth');
  go('AutoAccidentCaseWorth');
  go('WasUserInjured');
  // The script loads after the tap, not within it, even if the visitor has left the step.
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
])('the v4 family’s pixel: affiliate %s, injury %s: %j', async (affid, answer, expected) => {
  const { go, loaded } = survey(declared(v4), { at: 'StartPath' }, { affid });
  go('WasUserInjured', { StartPath: { accident_type: 'Car Accident' } });
  expect(await loaded()).toEqual([]);
  go('PoliceReportFiled', { WasUserInjured: { physical_injury: answer } });
  expect(await loaded()).toEqual(expected);
});

test('the opt-out signal keeps out every script, certificates included', async () => {
  const scripts: ThirdPartyScript[] = [
    { name: 'pixel', src: 'https://out.example/s.js' },
    { name: 'trustedForm', src: 'https://certificate.example/s.js', waitMs: 1000 },
  ];
  const { awaits, loaded, type } = survey(scripts, { at: 'StartPath' }, { optsOut: true });
  type();
  expect(await loaded()).toEqual([]);
  expect(awaits()).toBeUndefined();
});
