/** The use case behind the contact form where a browser posts it by itself, without a script. */
import { hash } from 'node:crypto';
import type { PublishedConsent } from '../../domain/consent.ts';
import {
  type ContactField,
  contactError,
  contactFields,
  contactSurvey,
} from '../../domain/contact-form.ts';
import type { Visitor } from '../../intake/visitor.ts';
import type { Clock } from './ports.ts';
import { formTimes, leadOfDigest } from './same-form.ts';
import type { UseCases } from './use-cases.ts';

/** What a browser posted, by name. */
export type PostedFields = Readonly<Record<string, string>>;

/** What became of a posted contact form. */
export type TakenContactForm = {
  /** The fields that have to be corrected; none: it is taken. */
  readonly wrong: readonly ContactField[];
  /** What the page that asks for the correction hands back with the next try: the same lead, and its proof. */
  readonly lead: { readonly id: string; readonly secret: string };
};

const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/**
 * Takes a form as it was typed. What breaks a rule is stored as well, held and with its reason; the next try
 * is a later revision of the same lead. A form in which nothing at all is filled in is not.
 *
 * @throws StoreUnavailableError when it could not be stored
 */
export function createTakeContactForm(options: {
  acceptLead: UseCases['acceptLead'];
  consents: readonly PublishedConsent[];
  now: Clock;
}): UseCases['takeContactForm'] {
  const { acceptLead, consents, now } = options;

  return async (posted, language, visitor) => {
    const values = Object.fromEntries(contactFields.map((name) => [name, posted[name] ?? '']));
    const wrong = contactFields.filter((name) => contactError(name, values[name] ?? ''));
    const lead = leadOf(posted, values, visitor, now);
    if (contactFields.every((name) => values[name]?.trim() === '')) return { wrong, lead };
    const { consent_version: version = '' } = posted;
    const shown = consents.find(
      (each) => each.version === version && each.kind === 'general' && each.language === language,
    );
    await acceptLead(
      {
        ...values,
        lead_id: lead.id,
        survey: contactSurvey,
        language,
        // What the page shows of that version, beside the button that was pressed.
        tcpa: shown?.text ?? '',
        consent_version: version,
        landing_page: visitor.page,
      },
      { ...visitor, secretSha256: hash('sha256', lead.secret, 'base64url') },
    );
    return { wrong, lead };
  };
}

/** The lead that an earlier try began, else one made of the form itself: who presses twice sends it once. */
function leadOf(
  { lead_id: id = '', lead_secret: secret = '' }: PostedFields,
  values: PostedFields,
  { addressKey, userAgent }: Visitor,
  now: Clock,
): TakenContactForm['lead'] {
  if (UUID.test(id) && /^[\da-f]{32}$/.test(secret)) return { id, secret };
  const [time] = formTimes(now);
  const of = JSON.stringify([time, addressKey, userAgent, values]);
  const made = leadOfDigest(hash('sha256', of, 'hex'));
  return { id: made.leadId, secret: made.secret };
}
