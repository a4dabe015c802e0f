import { personalInThankYou } from '../../model/fields/personal-query.ts';
import { callEntry } from './call-calendar.ts';
import { offerFirms } from './choose-firms.ts';
import { confirmedEvent, startBrowserQueue, waitingEvent } from './queue/browser-queue.ts';
import { forgetOldVisits } from './queue/forget-old.ts';
import { sentWishes, store, stored, takeAnswers } from './runner/sent-lead.ts';

const READY_KEY = 'survey-ready';

/** Stores the checklist's ticks in this tab, and restores them after a reload. */
function storeTicks(): void {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('.ready input')];
  const ticked = stored(READY_KEY)?.split(',') ?? [];
  for (const [index, box] of boxes.entries()) {
    box.checked = ticked.includes(String(index));
    box.addEventListener('change', () => {
      const now = boxes.flatMap(({ checked }, at) => (checked ? [at] : []));
      store(READY_KEY, now.join());
    });
  }
}

function showAnswers(): void {
  const place = document.getElementById('answers');
  const list = place?.querySelector('dl');
  if (!place || !list) return;
  for (const row of takeAnswers()) {
    for (const [index, textContent] of row.entries()) {
      list.append(Object.assign(document.createElement(index ? 'dd' : 'dt'), { textContent }));
    }
  }
  place.hidden = list.childElementCount === 0;
  window.addEventListener('beforeprint', () => place.setAttribute('open', ''));
  document.getElementById('print')?.addEventListener('click', () => window.print());
}

function cleanAddress(): void {
  const url = new URL(location.href);
  for (const name of personalInThankYou) url.searchParams.delete(name);
  history.replaceState(history.state, '', url.pathname + url.search + url.hash);
}

/** Adds the URL's query to the language link only on a click, so that the HTML stays impersonal. */
function keepQuery(arrivedBy: string): void {
  const link = document.querySelector<HTMLAnchorElement>('#other-language');
  link?.addEventListener('click', () => {
    const query = new URLSearchParams(arrivedBy);
    query.delete('lang');
    for (const [name, value] of new URLSearchParams(link.search)) query.set(name, value);
    link.search = `${query}`;
    link.hash = location.hash;
  });
}

/** Puts the visit's phone number (`scripts/shown-number.ts`) into the downloadable contact card. */
function fillContactCard(): void {
  const { number } = document.documentElement.dataset;
  const card = document.querySelector<HTMLAnchorElement>('#contact-card');
  if (card && number) card.href = card.href.replace(/\d{10}(?!\d)/, number);
}

function fillCalendar(): void {
  const link = document.querySelector<HTMLAnchorElement>('#calendar');
  const { title = '', note = '' } = link?.dataset ?? {};
  if (link) link.href = callEntry(new Date(), sentWishes(), { title, note });
}

function showStatus(): void {
  const line = document.getElementById('lead-status');
  const { dataset } = document.documentElement;
  const say = (state: 'received' | 'waiting' | 'stopped') => {
    dataset.sent = 'yes';
    const words = line?.dataset[state] ?? '';
    if (line && line.textContent !== words) line.textContent = words;
    line?.setAttribute('data-state', state);
  };
  window.addEventListener(confirmedEvent, () => say('received'));
  window.addEventListener(waitingEvent, (event) => {
    say((event as CustomEvent<{ status?: number }>).detail.status ? 'stopped' : 'waiting');
  });
  const queue = startBrowserQueue();
  offerFirms(queue, () => say('waiting'));
  const { outbox } = queue;
  void forgetOldVisits(outbox);
  void Promise.all([outbox.list('post'), outbox.isSafe()]).then(([waiting, isSafe]) => {
    if (!isSafe) return;
    if (waiting.length > 0) {
      if (line?.dataset.state === undefined) say(waiting[0]?.stopped ? 'stopped' : 'waiting');
    } else if (dataset.sent === 'yes') say('received');
  });
}

addEventListener('load', () => {
  import('./scripts/page-speed.ts').then(
    ({ reportSpeed }) => reportSpeed(),
    () => undefined,
  );
});
keepQuery(location.search);
cleanAddress();
fillContactCard();
fillCalendar();
showStatus();
storeTicks();
showAnswers();
