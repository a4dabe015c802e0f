import { thankYouFragments } from '../../contract/page-manifest.ts';
import { firmsKey, type SentFirms } from '../runner/sent-lead.ts';

/** A choice is offered so long before the lead goes without it, so that it arrives in time. */
export const CHOICE_MARGIN_MS = 60_000;

/**
 * Fills a thank-you page with what only its browser knows, before that part is painted, so that nothing moves:
 * the steps of the visitor's own state, the law firms that were chosen, and those that may still be. Runs in the
 * page by its source, so it uses nothing from outside.
 */
function fillThanks(key: string, noFirm: string, marginMs: number): void {
  const byId = (id: string) => document.getElementById(id);
  document.documentElement.dataset.filled = '';
  const code = new URLSearchParams(location.search).get('state') ?? '';
  const own = /^[A-Z]{2}$/.test(code) ? document.querySelector(`[data-state="${code}"]`) : null;
  const [title, ...steps] = own ? Array.from(own.children) : [];
  const heading = byId('state-title');
  if (own && title && heading) {
    heading.textContent = own.getAttribute('data-title');
    byId('your-state')?.replaceChildren(...steps);
    own.remove();
  }
  let sent: SentFirms = { chosen: [] };
  try {
    sent = JSON.parse(sessionStorage.getItem(key) ?? '') as SentFirms;
  } catch {
    // Nothing was handed over.
  }
  const caller = byId('caller');
  if (caller && sent.chosen.length > 0) {
    const names = new Intl.ListFormat(document.documentElement.lang).format(sent.chosen);
    caller.textContent = (caller.dataset.callers ?? '').replace('%s', names);
  }
  const form = byId('choose-firms') as HTMLFormElement | null;
  const { open } = sent;
  if (!form || !open || location.hash !== `#${noFirm}`) return;
  if (Date.now() > open.sentAt + Number(form.dataset.minutes) * 60_000 - marginMs) return;
  for (const [name, value] of open.firms) {
    const box = document.createElement('input');
    Object.assign(box, { type: 'checkbox', name: 'selected_buyers', value });
    const label = document.createElement('label');
    label.className = 'buyer';
    const words = document.createElement('span');
    words.append(name);
    label.append(box, words);
    form.querySelector('fieldset')?.append(label);
  }
  const consent = byId('tcpa');
  if (consent) {
    const links = consent.querySelectorAll('a');
    Object.assign(consent, { textContent: open.tcpa, lang: open.language });
    for (const link of links) {
      const text = consent.lastChild as Text;
      const at = text.data.indexOf(link.text);
      if (at === -1) continue;
      text.splitText(at).deleteData(0, link.text.length);
      text.after(link);
    }
  }
  form.hidden = false;
  byId('choose-by-phone')?.remove();
}

/**
 * Source of the inline script in the head of a thank-you page. A browser matches `:target` only after it has
 * painted, so the script says the same before that.
 */
export const markNoFirmScript = `location.hash=="#${thankYouFragments.noFirm}"&&document.documentElement.setAttribute("data-no-firm","")`;

/** Source of the inline script that follows the card of a thank-you page. */
export const fillThanksScript = `(${fillThanks})(${JSON.stringify(firmsKey)},${JSON.stringify(thankYouFragments.noFirm)},${CHOICE_MARGIN_MS})`;
