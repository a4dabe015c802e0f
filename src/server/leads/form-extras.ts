/** What is posted with a form of a survey and is no answer. */
import { isLeadField } from '../../domain/lead/lead-fields.ts';
import { beginning } from '../../intake/storable.ts';
import type { FormVisit } from '../../journey/form-visit.ts';
import type { PostedFields } from '../../journey/posted-form.ts';

/** Of what nobody asked for. */
const MORE_FIELDS = 50;
const MORE_NAME_CHARACTERS = 100;
const MORE_VALUE_CHARACTERS = 1_000;

/** Names of the form that are no answers. */
const ownNames = ['step', 'refusals', 'go', 'first', 'consent'];

/** The hidden inputs of third parties' scripts, as far as they filled them before they were gone. */
const certificateInputs: ReadonlyMap<string, 'trustedform_cert_url' | 'leadid_token'> = new Map([
  ['xxTrustedFormCertUrl', 'trustedform_cert_url'],
  ['universal_leadid', 'leadid_token'],
]);

/** Whether a field is one that a script of a third party fills in. */
export function isCertificate(name: string): boolean {
  return certificateInputs.has(name);
}

/** A visit with what was posted under names that no step asks for, and what scripts of third parties had filled in. */
export function withMore(form: FormVisit, fields: PostedFields): FormVisit {
  // Without a prototype: a field may be named as a property of every object, `__proto__` among them.
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
