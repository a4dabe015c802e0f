/** Handles the posted form fields that are not answers to questions. */
import { isLeadField } from '../../model/fields/lead-fields.ts';
import { beginning } from '../../model/lead/body.ts';
import { STILL_SEND } from '../../model/visit/form-values.ts';
import type { FormVisit } from '../../model/visit/form-visit.ts';
import type { PostedFields } from '../../model/visit/posted-form.ts';

const MORE_FIELDS = 50;
const MORE_NAME_CHARACTERS = 100;
const MORE_VALUE_CHARACTERS = 1_000;

const ownNames: readonly string[] = [
  ...['step', 'refusals', 'go', 'first', 'consent', 'firms'],
  STILL_SEND,
];

/** Maps the hidden inputs of TrustedForm and Jornaya to fields of the lead. */
const certificateInputs: ReadonlyMap<string, 'trustedform_cert_url' | 'leadid_token'> = new Map([
  ['xxTrustedFormCertUrl', 'trustedform_cert_url'],
  ['universal_leadid', 'leadid_token'],
]);

/** Returns whether a posted field contains a consent certificate of TrustedForm or Jornaya. */
export function isCertificate(name: string): boolean {
  return certificateInputs.has(name);
}

/** Stores a form's unknown fields and consent certificates in the visit. */
export function withMore(form: FormVisit, fields: PostedFields): FormVisit {
  // Uses an object without a prototype, because a posted field may be named `__proto__`.
  const more: Record<string, string> = Object.assign(Object.create(null), form.more);
  const collected: Record<string, string> = { ...form.visit.collected };
  for (const [name, value] of fields) {
    const certificate = certificateInputs.get(name);
    if (certificate !== undefined) {
      if (value === '') continue;
      collected[certificate] = value;
      if (certificate !== 'trustedform_cert_url' || !URL.canParse(value)) continue;
      const id = new URL(value).pathname.split('/').findLast((part) => part !== '');
      if (id) collected.trusted_form_cert_id = id;
    } else if (!isLeadField(name) && !ownNames.includes(name)) {
      if (Object.keys(more).length >= MORE_FIELDS && !Object.hasOwn(more, name)) continue;
      more[beginning(name, MORE_NAME_CHARACTERS)] = beginning(value, MORE_VALUE_CHARACTERS);
    }
  }
  return { ...form, more, visit: { ...form.visit, collected } };
}
