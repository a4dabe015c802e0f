import type { ScriptPart } from './follow-scripts.ts';
import { poll, WIDGET_POLL_MS } from './script-page.ts';

/** docs/specification.md#consent-certificates: how often the LeadiD token is looked for. */
const LEADID_POLL_MS = 50;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const CERTIFICATE_FIELD = 'xxTrustedFormCertUrl';

/** Adds a hidden input to the survey's form, for a third-party script to fill. */
function hiddenInput(name: string, id: string): HTMLInputElement {
  const input = document.createElement('input');
  Object.assign(input, { type: 'hidden', name, id });
  document.querySelector<HTMLFormElement>('#survey form')?.append(input);
  return input;
}

/** Marks the consent text and its button for TrustedForm (`use_tagged_consent`) on every screen that has them. */
function tagConsent(): void {
  const consent = document.getElementById('tcpa');
  if (!consent) return;
  consent.setAttribute('data-tf-element-role', 'consent-language');
  document
    .querySelector('[data-step] button[type=submit]')
    ?.setAttribute('data-tf-element-role', 'submit');
}

/**
 * TrustedForm: its script fills a hidden input with the certificate's URL, whose last segment is the
 * certificate's id (docs/specification.md#consent-certificates).
 */
export const takeCertificate: ScriptPart = async ({ src }, { page }) => {
  const input = hiddenInput(CERTIFICATE_FIELD, `${CERTIFICATE_FIELD}_0`);
  tagConsent();
  window.addEventListener('survey:step', tagConsent);
  const query = `field=${CERTIFICATE_FIELD}&use_tagged_consent=true&l=${Date.now()}${Math.random()}`;
  if (!(await page.load(`${src}?${query}`))) return undefined;
  const url = await poll(() => input.value || undefined, WIDGET_POLL_MS);
  if (!url || !/^https?:\/\/./.test(url)) return undefined;
  const id = new URL(url).pathname.split('/').findLast((part) => part !== '');
  return { trustedform_cert_url: url, ...(id && { trusted_form_cert_id: id }) };
};

/**
 * LeadiD: the campaign's script, which finds itself by its id, fills the hidden input `leadid_token` some time
 * after it has loaded (docs/specification.md#consent-certificates).
 */
export const takeLeadidToken: ScriptPart = async ({ src }, { page }) => {
  const input = hiddenInput('universal_leadid', 'leadid_token');
  if (!(await page.load(src, 'LeadiDscript_campaign'))) return undefined;
  const leadid_token = await poll(
    () => (GUID.test(input.value) ? input.value : undefined),
    LEADID_POLL_MS,
  );
  return leadid_token === undefined ? undefined : { leadid_token };
};
