import { expect, test, vi } from 'vitest';
import { declaredScripts, scriptsOfPage } from '../../contract/script-declarations.ts';
import type { ThirdPartyScript } from '../../contract/third-party-scripts.ts';
import type { StepAnswers } from '../../flows/engine/walk.ts';
import { v4 } from '../../flows/variants/v4.ts';
import { variantA } from '../../flows/variants/variant-a.ts';
import { newVisit } from '../../journey/visit.ts';
import { noScripts, pageData } from '../test-support/survey-fixture.ts';
import { followScripts } from './follow-scripts.ts';
import type { ScriptPage } from './script-page.ts';

const set = {
  ...noScripts,
  pixel: 'https://p.example/p.js',
  caseWorth: 'https://a.example/g.js',
  adPixel: 'https://d.example/d.js',
};

/** A runner at a step, and what was loaded while it goes on. */
function survey(
  scripts: readonly ThirdPartyScript[],
  start: { at: string; given?: StepAnswers },
  options: { affid?: string; pool?: 'google' | 'facebook'; optsOut?: boolean } = {},
) {
  const { affid = '1', pool = 'google', optsOut = false } = options;
  let state: { at: string; given: StepAnswers } = { given: {}, ...start };
  const listeners: (() => void)[] = [];
  const idle: (() => void)[] = [];
  let type: () => void = () => undefined;
  let show: () => void = () => undefined;
  const load = vi.fn<ScriptPage['load']>(() => new Promise(() => undefined));
  const visit = newVisit('/survey/v4nv', { href: 'https://s.example/', referrer: '', now: 0 });
  visit.tracking.traffic_source_pool = pool;
  const awaits = followScripts(
    { ...pageData(), scripts },
    {
      getState: () => ({ ...state, phase: 'asking' }),
      subscribe: (listener) => listeners.push(listener),
      keepDrafts: async () => undefined,
    },
    visit,
    affid,
    (href) => href,
    {
      load,
      idle: (work) => idle.push(work),
      ready: new Promise<void>((resolve) => {
        show = resolve;
      }),
      onTyping: (begun) => {
        type = begun;
      },
      tell: () => undefined,
      onTold: () => undefined,
      optsOut,
    },
  );
  show();
  return {
    awaits,
    load,
    /** What was loaded once the page had time. */
    async loaded() {
      await new Promise((resolve) => setImmediate(resolve));
      for (const work of idle.splice(0)) work();
      return load.mock.calls.map(([src]) => src);
    },
    type: () => type(),
    go(at: string, given: StepAnswers = {}) {
      state = { at, given: { ...state.given, ...given } };
      for (const listener of listeners) listener();
    },
  };
}

const declared = (flow: Parameters<typeof declaredScripts>[0], settings = set) =>
  scriptsOfPage(declaredScripts(flow, settings));
const ofA = declared(variantA);

test('the ad script loads at its step and the pixel on the answer Yes, each once', async () => {
  const { go, loaded } = survey(ofA, { at: 'StartPath' });
  expect(await loaded()).toEqual([]);
  go('AutoAccidentCaseWorth');
  go('AutoAccidentCaseWorth');
  expect(await loaded()).toEqual([set.caseWorth]);
  go('WasUserInjured');
  expect(await loaded()).toEqual([set.caseWorth]);
  go('TypeOfMedicalTreatment', { WasUserInjured: { physical_injury: 'Yes' } });
  go('WasUserInjured');
  go('TypeOfMedicalTreatment', { WasUserInjured: { physical_injury: 'Yes' } });
  expect(await loaded()).toEqual([set.caseWorth, set.pixel]);
});

test('nothing loads in the tap itself, only when the page is idle, also where the step is left by then', async () => {
  const { go, load, loaded } = survey(ofA, { at: 'StartPath' });
  go('AutoAccidentCaseWorth');
  go('OtherDriversVehicleType');
  expect(load).not.toHaveBeenCalled();
  expect(await loaded()).toEqual([set.caseWorth]);
});

