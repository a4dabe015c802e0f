import { expect, test } from 'vitest';
import { StepHistory } from './step-history.ts';

/** Creates a browser history in memory. */
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

test('a visit has one entry per step in the browser’s history', () => {
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
])('a reloaded page goes back only within the history of its own visit', (lead, goes) => {
  const history = fakeHistory({ lead, index: 3, base: 0 });
  expect(new StepHistory(history, 'L', 3, '/').back()).toBe(goes);
});
