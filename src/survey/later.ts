import type { ContactDetails } from '../domain/contact-parameters.ts';
import type { SurveyPageData } from './page/page-data.ts';
import { takeAnswerKey } from './runner/answer-keys.ts';
import { offerEmail } from './runner/offer-email.ts';
import { digitsInput, maskInput } from './runner/phone-input.ts';
import { isPrefilled, prefillDrafts } from './runner/prefill.ts';
import type { Runner } from './runner/runner.ts';
import { whileAway } from './runner/while-away.ts';

/**
 * What a survey can do without while it starts: its page loads this when it is idle (entry.tsx). Nothing
 * here is needed to answer, and a survey whose browser never gets it works as well.
 */
export { showLeaving } from './runner/leaving-screen.ts';

/**
 * Masks, a page that waits for the network, prefilled contact details, answers chosen by keys, and mistyped e-mail addresses offered right.
 *
 * @param details the contact details that the landing address carried
 */
export function startLater(
  { flow, settings, texts }: SurveyPageData,
  runner: Runner,
  details: ContactDetails,
  affid: string,
): void {
  runner.whileAway = whileAway;
  runner.shape = { phone: maskInput, digits: digitsInput };
  window.addEventListener('keydown', takeAnswerKey);
  document.addEventListener('focusout', (event) => offerEmail(event.target, texts.controls));
  if (!settings.prefill || Object.keys(details).length === 0) return;
  void isPrefilled(affid).then((isOn) => isOn && runner.prefill(prefillDrafts(flow, details)));
}
