import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type EarlyTaps, earlyTapsScript } from './early-taps.ts';

type Button = ReturnType<typeof fakeButton>;

/** Returns a submit button, as far as the inline script touches it. */
function fakeButton(page: FakePage, name = '', value = '') {
  const fields: Record<string, string> = {};
  const button = {
    name,
    value,
    type: 'submit',
    isPressed: false,
    /** The form's fields each time the button has sent it. */
    sent: [] as Record<string, string>[],
    form: {
      append: (input: { name: string; value: string }) => {
        fields[input.name] = input.value;
      },
    },
    click: () => {
      if (!page.tap(button)) button.sent.push({ ...fields });
    },
    // Only answers are in a fieldset of choices.
    closest: (selector: string): unknown => {
      if (selector === '#survey') return { replaceChildren: () => (page.swaps += 1) };
      return selector === '.choices' && name !== 'accident_type' ? null : button;
    },
    setAttribute: () => {
      button.isPressed = true;
      page.pressed = button;
    },
    removeAttribute: () => {
      button.isPressed = false;
    },
  };
  return button;
}

type Listener = (event: unknown) => void;

/** A survey page that runs the inline script. */
class FakePage {
  swaps = 0;
  focused = 0;
  pressed: Button | undefined;
  listener: Listener | undefined;
  onError: Listener = () => undefined;
  readonly window = {
    scrollTo: () => undefined,
    addEventListener: (_: string, listener: Listener) => {
      this.onError = listener;
    },
  } as unknown as Window;

  constructor({ template = true, hint = '', storage = true } = {}) {
    const document = {
      addEventListener: (_: string, listener: Listener) => {
        this.listener = listener;
      },
      removeEventListener: () => {
        this.listener = undefined;
      },
      createElement: () => ({}),
      getElementById: (id: string) => {
        if (id === 'question') return { focus: () => (this.focused += 1) };
        return template ? { content: { cloneNode: () => 'next' } } : null;
      },
      querySelector: () => this.pressed,
    };
    const get = (_: object, key: string | symbol) => {
      if (!storage) throw new Error('blocked');
      return key === hint ? '1' : undefined;
    };
    const run = new Function('document', 'window', 'localStorage', 'location', earlyTapsScript);
    run(document, this.window, new Proxy({}, { get }), { pathname: '/survey/v4nv/' });
  }

  /** Taps a button, or beside the buttons. @returns whether the form was kept from sending */
  tap(button: Button | null, detail = 1, [x, y] = [50, 60]): boolean {
    const preventDefault = vi.fn();
    this.listener?.({ detail, x, y, target: { closest: () => button }, preventDefault });
    return preventDefault.mock.calls.length > 0;
  }

  answer(value: string): Button {
    const button = fakeButton(this, 'accident_type', value);
    this.tap(button);
    return button;
  }

  failToLoad(type = 'module'): void {
    this.onError({ target: { type } });
  }

  get early(): EarlyTaps {
    return this.window.surveyEarly as EarlyTaps;
  }
}

