import type { ScriptPart } from './follow-scripts.ts';
import { hiddenInput } from './hidden-input.ts';
import { poll, WIDGET_POLL_MS } from './wait.ts';

const FIELD = 'xxTrustedFormCertUrl';

/**
 * Tells TrustedForm which text is the consent and which button gives it (`use_tagged_consent`), on
 * whatever screen has them.
 */
function tagConsent(): void {
  const consent = document.getElementById('tcpa');
  if (!consent) return;
  consent.setAttribute('data-tf-element-role', 'consent-language');
  document
    .querySelector('[data-step] button[type=submit]')
    ?.setAttribute('data-tf-element-role', 'submit');
}

/**
 * TrustedForm: its script fills a hidden input of the survey's form with the certificate's URL, whose last
 * part is the certificate's id (docs/specification.md#consent-certificates).
 */
export const takeCertificate: ScriptPart = async ({ src }, { page }) => {
  const input = hiddenInput(FIELD, `${FIELD}_0`);
  tagConsent();
  window.addEventListener('survey:step', tagConsent);
  const query = `field=${FIELD}&use_tagged_consent=true&l=${Date.now()}${Math.random()}`;
  if (!(await page.load(`${src}?${query}`))) return undefined;
  const url = await poll(() => input.value || undefined, WIDGET_POLL_MS);
  if (!url || !/^https?:\/\/./.test(url)) return undefined;
  const id = new URL(url).pathname.split('/').findLast((part) => part !== '');
  return { trustedform_cert_url: url, ...(id && { trusted_form_cert_id: id }) };
};