test('the answer No loads no pixel, a Yes after it does', async () => {
  const { go, loaded } = survey(ofA, { at: 'WasUserInjured' });
  go('PoliceReportFiled', { WasUserInjured: { physical_injury: 'No' } });
  expect(await loaded()).toEqual([]);
  go('TypeOfMedicalTreatment', { WasUserInjured: { physical_injury: 'Yes' } });
  expect(await loaded()).toEqual([set.pixel]);
});

test('a visit that is taken up again is not counted anew', async () => {
  const given = { WasUserInjured: { physical_injury: 'Yes' } };
  const { go, loaded } = survey(ofA, { at: 'HasLawyer', given });
  go('IncidentDescription', { HasLawyer: { with_Lawyer: 'no' } });
  expect(await loaded()).toEqual([]);
});

test('without a condition on the answer any answer loads it', async () => {
  const scripts = [{ name: 'pixel', after: 'HowWasUserHurt', src: set.pixel }] as const;
  const { go, loaded } = survey(scripts, { at: 'HowWasUserHurt' });
  go('WhenWasTheAccident', { HowWasUserHurt: { physical_injury: 'No' } });
  expect(await loaded()).toEqual([set.pixel]);
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

test('the pool chooses the ad script where there are two', async () => {
  const caseWorthFacebook = 'https://a.example/f.js';
  const scripts = declared(variantA, { ...set, caseWorthFacebook });
  const at = 'AutoAccidentCaseWorth';
  expect(await survey(scripts, { at }, { pool: 'google' }).loaded()).toEqual([set.caseWorth]);
  expect(await survey(scripts, { at }, { pool: 'facebook' }).loaded()).toEqual([caseWorthFacebook]);
  expect(await survey(ofA, { at }, { pool: 'facebook' }).loaded()).toEqual([set.caseWorth]);
});

const whole: readonly ThirdPartyScript[] = [{ name: 'pixel', src: 'https://w.example/w.js' }];

test('a script of no step waits for the first answer, or for the first letter typed', async () => {
  const answered = survey(whole, { at: 'StartPath' });
  expect(await answered.loaded()).toEqual([]);
  answered.go('AtFault', { StartPath: { accident_type: 'Car Accident' } });
  answered.go('WasUserInjured', { AtFault: { at_Fault: 'no' } });
  expect(await answered.loaded()).toHaveLength(1);
  const typed = survey(whole, { at: 'OnePageForm' });
  typed.type();
  expect(await typed.loaded()).toHaveLength(1);
});

test('one that is declared so waits for no answer, only for a page that takes taps and is idle', async () => {
  const [tracker] = declared(v4, {
    ...noScripts,
    click: { baseUrl: 'https://clicks.example', by: 'page', timeoutMs: 5000 },
  });
  const { load, loaded } = survey([tracker as ThirdPartyScript, ...whole], { at: 'StartPath' });
  expect(load).not.toHaveBeenCalled();
  expect(await loaded()).toEqual(['https://clicks.example/scripts/main.js']);
});

test('a visit that is taken up again has begun', async () => {
  const given = { StartPath: { accident_type: 'Car Accident' } } as const;
  expect(await survey(whole, { at: 'AtFault', given }).loaded()).toHaveLength(1);
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

test('the last button waits for a script no longer than declared, and for others not at all', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const scripts: ThirdPartyScript[] = [
      { name: 'pixel', src: 'https://one.example/s.js' },
      { name: 'leadidLike' as 'pixel', src: 'https://two.example/s.js', waitMs: 700 },
    ];
    const { awaits, type, loaded } = survey(scripts, { at: 'StartPath' });
    expect(awaits()).toBeUndefined();
    type();
    await loaded();
    let isOver = false;
    void awaits()?.then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(699);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('what failed is waited for no more', async () => {
  const { awaits, type, load, loaded } = survey(
    [{ name: 'pixel', src: 'https://one.example/s.js', waitMs: 700 }],
    { at: 'StartPath' },
  );
  load.mockRejectedValueOnce(new Error('blocked'));
  type();
  await loaded();
  expect(awaits()).toBeDefined();
  await new Promise((resolve) => setImmediate(resolve));
  expect(awaits()).toBeUndefined();
});
