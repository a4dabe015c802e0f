/** Settings of third-party scripts in the page. */
import type { NumberPool, ScriptSettings } from '../../contract/script-declarations.ts';
import type { VariableValues } from './variables.ts';

/** Returns the settings of the scripts that have several. Each script is off without its setting. */
export function combinedScripts(
  values: VariableValues,
): Pick<ScriptSettings, 'click' | 'callTracking'> {
  const baseUrl = values.CLICK_TRACKER_URL?.replace(/\/+$/, '');
  const vendor = values.CALL_TRACKING;
  const pool = (src: string, tagId: string): NumberPool => ({
    src,
    ...(vendor === 'invoca' && { tagId }),
  });
  const numbers = pool(values.CALL_TRACKING_SCRIPT_URL, values.CALL_TRACKING_TAG_ID);
  // Invoca has one script for all customers; the tag id selects the number pool.
  const facebook = pool(
    values.CALL_TRACKING_FACEBOOK_SCRIPT_URL || numbers.src,
    values.CALL_TRACKING_FACEBOOK_TAG_ID,
  );
  const hasFacebook = vendor === 'invoca' ? facebook.tagId !== '' : facebook.src !== numbers.src;
  return {
    ...(baseUrl && {
      click: { baseUrl, by: values.CLICK_TRACKER_BY, timeoutMs: values.CLICK_TRACKER_TIMEOUT_MS },
    }),
    ...(vendor !== 'off' && {
      callTracking: { vendor, numbers, ...(hasFacebook && { facebook }) },
    }),
  };
}

/** Returns problems of an incomplete call-tracking account, which would silently show the fallback number. */
export function callTrackingProblems(values: Partial<VariableValues>): string[] {
  const { CALL_TRACKING: vendor, CALL_TRACKING_SCRIPT_URL, CALL_TRACKING_TAG_ID } = values;
  const needs = {
    ...(vendor !== 'off' && { CALL_TRACKING_SCRIPT_URL }),
    ...(vendor === 'invoca' && { CALL_TRACKING_TAG_ID }),
  };
  return Object.entries(needs)
    .filter(([, value]) => value === '')
    .map(([name]) => `${name} is missing: CALL_TRACKING "${vendor}" needs it`);
}
