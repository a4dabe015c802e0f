import type { ScriptPart } from './follow-scripts.ts';
import { hiddenInput } from './hidden-input.ts';
import { LEADID_POLL_MS, poll } from './wait.ts';

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * LeadiD: the campaign's script fills the hidden input `leadid_token` a while after it has loaded
 * (docs/specification.md#consent-certificates). It looks for itself by its id.
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
