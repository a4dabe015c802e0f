import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type EarlyTaps, earlyTapsScript } from './early-taps.ts';

/** As much of a page as the inline script touches. */
class FakeButton {
  readonly attributes = new Map<string, string>();
  readonly page: FakePage;
  readonly name: string;
  readonly value: string;
  readonly type: string;
  constructor(page: FakePage, name: string, value: string, type = 'button') {
    this.page = page;
    this.name = name;
    this.value = value;
    this.type = type;
  }
  closest(selector: string) {
    if (selector === '#survey') return this.page.container;
    // Start buttons and the ways on of forms stand in one; answer buttons do not.
    return selector === '.form' && this.type !== 'submit' ? null : this;
  }
  setAttribute(name: string, value: string) {
    this.attributes.set(name, value);
    this.page.pressed = this;
  }
  removeAttribute(name: string) {
    this.attributes.delete(name);
  }
}

class FakePage {
  swaps = 0;
  focused = 0;
  pressed: FakeButton | undefined;
  listener: ((event: unknown) => void) | undefined;
  readonly window: { surveyEarly?: EarlyTaps; scrollTo: () => void } = {
    scrollTo: () => undefined,
  };
  readonly container = { replaceChildren: () => (this.swaps += 1) };
  readonly #template: boolean;

  constructor(options: { template: boolean; hint?: string; storage?: boolean }) {
    this.#template = options.template;
    const document = {
      addEventListener: (_: string, listener: (event: unknown) => void) => {
        this.listener = listener;
      },
      getElementById: (id: string) => {
        if (id === 'question') return { focus: () => (this.focused += 1) };
        return this.#template ? { content: { cloneNode: () => 'next' } } : null;
      },
      querySelector: () => this.pressed,
    };
    const localStorage = new Proxy(
      {},
      {
        get: (_, key) => {
          if (options.storage === false) throw new Error('blocked');
          return key === options.hint ? '1' : undefined;
        },
      },
    );
    new Function('document', 'window', 'localStorage', 'location', earlyTapsScript)(
      document,
      this.window,
      localStorage,
      { pathname: '/survey/v4nv/' },
    );
  }

  tap(button: FakeButton | null, detail = 1): { prevented: boolean } {
    const result = { prevented: false };
    this.listener?.({
      detail,
      target: { closest: () => button },
      preventDefault: () => {
        result.prevented = true;
      },
    });
    return result;
  }

  get early(): EarlyTaps {
    return this.window.surveyEarly as EarlyTaps;
  }
}

describe('early taps', () => {
  let page: FakePage;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    page = new FakePage({ template: true });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('the script is at most 700 bytes and ends no script element', () => {
    expect(new TextEncoder().encode(earlyTapsScript).length).toBeLessThanOrEqual(700);
    expect(earlyTapsScript).not.toContain('<');
  });

  test('a tapped answer is remembered, marked, and brings the next screen', () => {
    const car = new FakeButton(page, 'accident_type', 'Car Accident');
    page.tap(car);
    expect(page.early.first?.slice(0, 2)).toEqual(['accident_type', 'Car Accident']);
    expect(page.early.first?.[2]).toBeGreaterThan(1.7e12);
    expect(car.attributes.get('aria-pressed')).toBe('true');
    expect(page.early.swapped).toBe(true);
    expect(page.swaps).toBe(1);
    expect(page.focused).toBe(1);
  });

  test('the second click of a double tap is nobody’s answer', () => {
    page.tap(new FakeButton(page, 'accident_type', 'Car Accident'));
    page.tap(new FakeButton(page, '', '', 'submit'), 2);
    expect(page.early.last).toBeUndefined();
    vi.advanceTimersByTime(250);
    expect(page.tap(new FakeButton(page, '', '', 'submit')).prevented).toBe(true);
    expect(page.early.last).toBeUndefined();
  });

  test('a button of the next screen is remembered for later, and sends no form', () => {
    page.tap(new FakeButton(page, 'accident_type', 'Other'));
    const submit = new FakeButton(page, '', '', 'submit');
    vi.advanceTimersByTime(400);
    expect(page.tap(submit).prevented).toBe(true);
    expect(page.early.last).toBe(submit);
    expect(page.early.first?.[1]).toBe('Other');
    expect(page.swaps).toBe(1);
  });

  test('without a next screen the last choice counts and is the only one marked', () => {
    page = new FakePage({ template: false });
    const car = new FakeButton(page, 'accident_type', 'Car Accident');
    const other = new FakeButton(page, 'accident_type', 'Other');
    page.tap(car);
    page.tap(other);
    expect(page.early.first?.[1]).toBe('Other');
    expect(page.early.swapped).toBeUndefined();
    expect([...car.attributes]).toEqual([]);
    expect(other.attributes.get('aria-pressed')).toBe('true');
  });

  test('a start button tapped on the first screen is remembered for later', () => {
    page = new FakePage({ template: false });
    const start = new FakeButton(page, '', '', 'submit');
    expect(page.tap(start).prevented).toBe(true);
    expect(page.early.last).toBe(start);
    expect(page.early.first).toBeUndefined();
  });

  test('a visit that will be taken up again swaps nothing', () => {
    page = new FakePage({ template: true, hint: 'survey:/survey/v4nv' });
    page.tap(new FakeButton(page, 'accident_type', 'Other'));
    expect(page.swaps).toBe(0);
    expect(page.early.first?.[1]).toBe('Other');
  });

  test('blocked storage and taps beside the buttons do no harm', () => {
    page = new FakePage({ template: true, storage: false });
    page.tap(null);
    expect(page.early.first).toBeUndefined();
    page.tap(new FakeButton(page, 'accident_type', 'Other'));
    expect(page.swaps).toBe(1);
  });
});
