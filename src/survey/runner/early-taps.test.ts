import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type EarlyTaps, earlyTapsScript } from './early-taps.ts';

/** As much of a page as the inline script touches. */
class FakeButton {
  readonly attributes = new Map<string, string>();
  readonly page: FakePage;
  readonly name: string;
  readonly value: string;
  readonly type: string;
  /** What the form had when the button was pressed and nothing kept it from sending. */
  sent: Record<string, string>[] = [];
  readonly form = {
    fields: {} as Record<string, string>,
    append: (input: { name: string; value: string }) => {
      this.form.fields[input.name] = input.value;
    },
  };
  constructor(page: FakePage, name: string, value: string, type = 'button') {
    this.page = page;
    this.name = name;
    this.value = value;
    this.type = type;
  }
  click() {
    if (!this.page.tap(this).prevented) this.sent.push({ ...this.form.fields });
  }
  closest(selector: string) {
    if (selector === '#survey') return this.page.container;
    // Answers stand in a fieldset; start buttons, the ways on and back, and what Enter presses do not.
    const isAnswer = this.type !== 'submit' && this.name !== 'go';
    return selector === '.choices' && !isAnswer ? null : this;
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
  onError: ((event: unknown) => void) | undefined;
  readonly window = {
    scrollTo: () => undefined,
    addEventListener: (_: string, listener: (event: unknown) => void) => {
      this.onError = listener;
    },
  } as unknown as Window;
  readonly container = { replaceChildren: () => (this.swaps += 1) };
  readonly #template: boolean;

  constructor(options: { template: boolean; hint?: string; storage?: boolean }) {
    this.#template = options.template;
    const document = {
      addEventListener: (_: string, listener: (event: unknown) => void) => {
        this.listener = listener;
      },
      removeEventListener: () => {
        this.listener = undefined;
      },
      createElement: () => ({}),
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

  tap(button: FakeButton | null, detail = 1, [x, y] = [50, 60]): { prevented: boolean } {
    const result = { prevented: false };
    this.listener?.({
      detail,
      x,
      y,
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
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] });
    page = new FakePage({ template: true });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('the script is at most 1150 bytes and ends no script element', () => {
    expect(new TextEncoder().encode(earlyTapsScript).length).toBeLessThanOrEqual(1150);
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

  test('a tap elsewhere is a new one, however soon', () => {
    page.tap(new FakeButton(page, 'accident_type', 'Car Accident'));
    vi.advanceTimersByTime(100);
    const submit = new FakeButton(page, '', '', 'submit');
    page.tap(submit, 1, [50, 200]);
    expect(page.early.last).toBe(submit);
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

  test.each([
    ['what Enter presses', '', '', 'submit'],
    ['the way back', 'go', 'back', 'submit'],
    ['the way to start over', 'go', 'over', 'submit'],
  ])('%s is no answer, and is remembered for later', (_, name, value, type) => {
    const button = new FakeButton(page, name, value, type);
    expect(page.tap(button, 0).prevented).toBe(true);
    expect(page.early.last).toBe(button);
    expect(page.early.first).toBeUndefined();
    expect(page.swaps).toBe(0);
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

  describe('where the script does not come', () => {
    const tapTwice = () => {
      page.tap(new FakeButton(page, 'accident_type', 'Other'));
      const submit = new FakeButton(page, '', '', 'submit');
      vi.advanceTimersByTime(400);
      return submit;
    };

    test('the form of the last tap is sent after a while, with the first answer', () => {
      const submit = tapTwice();
      expect(page.tap(submit).prevented).toBe(true);
      expect(submit.sent).toEqual([]);
      expect(page.early.sent).toBeUndefined();
      vi.advanceTimersByTime(3000);
      // A script that comes now leaves the page to its form.
      expect(page.early.sent).toBe(1);
      expect(submit.sent).toEqual([{ first: 'accident_type=Other' }]);
      vi.advanceTimersByTime(3000);
      expect(submit.sent).toHaveLength(1);
    });

    test('of several taps the last one is sent', () => {
      page = new FakePage({ template: false });
      const [car, other] = ['Car Accident', 'Other'].map(
        (value) => new FakeButton(page, 'accident_type', value),
      ) as [FakeButton, FakeButton];
      page.tap(car);
      vi.advanceTimersByTime(1000);
      page.tap(other);
      vi.advanceTimersByTime(5000);
      expect([car.sent.length, other.sent]).toEqual([0, [{}]]);
    });

    test('a script that fails to load is not waited for', () => {
      const submit = tapTwice();
      page.onError?.({ target: { type: 'module' } });
      page.tap(submit);
      expect(submit.sent).toEqual([{ first: 'accident_type=Other' }]);
    });

    test('a tap that waits is sent when the script fails, and not when a picture does', () => {
      const submit = tapTwice();
      page.tap(submit);
      page.onError?.({ target: { type: '' } });
      expect(submit.sent).toEqual([]);
      page.onError?.({ target: { type: 'module' } });
      expect(submit.sent).toHaveLength(1);
    });

    test('a first question that has its next one in the page sends nothing', () => {
      const car = new FakeButton(page, 'accident_type', 'Car Accident');
      page.onError?.({ target: { type: 'module' } });
      page.tap(car);
      vi.advanceTimersByTime(5000);
      expect(page.early.swapped).toBe(true);
      expect(car.sent).toEqual([]);
    });

    test('once the script has taken over nothing is sent', () => {
      const submit = tapTwice();
      page.tap(submit);
      delete page.window.surveyEarly;
      vi.advanceTimersByTime(5000);
      expect(submit.sent).toEqual([]);
    });
  });
});
