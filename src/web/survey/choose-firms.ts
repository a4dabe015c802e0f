import { thankYouFragments } from '../../model/messages/page-manifest.ts';
import type { BrowserQueue } from './queue/browser-queue.ts';
import { firmsKey, handOver, type SentFirms, sentFirms } from './runner/sent-lead.ts';

/** Sends a choice of law firms. Returns whether the server confirmed the choice before `until`. */
export async function sendChoice(
  queue: Pick<BrowserQueue, 'amend'>,
  part: Parameters<BrowserQueue['amend']>[0],
  { secret, until }: { readonly secret: string | undefined; readonly until: number },
): Promise<boolean> {
  const { settled } = await queue.amend(part, secret);
  const over = new Promise<false>((end) => setTimeout(end, until - Date.now(), false));
  const isTaken = await Promise.race([settled, over]);
  return isTaken && Date.now() < until;
}

/** Lets a visitor choose law firms on the thank-you page (docs/specification.md#later-choice). */
export function offerFirms(queue: Pick<BrowserQueue, 'amend'>, onSending: () => void): void {
  const form = document.querySelector<HTMLFormElement>('#choose-firms');
  const { open } = sentFirms();
  if (!form || !open || form.hidden) return;
  form.addEventListener('change', () => {
    form.querySelector('.error')?.setAttribute('hidden', '');
  });
  const { lead_id, survey, language, tcpa, version: consent_version } = open;
  const consent_shown_at = new Date().toISOString();
  const until = open.sentAt + Number(form.dataset.minutes) * 60_000;
  const button = form.querySelector('button');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button?.ariaBusy === 'true') return;
    const boxes = [...form.querySelectorAll<HTMLInputElement>('input:checked')];
    const error = form.querySelector<HTMLElement>('.error');
    if (error) error.hidden = boxes.length > 0;
    if (boxes.length === 0) {
      form.querySelector('input')?.focus();
      return;
    }
    if (button) button.ariaBusy = 'true';
    const values = boxes.map(({ value }) => value);
    const selected_buyers = values.join(',');
    const submitted_at = new Date().toISOString();
    // `tcpa` is the text beside the button, to which the visitor consents.
    const consent = { tcpa, consent_version, consent_shown_at, submitted_at };
    const part = { lead_id, survey, language, selected_buyers, ...consent };
    onSending();
    if (await sendChoice(queue, part, { secret: open.secret, until })) {
      showChosen(open.firms.filter(([, value]) => values.includes(value)).map(([name]) => name));
    } else showLate(form);
  });
}

function showChosen(names: readonly string[]): void {
  handOver(firmsKey, { chosen: names } satisfies SentFirms);
  const caller = document.getElementById('caller');
  const list = new Intl.ListFormat(document.documentElement.lang).format(names);
  if (caller) caller.textContent = (caller.dataset.callers ?? '').replace('%s', () => list);
  // When `location.replace` changes the fragment, `:target` takes the place of this attribute.
  document.documentElement.removeAttribute('data-no-firm');
  location.replace(`#${thankYouFragments.sent}`);
  document.querySelector<HTMLElement>('.of-choice.if-sent h1')?.focus();
}

/** Tells the visitor that the choice came too late, because the lead was sent before. */
function showLate(form: HTMLFormElement): void {
  handOver(firmsKey, { chosen: [], isLate: true } satisfies SentFirms);
  document.documentElement.dataset.late = '';
  form.hidden = true;
  document.querySelector<HTMLElement>('.if-late h1')?.focus();
}
