import { expect, test, vi } from 'vitest';
import type { StepAnswers } from '../../flows/engine/walk.ts';
import { variantA } from '../../flows/variants/variant-a.ts';
import { type ThirdPartyScript, thirdPartyScripts } from '../page/third-party-scripts.ts';
import { followScripts } from './script-loader.ts';

const addresses = {
  pixel: 'https://p.example/p.js',
  caseWorth: 'https://a.example/g.js',
  caseWorthFacebook: '',
  ticket: 'https://t.example/t.js',
  adPixel: 'https://d.example/d.js',
};

/** A runner at a step, and what was loaded while it goes on. */
function survey(
  scripts: readonly ThirdPartyScript[],
  start: { at: string; given?: StepAnswers },
  visit: { affid?: string; pool?: 'google' | 'facebook' } = {},
) {
  let state: { at: string; given: StepAnswers } = { given: {}, ...start };
  const listeners: (() => void)[] = [];
  const put = vi.fn<(src: string) => void>();
  followScripts(
    scripts,
    { getState: () => state, subscribe: (listener) => listeners.push(listener) },
    { affid: '1', pool: 'google', ...visit },
    put,
  );
  return {
    put,
    loaded: () => put.mock.calls.map(([src]) => src),
    go(at: string, given: StepAnswers = {}) {
      state = { at, given: { ...state.given, ...given } };
      for (const listener of listeners) listener();
    },
  };
}

const ofA = thirdPartyScripts(variantA.scripts, addresses);

test('the ad script loads at its step and the pixel on the answer Yes, each once', () => {
  const { go, loaded } = survey(ofA, { at: 'StartPath' });
  expect(loaded()).toEqual([]);
  go('AutoAccidentCaseWorth');
  go('AutoAccidentCaseWorth');
  expect(loaded()).toEqual([addresses.caseWorth]);
  go('WasUserInjured');
  expect(loaded()).toEqual([addresses.caseWorth]);
  go('TypeOfMedicalTreatment', { WasUserInjured: { physical_injury: 'Yes' } });
  go('WasUserInjured');
  go('TypeOfMedicalTreatment', { WasUserInjured: { physical_injury: 'Yes' } });
  expect(loaded()).toEqual([addresses.caseWorth, addresses.pixel]);
});

test('the answer No loads no pixel, a Yes after it does', () => {
  const { go, loaded } = survey(ofA, { at: 'WasUserInjured' });
  go('PoliceReportFiled', { WasUserInjured: { physical_injury: 'No' } });
  expect(loaded()).toEqual([]);
  go('TypeOfMedicalTreatment', { WasUserInjured: { physical_injury: 'Yes' } });
  expect(loaded()).toEqual([addresses.pixel]);
});

test('a visit that is taken up again is not counted anew', () => {
  const given = { WasUserInjured: { physical_injury: 'Yes' } };
  const { go, loaded } = survey(ofA, { at: 'HasLawyer', given });
  go('IncidentDescription', { HasLawyer: { with_Lawyer: 'no' } });
  expect(loaded()).toEqual([]);
});

test('without a condition on the answer any answer loads it', () => {
  const rules = [{ script: 'pixel', after: 'HowWasUserHurt' }] as const;
  const { go, loaded } = survey(thirdPartyScripts(rules, addresses), { at: 'HowWasUserHurt' });
  go('WhenWasTheAccident', { HowWasUserHurt: { physical_injury: 'No' } });
  expect(loaded()).toEqual([addresses.pixel]);
});

test.each([
  ['389', [addresses.adPixel]],
  ['1', []],
  ['3890', []],
])('the ad pixel of affiliate 389 loads for %s: %j', (affid, expected) => {
  const rules = [{ script: 'adPixel', affid: '389' }] as const;
  const scripts = thirdPartyScripts(rules, addresses);
  expect(survey(scripts, { at: 'StartPath' }, { affid }).loaded()).toEqual(expected);
});

test('the pool chooses the ad script where there are two', () => {
  const caseWorthFacebook = 'https://a.example/f.js';
  const scripts = thirdPartyScripts(variantA.scripts, { ...addresses, caseWorthFacebook });
  const at = 'AutoAccidentCaseWorth';
  expect(survey(scripts, { at }, { pool: 'google' }).loaded()).toEqual([addresses.caseWorth]);
  expect(survey(scripts, { at }, { pool: 'facebook' }).loaded()).toEqual([caseWorthFacebook]);
  const one = thirdPartyScripts(variantA.scripts, addresses);
  expect(survey(one, { at }, { pool: 'facebook' }).loaded()).toEqual([addresses.caseWorth]);
});

test('a script without an address is none', () => {
  const off = { pixel: '', caseWorth: '', caseWorthFacebook: '', ticket: '', adPixel: '' };
  expect(thirdPartyScripts(variantA.scripts, off)).toEqual([]);
  expect(thirdPartyScripts(undefined, addresses)).toEqual([]);
});
