/**
 * Enhances the contact form (docs/specification.md#contact-form): masks the phone number, checks the fields,
 * and posts through the browser queue, which retries until the server confirms.
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

/** The draft's key in the storage. */
const DRAFT = 'contact-draft';

/** A second tap at the same place within this time belongs to the first. */
const DOUBLE_TAP_MS = 300;

const form = document.querySelector<HTMLFormElement>('.contact-form');
const panel = document.querySelector<HTMLElement>('.sent');
if (form && panel) enhance(form, panel);

function enhance(form: HTMLFormElement, panel: HTMLElement): void {
  const button = form.querySelector('[type=submit]') as HTMLButtonElement;
  const control = (name: string) => form.elements.namedItem(name) as Control;
  // One id for the page, so that pressing the button twice makes one lead.
  const lead = { id: uuidV7(), secret: randomHex() };
  const shownAt = new Date().toISOString();
  const queue = () => import('../../survey/queue/browser-queue.ts');
  const later = () => import('./contact-later.ts');

  /** Marks a field red and links the text that explains it; `told` undefined removes the mark. */
  const mark = (name: ContactField, told?: 'error' | 'doubt') => {
    const field = control(name);
    const { classList } = field.closest('.field') as HTMLElement;
    classList.toggle('field--error', told !== undefined);
    classList.toggle('field--doubt', told === 'doubt');
    field.setAttribute('aria-invalid', String(told !== undefined));
    if (told) field.setAttribute('aria-describedby', `${name}-${told}`);
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

  // The server's page contains questions for use without a script; removes those not asked.
  for (const each of form.querySelectorAll('[data-doubt] > :not(.is-told)')) each.remove();

  if (form.hidden) forgetDraft();
  else restoreDraft(contactFields.map(control));
  showOver(control('message').value);
  form.addEventListener('input', ({ target }) => {
    const { name, value } = target as Control;
    if (name === 'phoneNumber') mask(target as HTMLInputElement, value);
    if (name === 'message') showOver(value);
    mark(name as ContactField);
    doubtPlace(target as Control)?.replaceChildren();
    keepDraft(contactFields.map(control));
  });
  // A refusal adds lines and moves the page. The second of two quick taps must not hit what moved there.
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
    forgetDraft();
    panel.querySelector('h2')?.focus({ preventScroll: true });
    panel.parentElement?.scrollIntoView({ block: 'nearest' });
  });
}

/** Returns the field's element for a question about a probable typing error, if it has one. */
function doubtPlace(field: Control): HTMLElement | null | undefined {
  return field.closest('.field')?.querySelector<HTMLElement>('[data-doubt]');
}

/** Shows by how much the message is too long. */
function showOver(message: string): void {
  const place = document.getElementById('message-over') as HTMLElement;
  const over = message.trim().length - (contactLengths.message as number);
  place.textContent = over > 0 ? (place.dataset.over ?? '').replace('%s', `${over}`) : '';
}

/** Returns whether a click is the second tap of a double tap; a click by keyboard has the detail 0. */
function isEcho(click: MouseEvent, first: MouseEvent): boolean {
  const distance = Math.hypot(click.clientX - first.clientX, click.clientY - first.clientY);
  return click.detail > 0 && click.timeStamp - first.timeStamp < DOUBLE_TAP_MS && distance < 30;
}

/** Focuses a field, and scrolls to it if it is out of view. */
function show(field: Control): void {
  const { top, bottom } = (field.parentElement ?? field).getBoundingClientRect();
  field.focus({ preventScroll: true });
  if (top < 0 || bottom > innerHeight) field.scrollIntoView({ block: 'center' });
}

/** Masks the phone number, and keeps the cursor at the changed digit. */
function mask(input: HTMLInputElement, value: string): void {
  const masked = formatPhoneMask(value);
  if (masked === value) return;
  const before = value.slice(0, input.selectionStart ?? value.length).replace(/\D/g, '').length;
  const isAtEnd = input.selectionStart === value.length;
  input.value = masked;
  if (isAtEnd) return;
  let place = 0;
  for (let digits = 0; digits < before && place < masked.length; place += 1) {
    if (/\d/.test(masked[place] ?? '')) digits += 1;
  }
  input.setSelectionRange(place, place);
}

/**
 * Calls `work` with this tab's storage, which has the form's draft until it is sent. The draft survives a reload and
 * a change of language (docs/specification.md#browser-storage).
 */
function withStorage(work: (storage: Storage) => void): void {
  try {
    work(sessionStorage);
  } catch {
    // Without storage, or if it is full, a reload loses the draft.
  }
}

type Field = Pick<HTMLInputElement, 'name' | 'value'>;

function keepDraft(fields: readonly Field[]): void {
  withStorage((storage) => {
    const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    storage.setItem(DRAFT, JSON.stringify(values));
  });
}

/** Fills the empty fields. Values that the server returned are newer than the draft. */
function restoreDraft(fields: readonly Field[]): void {
  withStorage((storage) => {
    const kept = JSON.parse(storage.getItem(DRAFT) ?? '{}') as Record<string, unknown>;
    for (const field of fields) {
      if (field.value === '') field.value = String(kept[field.name] ?? '');
    }
  });
}

function forgetDraft(): void {
  withStorage((storage) => storage.removeItem(DRAFT));
}
