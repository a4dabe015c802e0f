/** The use case behind the contact form where a browser posts it by itself, without a script. */
import { hash } from 'node:crypto';
import type { PublishedConsent } from '../../domain/consent.ts';
import {
  type ContactField,
  contactError,
  contactFields,
  contactSurvey,
} from '../../domain/contact-form.ts';
import type { Clock, FormTurns, KeyedDigest, LeadStore } from './ports.ts';
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

const SECRET = /^[\da-f]{32}$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/**
 * Takes a form as it was typed. What breaks a rule is stored as well, held and with its reason; the next try
 * is a later revision of the same lead. A form in which nothing at all is filled in is not.
 *
 * @throws StoreUnavailableError when it could not be stored
 */
export function createTakeContactForm(options: {
  acceptLead: UseCases['acceptLead'];
  store: Pick<LeadStore, 'find'>;
  digest: KeyedDigest;
  inTurn: FormTurns;
  consents: readonly PublishedConsent[];
  now: Clock;
}): UseCases['takeContactForm'] {
  const { acceptLead, store, digest, inTurn, consents, now } = options;

  return async (posted, language, visitor, click = {}) => {
    const values = Object.fromEntries(contactFields.map((name) => [name, posted[name] ?? '']));
    const wrong = contactFields.filter((name) => contactError(name, values[name] ?? ''));
    const isEmpty = contactFields.every((name) => values[name]?.trim() === '');
    const { consent_version: version = '' } = posted;
    const shown = consents.find(
      (each) => each.version === version && each.kind === 'general' && each.language === language,
    );
    const take = async (lead: TakenContactForm['lead']) => {
      if (isEmpty) return { wrong, lead };
      await acceptLead(
        {
          landing_page: visitor.page,
          ...click,
          ...values,
          lead_id: lead.id,
          survey: contactSurvey,
          language,
          // What the page shows of that version, beside the button that was pressed.
          tcpa: shown?.text ?? '',
          consent_version: version,
        },
        { ...visitor, secretSha256: hash('sha256', lead.secret, 'base64url') },
      );
      return { wrong, lead };
    };
    const begun = begunLead(posted);
    if (begun) return take(begun);
    // Pressed twice it is sent once: the form itself says which lead it is.
    const { addressKey, userAgent } = visitor;
    const form = JSON.stringify([addressKey, userAgent, values]);
    return inTurn(await digest('contact', form), async () => take(await leadOf(form)));
  };

  /** Returns the lead that the same form began a while ago; else a new one. */
  async function leadOf(form: string): Promise<TakenContactForm['lead']> {
    const [lead, earlier] = await Promise.all(
      formTimes(now).map(async (time) => {
        const { leadId, secret } = leadOfDigest(await digest('contact', `${time} ${form}`));
        return { id: leadId, secret };
      }),
    );
    const hasEarlier = earlier && (await store.find(earlier.id, '')) !== undefined;
    return (hasEarlier ? earlier : lead) as TakenContactForm['lead'];
  }
}

/** Returns the lead that an earlier try of a corrected form began. */
function begunLead({ lead_id: id = '', lead_secret: secret = '' }: PostedFields) {
  return UUID.test(id) && SECRET.test(secret) ? { id, secret } : undefined;
}
