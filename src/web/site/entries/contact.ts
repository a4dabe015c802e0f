/**
 * Enhances the contact form (docs/specification.md#contact-form): masks the phone number, checks the fields, and posts
 * through the browser queue, which retries until the server confirms.
 */
import {
  type ContactField,
  contactError,
  contactFields,
  contactLengths,
} from '../../../model/fields/contact-form.ts';
import { formatPhoneMask } from '../../../model/fields/phone-format.ts';
import { randomHex, uuidV7 } from '../../../model/visit/ids.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Longest wait for the server's answer. The queue continues in the background. */
const WAIT_MS = 4000;

/** Two taps at the same place within this time are a double tap. */
const DOUBLE_TAP_MS = 300;

/** The storage key of the draft. */
const DRAFT = 'contact-draft';

const form = document.querySelector<HTMLFormElement>('.contact-form');
const panel = document.querySelector<HTMLElement>('.sent');

function enhance(form: HTMLFormElement, panel: HTMLElement): void {
  const button = form.querySelector('[type=submit]') as HTMLButtonElement;
  const control = (name: string) => form.elements.namedItem(name) as Control;
  // One id for the page, so that pressing the button twice makes one lead.
  const lead = { id: uuidV7(), secret: randomHex() };
  const shownAt = new Date().toISOString();
  const queue = () => import('../../survey/queue/browser-queue.ts');
  const later = () => import('./contact-later.ts');

  /** Marks a field red and links it to its error or question; without `message` removes the mark. */
  const mark = (name: ContactField, message?: 'error' | 'doubt') => {
    const field = control(name);
    const { classList } = field.closest('.field') as HTMLElement;
    classList.toggle('field--error', message !== undefined);
    classList.toggle('field--doubt', message === 'doubt');
    field.setAttribute('aria-invalid', String(message !== undefined));
    if (message) field.setAttribute('aria-describedby', `${name}-${message}`);
    else field.removeAttribute('aria-describedby');
  };

  /** Asks once about probably mistyped values, and returns the first such field. */
  const doubted = async (): Promise<Control | undefined> => {
    const fields = contactFields.map((name) => {
      const input = control(name) as HTMLInputElement;
      return { name, input, place: doubtPlace(input) };
    });
    const asked = (await later()).askOnce(fields);
    for (const { name } of asked) mark(name, 'doubt');
    return asked[0]?.input;
  };

  // A page that answers a post without a script contains every question. Removes the hidden ones.
  for (const each of form.querySelectorAll('[data-doubt] > :not(.is-shown)')) each.remove();

  if (form.hidden) draft.remove();
  else draft.restore(contactFields.map(control));
  showOver(control('message').value);
  const phone = control('phoneNumber');
  const maskPhone = () => {
    phone.value = formatPhoneMask(phone.value);
  };
  phone.addEventListener('change', maskPhone);
  form.addEventListener('input', ({ target }) => {
    const { name, value } = target as Control;
    // The mask would move the cursor of a visitor who edits within the number.
    if (name === 'phoneNumber' && (target as HTMLInputElement).selectionStart === value.length) {
      maskPhone();
    }
    if (name === 'message') showOver(value);
    mark(name as ContactField);
    doubtPlace(target as Control)?.replaceChildren();
    draft.store(contactFields.map(control));
  });
  // A refusal adds lines and moves the page. Ignores the second tap of a double tap, which would hit what moved there,
  // or send a doubtful value before the visitor reads the question.
  let tap: MouseEvent | undefined;
  let refusedTap: MouseEvent | undefined;
  const stopEcho = (click: MouseEvent) => {
    tap = click;
    if (!refusedTap || !isEcho(click, refusedTap)) return;
    click.preventDefault();
    click.stopPropagation();
  };
  document.addEventListener('click', stopEcho, { capture: true });
  // Preloads the modules before the button is pressed.
  const load = () => void Promise.all([queue(), later()]).catch(() => undefined);
  form.addEventListener('focusin', load, { once: true });

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.ariaBusy === 'true') return;
    button.ariaBusy = 'true';
    const wrong = contactFields.filter((name) => contactError(name, control(name).value));
    for (const name of contactFields) mark(name, wrong.includes(name) ? 'error' : undefined);
    const unclear = wrong[0] ? control(wrong[0]) : await doubted().catch(() => undefined);
    if (unclear) {
      refusedTap = tap;
      button.ariaBusy = 'false';
      show(unclear);
      return;
    }
    try {
      const { settled } = await (await queue())
        .startBrowserQueue()
        .post((await later()).bodyOf(form, lead.id, shownAt), lead.secret);
      await Promise.race([settled, new Promise((done) => setTimeout(done, WAIT_MS))]);
    } catch {
      // If the queue's script does not load, the browser posts the form.
      form.submit();
      return;
    }
    form.hidden = true;
    panel.hidden = false;
    form.reset();
    draft.remove();
    panel.querySelector('h2')?.focus({ preventScroll: true });
    panel.parentElement?.scrollIntoView({ block: 'nearest' });
  });
}

/** Returns the element for a question about a field's value, if the field has one. */
function doubtPlace(field: Control): HTMLElement | null | undefined {
  return field.closest('.field')?.querySelector<HTMLElement>('[data-doubt]');
}

/** Returns whether a click is the second tap of a double tap. A click by keyboard has the detail 0. */
function isEcho(click: MouseEvent, first: MouseEvent): boolean {
  const distance = Math.hypot(click.clientX - first.clientX, click.clientY - first.clientY);
  return click.detail > 0 && click.timeStamp - first.timeStamp < DOUBLE_TAP_MS && distance < 30;
}

/** Shows how many characters too long the message is. */
function showOver(message: string): void {
  const place = document.getElementById('message-over') as HTMLElement;
  const over = message.trim().length - (contactLengths.message as number);
  place.textContent = over > 0 ? (place.dataset.over ?? '').replace('%s', `${over}`) : '';
}

/** Focuses a field, and scrolls to it if it is out of view. */
function show(field: Control): void {
  const { top, bottom } = (field.parentElement ?? field).getBoundingClientRect();
  field.focus({ preventScroll: true });
  if (top < 0 || bottom > innerHeight) field.scrollIntoView({ block: 'center' });
}

/**
 * The form's draft in this tab's storage. It survives a reload and a change of language, and is removed when sent
 * (docs/specification.md#browser-storage).
 */
const draft = {
  store(fields: readonly Field[]): void {
    const values = fields.map(({ name, value }) => [name, value]);
    withStorage((storage) => storage.setItem(DRAFT, JSON.stringify(Object.fromEntries(values))));
  },
  /** Fills the empty fields. Values that the server returned are newer than the draft. */
  restore(fields: readonly Field[]): void {
    withStorage((storage) => {
      const stored = JSON.parse(storage.getItem(DRAFT) ?? '{}') as Record<string, unknown>;
      for (const field of fields) field.value ||= String(stored[field.name] ?? '');
    });
  },
  remove: () => withStorage((storage) => storage.removeItem(DRAFT)),
};

type Field = Pick<HTMLInputElement, 'name' | 'value'>;

function withStorage(work: (storage: Storage) => void): void {
  try {
    work(sessionStorage);
  } catch {
    // Without storage, or if it is full, a reload loses the draft.
  }
}

if (form && panel) enhance(form, panel);
