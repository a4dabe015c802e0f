/** Enhances the contact form (docs/specification.md#contact-form). */
import {
  type ContactField,
  contactError,
  contactFields,
  contactLengths,
} from '../../../model/fields/contact-form.ts';
import { formatPhoneMask } from '../../../model/fields/phone-format.ts';
import { randomHex, uuidV7 } from '../../../model/visit/ids.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Longest wait for the server before the page thanks the visitor. */
const WAIT_MS = 4000;

const DOUBLE_TAP_MS = 300;

const DRAFT = 'contact-draft';

const form = document.querySelector('.contact-form') as HTMLFormElement;
const panel = document.querySelector('.sent') as HTMLElement;
const button = form.querySelector('[type=submit]') as HTMLButtonElement;
const phone = form.elements.namedItem('phoneNumber') as HTMLInputElement;
const control = (name: string) => form.elements.namedItem(name) as Control;
const queue = () => import('../../survey/queue/browser-queue.ts');
const later = () => import('./contact-later.ts');
// All presses of the button send the same id, so that the server stores only one lead.
const lead = { id: uuidV7(), secret: randomHex() };
const shownAt = new Date().toISOString();
let refusedAt = Number.NEGATIVE_INFINITY;

/** Sets which message a field shows. */
function mark(name: ContactField, message?: 'error' | 'doubt'): void {
  const field = control(name);
  const { classList } = field.closest('.field') as HTMLElement;
  classList.toggle('field--error', message !== undefined);
  classList.toggle('field--doubt', message === 'doubt');
  field.setAttribute('aria-invalid', String(message !== undefined));
  if (message) field.setAttribute('aria-describedby', `${name}-${message}`);
  else field.removeAttribute('aria-describedby');
}

function showOver(): void {
  const place = document.getElementById('message-over') as HTMLElement;
  const over = control('message').value.trim().length - (contactLengths.message as number);
  place.textContent = over > 0 ? (place.dataset.over ?? '').replace('%s', `${over}`) : '';
}

function maskPhone(): void {
  phone.value = formatPhoneMask(phone.value);
}

/** Runs `work` with the tab's storage. Ignores errors, because storage may be forbidden or full. */
function withStorage(work: (storage: Storage) => void): void {
  try {
    work(sessionStorage);
  } catch {
    // Without storage, a reload loses the draft.
  }
}
const removeDraft = () => withStorage((storage) => storage.removeItem(DRAFT));

// These hidden questions are only for browsers without JavaScript.
for (const each of form.querySelectorAll('[data-doubt] > :not(.is-shown)')) each.remove();

if (form.hidden) removeDraft();
withStorage((storage) => {
  const stored: Partial<Record<string, string>> = JSON.parse(storage.getItem(DRAFT) ?? '{}');
  // Values that the server returned are newer than the draft, so the draft never replaces them.
  for (const name of contactFields) control(name).value ||= stored[name] ?? '';
});
showOver();

phone.addEventListener('change', maskPhone);
form.addEventListener('input', ({ target }) => {
  const name = (target as Control).name as ContactField;
  // Formatting would move the cursor from the middle of the number to its end.
  if (target === phone && phone.selectionStart === phone.value.length) maskPhone();
  showOver();
  mark(name);
  document.getElementById(`${name}-doubt`)?.replaceChildren();
  const values = contactFields.map((field) => [field, control(field).value]);
  withStorage((storage) => storage.setItem(DRAFT, JSON.stringify(Object.fromEntries(values))));
});

// A refused form moves the page. The second tap of a double tap would then hit another element.
addEventListener(
  'click',
  (click) => {
    if (click.detail === 0 || click.timeStamp - refusedAt > DOUBLE_TAP_MS) return;
    click.preventDefault();
    click.stopPropagation();
  },
  { capture: true },
);

const load = () => void Promise.all([queue(), later()]).catch(() => undefined);
form.addEventListener('focusin', load, { once: true });

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (button.ariaBusy === 'true') return;
  button.ariaBusy = 'true';
  const wrong = contactFields.filter((name) => contactError(name, control(name).value));
  for (const name of contactFields) mark(name, wrong.includes(name) ? 'error' : undefined);
  try {
    const doubted = wrong[0] ? [] : (await later()).askOnce(form);
    for (const name of doubted) mark(name, 'doubt');
    const unclear = wrong[0] ?? doubted[0];
    if (unclear) {
      refusedAt = performance.now();
      button.ariaBusy = 'false';
      control(unclear).focus({ preventScroll: true });
      control(unclear).parentElement?.scrollIntoView({ block: 'nearest' });
      return;
    }
    const { settled } = await (await queue())
      .startBrowserQueue()
      .post((await later()).bodyOf(form, lead.id, shownAt), lead.secret);
    await Promise.race([settled, new Promise((done) => setTimeout(done, WAIT_MS))]);
  } catch {
    // If a module did not load, the browser posts the form and the server checks the values.
    form.submit();
    return;
  }
  form.hidden = true;
  panel.hidden = false;
  form.reset();
  removeDraft();
  panel.querySelector('h2')?.focus({ preventScroll: true });
  panel.parentElement?.scrollIntoView({ block: 'nearest' });
});
