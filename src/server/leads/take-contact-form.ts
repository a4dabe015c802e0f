/** The use case behind the contact form where a browser posts it by itself, without a script. */
import { hash } from 'node:crypto';
import type { PublishedConsent } from '../../domain/consent.ts';
import {
  type ContactField,
  contactError,
  contactFields,
  contactSurvey,
} from '../../domain/contact-form.ts';
import { isDoubtful } from '../../domain/typos.ts';
import type { Clock, FormTurns, KeyedDigest, LeadStore } from './ports.ts';
import { formTimes, leadOfDigest } from './same-form.ts';
import type { UseCases } from './use-cases.ts';

/** What a browser posted, by name. */
export type PostedFields = Readonly<Record<string, string>>;

/** What became of a posted contact form; it is taken where nothing is wrong or doubtful. */
export type TakenContactForm = {
  /** The fields that have to be corrected. */
  readonly wrong: readonly ContactField[];
  /** The fields that may be mistyped and are asked about now; their form is not taken yet. */
  readonly doubtful: readonly ContactField[];
  /** What the page hands back with the next try: the values that were asked about. */
  readonly asked: string;
  /** What the page that asks for the correction hands back with the next try: the same lead, and its proof. */
  readonly lead: { readonly id: string; readonly secret: string };
};

const SECRET = /^[\da-f]{32}$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** The fields that are asked about once where they may be mistyped. */
const doubtKinds: Partial<Record<ContactField, 'name' | 'email'>> = {
  firstName: 'name',
  lastName: 'name',
  email: 'email',
};

/**
 * Takes a form as it was typed. What may be mistyped is asked about once, and taken as it is when the same value
 * comes again (docs/specification.md#field-checks). What breaks a rule is stored as well, held and with its
 * reason; the next try is a later revision of the same lead. A form in which nothing at all is filled in is not.
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
    const { mistyped, asked, isTold } = findDoubts(values, posted.asked);
    const doubtful = isTold && wrong.length === 0 ? [] : mistyped;
    const isEmpty = contactFields.every((name) => values[name]?.trim() === '');
    const { consent_version: version = '' } = posted;
    const shown = consents.find(
      (each) => each.version === version && each.kind === 'general' && each.language === language,
    );
    const take = async (lead: TakenContactForm['lead']) => {
      const taken = { wrong, doubtful, asked, lead };
      if (isEmpty || (wrong.length === 0 && doubtful.length > 0)) return taken;
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
      return taken;
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

/**
 * Finds the fields that may be mistyped, and says whether all of their values were asked about before.
 *
 * @param askedBefore `asked` as the page handed it back
 */
function findDoubts(values: PostedFields, askedBefore = '') {
  const marked = (name: ContactField) => `|${values[name]}|`;
  const mistyped = contactFields.filter((name) => isDoubtful(doubtKinds[name], values[name] ?? ''));
  const isTold = mistyped.every((name) => askedBefore.includes(marked(name)));
  return { mistyped, asked: mistyped.map(marked).join(''), isTold };
}

/** Returns the lead that an earlier try of a corrected form began. */
function begunLead({ lead_id: id = '', lead_secret: secret = '' }: PostedFields) {
  return UUID.test(id) && SECRET.test(secret) ? { id, secret } : undefined;
}
