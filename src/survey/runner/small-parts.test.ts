import { describe, expect, test } from 'vitest';
import { StepHistory } from './step-history.ts';
import { TapGuard } from './tap-guard.ts';

describe('tap guard', () => {
  const first = { timeStamp: 1000, clientX: 50, clientY: 60 };
  const tap = { ...first, detail: 1, pointerType: 'touch' };
  const second = { ...tap, timeStamp: 1150, clientX: 52, clientY: 66 };
  const longAgo = new TapGuard({ ...first, timeStamp: -1e6 });

  /** A guard after a tap on screen 0, which came before the script or after it. */
  const guards = {
    early: () => new TapGuard(first),
    usual: () => {
      const guard = new TapGuard({ ...first, timeStamp: -1e6 });
      expect(guard.isEcho(tap, 0)).toBe(false);
      return guard;
    },
  };

  test.each([
    ['a second tap at the same place', {}, true],
    ['the second click of a double click', { pointerType: 'mouse', detail: 2 }, true],
    ['a later tap', { timeStamp: 1301 }, false],
    ['a tap elsewhere', { clientY: 160 }, false],
    ['a single mouse click', { pointerType: 'mouse' }, false],
    ['a key', { detail: 0 }, false],
  ])('%s on the next screen: echo %o', (_, change, isEcho) => {
    for (const guard of Object.values(guards)) {
      expect(guard().isEcho({ ...second, ...change }, 1)).toBe(isEcho);
    }
  });

  test('a second tap on the same screen, or a first one, is no echo', () => {
    expect(guards.usual().isEcho(second, 0)).toBe(false);
    expect(longAgo.isEcho(second, 1)).toBe(false);
  });
});

describe('step history', () => {
  /** Returns a browser history in memory. */
  function fakeHistory(state: unknown = null) {
    const entries: unknown[] = [state];
    let at = 0;
    return {
      entries,
      get state() {
        return entries[at];
      },
      pushState(next: unknown) {
        at += 1;
        entries.splice(at, entries.length, next);
      },
      replaceState(next: unknown) {
        entries[at] = next;
      },
      back() {
        at -= 1;
      },
    };
  }

  test('has one entry a step, without answers, and goes back until the first', () => {
    const history = fakeHistory();
    const steps = new StepHistory(history, 'L', 0, '/survey/v4nv');
    expect(steps.back()).toBe(false);
    for (const index of [0, 1, 2]) steps.show(index);
    const entries = [0, 1, 2].map((index) => ({ lead: 'L', index, base: 0 }));
    expect(history.entries).toEqual(entries);
    expect(steps.back()).toBe(true);
    expect(steps.arrived(history.state)).toBe(1);
    steps.show(1);
    expect(history.entries).toEqual(entries);
  });

  test.each([
    ['L', true],
    ['X', false],
  ])('a page reloaded in a visit with entries of lead %s goes back to them: %s', (lead, goes) => {
    const history = fakeHistory({ lead, index: 3, base: 0 });
    expect(new StepHistory(history, 'L', 3, '/').back()).toBe(goes);
  });

  test('passes over the entries of an earlier visit', () => {
    const history = fakeHistory('before');
    for (const index of [0, 1, 2]) history.pushState({ lead: 'X', index, base: 0 });
    const steps = new StepHistory(history, 'L', 0, '/');
    history.back();
    expect(steps.arrived(history.state)).toBeUndefined();
    expect(steps.arrived(history.state)).toBeUndefined();
    expect(history.state).toBe('before');
    expect(steps.arrived('of another script')).toBeUndefined();
  });

  test('an entry of the skip link shows the present step', () => {
    const history = fakeHistory();
    const steps = new StepHistory(history, 'L', 0, '/');
    history.pushState(null);
    expect(steps.arrived(history.state)).toBeUndefined();
    steps.show(1);
    expect(steps.back()).toBe(true);
    expect(steps.arrived(history.state)).toBe(0);
  });

  test('replaces its entry when the visitor goes back within the page', () => {
    const history = fakeHistory();
    const steps = new StepHistory(history, 'L', 3, '/');
    steps.show(2);
    expect(history.entries).toEqual([{ lead: 'L', index: 2, base: 2 }]);
    expect(steps.back()).toBe(false);
  });
});
