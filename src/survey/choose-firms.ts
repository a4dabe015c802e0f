import { thankYouFragments } from '../contract/page-manifest.ts';
import type { BrowserQueue } from './queue/browser-queue.ts';
import { firmsKey, handOver, type OpenChoice, sentFirms } from './runner/sent-lead.ts';

/** Adds the chosen law firms to the lead, with the consent that stands beside the button. */
export function choicePart(
  { lead_id, survey, language, tcpa, version }: OpenChoice,
  chosen: readonly string[],
  times: { readonly shownAt: number; readonly now: number },
): Readonly<Record<string, string>> & { readonly lead_id: string } {
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    lead_id,
    survey,
    language,
    selected_buyers: chosen.join(','),
    tcpa,
    consent_version: version,
    consent_shown_at: iso(times.shownAt),
    submitted_at: iso(times.now),
  };
}

/**
 * Lets a visitor who chose no law firm choose some on the thank-you page (docs/specification.md#later-choice).
 *
 * @param tellSending is called once the choice is in the browser queue
 */
export function offerFirms(queue: Pick<BrowserQueue, 'amend'>, tellSending: () => void): void {
  const form = document.querySelector<HTMLFormElement>('#choose-firms');
  const { open } = sentFirms();
  if (!form || !open || form.hidden) return;
  form.addEventListener('change', () => {
    form.querySelector('.error')?.setAttribute('hidden', '');
  });
  const shownAt = Date.now();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const boxes = [...form.querySelectorAll<HTMLInputElement>('input:checked')];
    const error = form.querySelector<HTMLElement>('.error');
    if (error) error.hidden = boxes.length > 0;
    if (boxes.length === 0) {
      form.querySelector('input')?.focus();
      return;
    }
    const values = boxes.map(({ value }) => value);
    const names = open.firms.filter(([, value]) => values.includes(value)).map(([name]) => name);
    const part = choicePart(open, values, { shownAt, now: Date.now() });
    void queue.amend(part, open.secret).then(() => {
      handOver(firmsKey, { chosen: names });
      tellSending();
      const caller = document.getElementById('caller');
      const list = new Intl.ListFormat(document.documentElement.lang).format(names);
      if (caller) caller.textContent = (caller.dataset.callers ?? '').replace('%s', list);
      // In place of this address: `:target` shows the page of a lead with law firms then.
      document.documentElement.removeAttribute('data-no-firm');
      location.replace(`#${thankYouFragments.sent}`);
      document.querySelector<HTMLElement>('.of-choice h1, h1.of-choice')?.focus();
    });
  });
}
