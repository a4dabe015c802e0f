import { formFragments, thankYouFragments } from '../../../model/messages/page-manifest.ts';
import { answersKey, firmsKey, ranNote, type SentFirms, sentKey } from '../runner/sent-lead.ts';

/** The page stops offering law firms this long before the server sends the lead. */
const CHOICE_MARGIN_MS = 60_000;

const known = {
  noFirm: thankYouFragments.noFirm,
  sentKey,
  firmsKey,
  answersKey,
  ranNote,
  marginMs: CHOICE_MARGIN_MS,
};

/** The constants that the page passes to `fillThanks`. */
type Known = typeof known & { readonly formFragments: RegExp };

/**
 * Fills a thank-you page with this browser's data before the page is shown. The function's source
 * runs inline in the page, so the function may use nothing outside itself.
 */
function fillThanks(of: Known): void {
  const byId = (id: string) => document.getElementById(id);
  const { noFirm, marginMs } = of;
  const root = document.documentElement;
  delete root.dataset.filling;
  const code = new URLSearchParams(location.search).get('state') ?? '';
  const own = /^[A-Z]{2}$/.test(code) ? document.querySelector(`[data-state="${code}"]`) : null;
  const [title, ...steps] = own ? Array.from(own.children) : [];
  const heading = byId('state-title');
  if (own && title && heading) {
    heading.textContent = own.getAttribute('data-title');
    byId('your-state')?.replaceChildren(...steps);
    own.remove();
  }
  const closed = byId(location.hash.slice(1));
  if (closed?.className === 'closed') closed.dataset.shown = '';
  let sent: SentFirms = { chosen: [] };
  try {
    const lead = sessionStorage.getItem(of.sentKey);
    const isSent = lead !== null || of.formFragments.test(location.hash.slice(1));
    root.dataset.sent = isSent ? 'yes' : 'no';
    const partner = byId('partner');
    const [, href, ...notes] = lead?.split(' ') ?? [];
    const wishes = notes.filter((note) => note !== of.ranNote);
    for (const list of document.querySelectorAll<HTMLElement>('[data-run]')) {
      list.hidden = list.dataset.run !== `${notes.includes(of.ranNote)}`;
    }
    if (partner && href) {
      partner.querySelector('a')?.setAttribute('href', href);
      partner.hidden = false;
    }
    const wish = byId('wish');
    if (wish && wishes[0]) {
      const words = wishes.map((value) => wish.dataset[value.toLowerCase()]).join(', ');
      wish.textContent = (wish.dataset.wish ?? '').replace('%s', words);
      wish.hidden = false;
      byId('speak')?.toggleAttribute('hidden', /English|Spanish/.test(`${wishes}`));
    }
    byId('answers')?.toggleAttribute('hidden', !sessionStorage.getItem(of.answersKey));
    sent = JSON.parse(sessionStorage.getItem(of.firmsKey) ?? '') as SentFirms;
  } catch {
    // Without stored data, the page keeps its general texts.
  }
  const caller = byId('caller');
  if (caller && sent.chosen.length > 0) {
    const names = new Intl.ListFormat(root.lang).format(sent.chosen);
    caller.textContent = (caller.dataset.callers ?? '').replace('%s', () => names);
  }
  if (sent.isLate) root.dataset.late = '';
  const form = byId('choose-firms') as HTMLFormElement | null;
  const { open } = sent;
  if (!form || !open || location.hash !== `#${noFirm}`) return;
  if (Date.now() > open.sentAt + Number(form.dataset.minutes) * 60_000 - marginMs) return;
  // If there is only one law firm, the legend asks a question with the answer Yes.
  const legend = form.querySelector('legend');
  const isOne = open.firms.length === 1;
  for (const [name, value] of open.firms) {
    if (isOne && legend) legend.textContent = (legend.dataset.one ?? '').replace('%s', () => name);
    const box = document.createElement('input');
    Object.assign(box, { type: 'checkbox', name: 'selected_buyers', value });
    const label = document.createElement('label');
    label.className = 'buyer';
    const words = document.createElement('span');
    words.append((isOne && legend?.dataset.yes) || name);
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

/** Source of the inline script that hides a thank-you page until `fillThanksScript` has run. */
export const beginFillScript = 'document.documentElement.dataset.filling="";';

/** Sets an attribute in place of `:target`, which browsers match only after the first paint. */
export const markNoFirmScript = `location.hash=="#${thankYouFragments.noFirm}"&&document.documentElement.setAttribute("data-no-firm","")`;

/** Returns the source of the inline script that fills a thank-you page. */
export const fillThanksScript = () =>
  `(${fillThanks})({...${JSON.stringify(known)},formFragments:${formFragments}})`;
