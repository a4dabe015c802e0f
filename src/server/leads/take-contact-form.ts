/** The use case behind contact forms that are posted without JavaScript. */
import { hash } from 'node:crypto';
import {
  type ContactField,
  contactError,
  contactFields,
  contactSurvey,
} from '../../model/fields/contact-form.ts';
import type { Language } from '../../model/fields/language.ts';
import { isDoubtful } from '../../model/fields/typos.ts';
import { isShownBy, type PublishedConsent } from '../../model/lead/consent.ts';
import type { Visitor } from '../../model/lead/context.ts';
import { randomHex, uuidV7 } from '../../model/visit/ids.ts';
import type { Clock } from '../platform/clock.ts';
import type { KeyedDigest } from '../platform/database/database-secret.ts';
import type { AcceptLead } from './accept-lead.ts';
import type { LeadStore } from './lead-store.ts';
import { type FormTurns, leadsOfForm } from './repeated-forms.ts';

type Posted = Readonly<Record<string, string>>;

/** The result of a posted contact form. */
type TakenContactForm = {
  readonly wrong: readonly ContactField[];
  /** The fields with probable typing errors. */
  readonly doubtful: readonly ContactField[];
  /** The doubtful values that the visitor has already been asked to correct. */
  readonly asked: string;
  /** The lead's id and secret, which the corrected form contains. */
  readonly lead: { readonly id: string; readonly secret: string };
};

const SECRET = /^[\da-f]{32}$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const doubtKinds: Partial<Record<ContactField, 'name' | 'email'>> = {
  firstName: 'name',
  lastName: 'name',
  email: 'email',
};

export type TakeContactForm = ReturnType<typeof createTakeContactForm>;

export function createTakeContactForm(options: {
  acceptLead: AcceptLead;
  store: Pick<LeadStore, 'find'>;
  digest: KeyedDigest;
  inTurn: FormTurns;
  consents: readonly PublishedConsent[];
  now: Clock;
}) {
  const { acceptLead, store, digest, inTurn, consents, now } = options;

  /**
   * Processes a contact form (docs/specification.md#field-checks).
   * @throws StoreUnavailableError
   */
  return async (
    posted: Posted,
    language: Language,
    visitor: Visitor,
    click: Posted = {},
  ): Promise<TakenContactForm> => {
    const values = Object.fromEntries(contactFields.map((name) => [name, posted[name] ?? '']));
    const wrong = contactFields.filter((name) => contactError(name, values[name] ?? ''));
    const { mistyped, asked, wasAsked } = findDoubts(values, posted.asked);
    const doubtful = wasAsked && wrong.length === 0 ? [] : mistyped;
    const isEmpty = contactFields.every((name) => values[name]?.trim() === '');
    const { consent_version: version = '' } = posted;
    const shown = consents.find(
      (each) =>
        each.version === version && isShownBy(each, 'contact') && each.language === language,
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
          tcpa: shown?.text ?? '',
          consent_version: version,
        },
        { ...visitor, secretSha256: hash('sha256', lead.secret, 'base64url') },
      );
      return taken;
    };
    const begun = begunLead(posted);
    if (begun) return take(begun);
    // Empty forms get no id from their content: those of two visitors behind one IP address are equal.
    if (isEmpty) return take({ id: uuidV7(), secret: randomHex() });
    // Derives the lead id from the form's content, so that two equal posts store one lead.
    const { addressKey, userAgent } = visitor;
    const form = JSON.stringify([addressKey, userAgent, values]);
    return inTurn(digest('contact', form), async () => take(await leadOf(form)));
  };

  /** Returns the lead to which a form belongs. */
  async function leadOf(form: string): Promise<TakenContactForm['lead']> {
    const textAt = (slot: number) => `${slot} ${form}`;
    const [lead, earlier] = leadsOfForm(digest, 'contact', now, textAt).map(
      ({ leadId: id, secret }) => ({ id, secret }),
    );
    const hasEarlier = earlier && (await store.find(earlier.id, '')) !== undefined;
    return (hasEarlier ? earlier : lead) as TakenContactForm['lead'];
  }
}

/** Finds the fields with probable typing errors. */
function findDoubts(values: Posted, askedBefore = '') {
  const marked = (name: ContactField) => `|${values[name]}|`;
  const mistyped = contactFields.filter((name) => isDoubtful(doubtKinds[name], values[name] ?? ''));
  const wasAsked = mistyped.every((name) => askedBefore.includes(marked(name)));
  return { mistyped, asked: mistyped.map(marked).join(''), wasAsked };
}

/** Returns the lead that a corrected form belongs to; undefined if the form is new. */
function begunLead({ lead_id: id = '', lead_secret: secret = '' }: Posted) {
  return UUID.test(id) && SECRET.test(secret) ? { id, secret } : undefined;
}