let page: FakePage;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] });
  page = new FakePage();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('early taps', () => {
  test('the script has at most 1150 bytes and closes no script element', () => {
    expect(new TextEncoder().encode(earlyTapsScript).length).toBeLessThanOrEqual(1150);
    expect(earlyTapsScript).not.toContain('<');
  });

  test('an answer is remembered and marked, and brings the next screen', () => {
    const car = page.answer('Car Accident');
    expect(page.early.first?.slice(0, 3)).toEqual(['accident_type', 'Car Accident', Date.now()]);
    expect(page.early.swapped).toBe(true);
    expect([car.isPressed, page.swaps, page.focused]).toEqual([true, 1, 1]);
  });

  test.each<[string, afterMs: number, detail: number, place: [number, number], boolean]>([
    ['ignored: the second click of a double click', 0, 2, [50, 60], false],
    ['ignored: a second tap at the same place within 300 ms', 250, 1, [50, 60], false],
    ['remembered: a tap elsewhere', 100, 1, [50, 200], true],
    ['remembered: a later tap', 400, 1, [50, 60], true],
  ])('on the next screen, %s', (_, afterMs, detail, place, isRemembered) => {
    page.answer('Other');
    vi.advanceTimersByTime(afterMs);
    const submit = fakeButton(page);
    expect(page.tap(submit, detail, place)).toBe(true);
    expect(page.early.last).toBe(isRemembered ? submit : undefined);
    expect(page.early.first?.[1]).toBe('Other');
    expect(page.swaps).toBe(1);
  });

  test('without a next screen the last answer counts and is the only one marked', () => {
    page = new FakePage({ template: false });
    const buttons = [page.answer('Car Accident'), page.answer('Other')];
    expect(page.early.first?.[1]).toBe('Other');
    expect(page.early.swapped).toBeUndefined();
    expect(buttons.map(({ isPressed }) => isPressed)).toEqual([false, true]);
  });

  test.each([
    ['a start button', '', '', 1],
    ['Enter', '', '', 0],
    ['the way back', 'go', 'back', 0],
    ['starting over', 'go', 'over', 0],
  ])('%s is no answer, and is remembered', (_, name, value, detail) => {
    const button = fakeButton(page, name, value);
    expect(page.tap(button, detail)).toBe(true);
    expect(page.early.last).toBe(button);
    expect(page.early.first).toBeUndefined();
    expect(page.swaps).toBe(0);
  });

  test('the next screen does not come where a visit will be resumed', () => {
    page = new FakePage({ hint: 'survey:/survey/v4nv' });
    page.answer('Other');
    expect(page.swaps).toBe(0);
    expect(page.early.first?.[1]).toBe('Other');
  });

  test('blocked storage and taps beside the buttons do no harm', () => {
    page = new FakePage({ storage: false });
    page.tap(null);
    expect(page.early.first).toBeUndefined();
    page.answer('Other');
    expect(page.swaps).toBe(1);
  });
});

describe('without the page’s script', () => {
  const sentForm = [{ first: 'accident_type=Other' }];

  /** Answers the first question. @returns the button of the next screen, not yet tapped */
  function nextButton(): Button {
    page.answer('Other');
    vi.advanceTimersByTime(400);
    return fakeButton(page);
  }

  test('the last tap sends its form after a while, with the first answer', () => {
    const submit = nextButton();
    expect(page.tap(submit)).toBe(true);
    expect([submit.sent, page.early.sent]).toEqual([[], undefined]);
    vi.advanceTimersByTime(3000);
    // A script that loads now leaves the page to its form.
    expect([submit.sent, page.early.sent]).toEqual([sentForm, 1]);
    vi.advanceTimersByTime(3000);
    expect(submit.sent).toHaveLength(1);
  });

  test('only the last of several taps sends', () => {
    page = new FakePage({ template: false });
    const car = page.answer('Car Accident');
    vi.advanceTimersByTime(1000);
    const other = page.answer('Other');
    vi.advanceTimersByTime(5000);
    expect([car.sent, other.sent]).toEqual([[], [{}]]);
  });

  test('a tap sends at once when the script has failed to load', () => {
    const submit = nextButton();
    page.failToLoad();
    page.tap(submit);
    expect(submit.sent).toEqual(sentForm);
  });

  test('a waiting tap sends when the script fails to load, but not when an image does', () => {
    const submit = nextButton();
    page.tap(submit);
    page.failToLoad('');
    expect(submit.sent).toEqual([]);
    page.failToLoad();
    expect(submit.sent).toHaveLength(1);
  });

  test('an answer whose next screen is in the page sends nothing', () => {
    page.failToLoad();
    const car = page.answer('Car Accident');
    vi.advanceTimersByTime(5000);
    expect(page.early.swapped).toBe(true);
    expect(car.sent).toEqual([]);
  });

  test('nothing is sent once the script has taken over', () => {
    const submit = nextButton();
    page.tap(submit);
    delete page.window.surveyEarly;
    vi.advanceTimersByTime(5000);
    expect(submit.sent).toEqual([]);
  });
});
