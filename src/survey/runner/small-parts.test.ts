import { describe, expect, test } from 'vitest';
import { randomHex, uuidV7 } from '../../journey/ids.ts';
import { dayOptions, monthOptions, yearOptions } from '../screens/date-options.ts';
import { partnerHref } from './partner.ts';
import { StepHistory } from './step-history.ts';
import { TapGuard } from './tap-guard.ts';

describe('ids', () => {
  test('a UUIDv7 has its time, version and variant, and sorts by time', () => {
    const now = Date.UTC(2026, 10, 20);
    const id = uuidV7(now);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(now);
    expect(uuidV7(now) < uuidV7(now + 1)).toBe(true);
    expect(new Set(Array.from({ length: 1000 }, () => uuidV7(now))).size).toBe(1000);
  });

  test('a click id is 32 hex digits', () => {
    expect(randomHex()).toMatch(/^[0-9a-f]{32}$/);
    expect(randomHex()).not.toBe(randomHex());
  });
});

describe('date options', () => {
  test('sixteen years, newest first, and twelve months', () => {
    const years = yearOptions({ year: 2026, month: 11, day: 20 }).map(([value]) => value);
    expect(years).toHaveLength(16);
    expect(years[0]).toBe('2026');
    expect(years.at(-1)).toBe('2011');
    expect(monthOptions(['a', 'b'])).toEqual([
      ['01', 'a'],
      ['02', 'b'],
    ]);
  });

  test.each([
    ['02', '2023', 28],
    ['02', '2024', 29],
    ['02', '', 29],
    ['04', '2025', 30],
    ['', '', 31],
    ['11', '2026', 20],
    ['11', '2025', 30],
  ])('month %s of %s has %d days to choose', (month, year, count) => {
    expect(dayOptions(month, year, { year: 2026, month: 11, day: 20 })).toHaveLength(count);
  });
});

describe('partner page', () => {
  const visit = {
    partnerUrl: 'https://partner.example/click?c=7&affid=0',
    closedStates: ['NY'],
    state: 'TX',
    transactionId: 'abc',
    affid: '12',
    sub_id: 'a b',
  };
  test('carries transaction id, affid and sub_id beside its own parameters', () => {
    expect(partnerHref(visit)).toBe(
      'https://partner.example/click?c=7&affid=12&transaction_id=abc&sub_id=a+b',
    );
  });
  test('is not opened in the states that keep it closed, or without an address', () => {
    expect(partnerHref({ ...visit, state: 'NY' })).toBeUndefined();
    expect(partnerHref({ ...visit, partnerUrl: '' })).toBeUndefined();
  });
  test('is opened where the state is not known', () => {
    expect(partnerHref({ ...visit, state: undefined })).toBeDefined();
  });
});

const longAgo = { timeStamp: -1e6, clientX: 50, clientY: 60 };

describe('tap guard', () => {
  const tap = { timeStamp: 1000, clientX: 50, clientY: 60, detail: 1, pointerType: 'touch' };
  const echo = (second: Partial<typeof tap>, screen = 1) => {
    const guard = new TapGuard(longAgo);
    expect(guard.isEcho(tap, 0)).toBe(false);
    return guard.isEcho({ ...tap, timeStamp: 1150, ...second }, screen);
  };
  test('the second tap at the same place on the next screen is an echo', () => {
    expect(echo({})).toBe(true);
    expect(echo({ pointerType: 'mouse', detail: 2 })).toBe(true);
  });
  test('a later tap, one elsewhere, a single mouse click and a key are not', () => {
    expect(echo({ timeStamp: 1301 })).toBe(false);
    expect(echo({ clientY: 160 })).toBe(false);
    expect(echo({ pointerType: 'mouse' })).toBe(false);
    expect(echo({ detail: 0 })).toBe(false);
    expect(echo({}, 0)).toBe(false);
  });
});

describe('tap guard after an early tap', () => {
  const tap = { timeStamp: 1200, clientX: 50, clientY: 60, detail: 1, pointerType: 'touch' };
  const echo = (second: Partial<typeof tap>) =>
    new TapGuard({ timeStamp: 1000, clientX: 52, clientY: 66 }).isEcho({ ...tap, ...second }, 1);
  test('the second tap of a double tap whose first one came before the script is an echo', () => {
    expect(echo({})).toBe(true);
    expect(echo({ pointerType: 'mouse', detail: 2 })).toBe(true);
  });
  test('a later tap, one elsewhere and a key are not, and without an early tap nothing is', () => {
    expect(echo({ timeStamp: 1301 })).toBe(false);
    expect(echo({ clientY: 160 })).toBe(false);
    expect(echo({ detail: 0 })).toBe(false);
    expect(new TapGuard(longAgo).isEcho(tap, 1)).toBe(false);
  });
});

describe('step history', () => {
  /** A browser history in memory: entries, a position, and what `back` does. */
  function fakeHistory(state: unknown = null) {
    const entries: unknown[] = [state];
    let at = 0;
    return {
      entries,
      get state() {
        return entries[at];
      },
      pushState(next: unknown) {
        entries.splice(at + 1, entries.length, next);
        at += 1;
      },
      replaceState(next: unknown) {
        entries[at] = next;
      },
      back() {
        at -= 1;
      },
    };
  }

  test('one entry a step; back goes through the browser until the first', () => {
    const history = fakeHistory();
    const steps = new StepHistory(history, 'L', 0, '/survey/v4nv');
    expect(steps.back()).toBe(false);
    steps.show(0);
    steps.show(1);
    steps.show(2);
    expect(history.entries).toHaveLength(3);
    expect(steps.back()).toBe(true);
    expect(steps.arrived(history.state)).toBe(1);
    steps.show(1);
    expect(history.entries).toHaveLength(3);
  });

  test('entries hold no answers', () => {
    const history = fakeHistory();
    new StepHistory(history, 'L', 0, '/').show(1);
    expect(history.entries).toEqual([
      { lead: 'L', index: 0, base: 0 },
      { lead: 'L', index: 1, base: 0 },
    ]);
  });

  test('a reloaded page keeps its entries; a new one begins where the visit is', () => {
    const reloaded = new StepHistory(fakeHistory({ lead: 'L', index: 3, base: 0 }), 'L', 3, '/');
    expect(reloaded.back()).toBe(true);
    const other = new StepHistory(fakeHistory({ lead: 'X', index: 3, base: 0 }), 'L', 3, '/');
    expect(other.back()).toBe(false);
  });

  test('entries of an earlier visit are passed over, on the way back', () => {
    const history = fakeHistory('before');
    for (const index of [0, 1, 2]) history.pushState({ lead: 'X', index, base: 0 });
    const steps = new StepHistory(history, 'L', 0, '/');
    history.back();
    expect(steps.arrived(history.state)).toBeUndefined();
    expect(steps.arrived(history.state)).toBeUndefined();
    expect(history.state).toBe('before');
    expect(steps.arrived('of another script')).toBeUndefined();
  });

  test('an entry that the skip link made is the step on screen', () => {
    const history = fakeHistory();
    const steps = new StepHistory(history, 'L', 0, '/');
    history.pushState(null);
    expect(steps.arrived(history.state)).toBeUndefined();
    steps.show(1);
    expect(steps.back()).toBe(true);
    expect(steps.arrived(history.state)).toBe(0);
  });

  test('a step back in place replaces the entry', () => {
    const history = fakeHistory();
    const steps = new StepHistory(history, 'L', 3, '/');
    steps.show(2);
    expect(history.entries).toEqual([{ lead: 'L', index: 2, base: 2 }]);
    expect(steps.back()).toBe(false);
  });
});
