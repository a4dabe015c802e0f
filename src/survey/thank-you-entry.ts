import { confirmedEvent, waitingEvent } from './queue/queue.ts';
import { startQueue } from './queue/resume.ts';
import { partnerOffer } from './runner/partner-offer.ts';

/** The values of the thank-you query that must not stay in the address bar (readings, "Sending"). */
const personal = ['email', 'city', 'state', 'zip_code', 'phone', 'state_long'];

/** Takes the personal values out of the address at once. */
function cleanAddress(): void {
  const url = new URL(location.href);
  for (const name of personal) url.searchParams.delete(name);
  history.replaceState(history.state, '', url.pathname + url.search + url.hash);
}

/** Offers the partner's page again where the last step opened it: its tab may have been blocked. */
function offerPartner(): void {
  const partner = document.getElementById('partner');
  const link = partner?.querySelector('a');
  if (!partner || !link) return;
  const href = partnerOffer();
  if (href === undefined) return;
  link.href = href;
  partner.hidden = false;
}

/** Says how the lead is doing, from the queue. */
function showStatus(): void {
  const line = document.getElementById('lead-status');
  const say = (state: 'received' | 'waiting' | 'stopped') => {
    const words = line?.dataset[state] ?? '';
    if (line && line.textContent !== words) line.textContent = words;
    line?.setAttribute('data-state', state);
  };
  window.addEventListener(confirmedEvent, () => say('received'));
  window.addEventListener(waitingEvent, (event) => {
    say((event as CustomEvent<{ status?: number }>).detail.status ? 'stopped' : 'waiting');
  });
  const queue = startQueue();
  void Promise.all([queue.waiting(), queue.outbox.isSafe()]).then(([waiting, isSafe]) => {
    if (!isSafe) return;
    if (waiting.length === 0) say('received');
    else if (line?.dataset.state === undefined) say(waiting[0]?.status ? 'stopped' : 'waiting');
  });
}

cleanAddress();
offerPartner();
showStatus();
