import { askedFields, normaliseField } from '../fields/asked-fields.ts';
import {
  type ContactField,
  contactError,
  contactFields,
  contactFlow,
  contactSurvey,
} from '../fields/contact-form.ts';
import { fieldsWhere } from '../fields/lead-fields.ts';
import { type BuiltLead, commonParts, type LeadInput } from './build-lead.ts';
import { readConsent } from './consent.ts';
import type { BuildContext } from './context.ts';
import type { LeadProblem } from './lead-record.ts';
import { readPost, siteOrigin } from './read.ts';
import { ruleOnSale } from './sale.ts';

export function isContactForm(body: Readonly<Record<string, unknown>>): boolean {
  const { survey } = body;
  return typeof survey === 'string' && survey.trim().replace(/\/*$/, '/') === contactSurvey;
}

const outwardNames: Readonly<Record<ContactField, string>> = {
  typeOfAccident: 'type_of_accident',
  firstName: 'first_name',
  lastName: 'last_name',
  email: 'email',
  phoneNumber: 'phone',
  message: 'message',
};

const sentClickFields = fieldsWhere((field) => field.from === 'click' && field.goesOut !== 'never');
const accidentTypes: readonly string[] = askedFields.typeOfAccident.values ?? [];

/** Builds the lead of a contact form (docs/specification.md#contact-form). Never throws. */
export function buildContactLead(
  input: Pick<LeadInput, 'body' | 'latest' | 'visitor' | 'origin' | 'now' | 'consentReceivedAt'>,
  context: BuildContext,
): BuiltLead {
  const { body, latest, visitor, origin, now } = input;
  const own = new Set<string>([...contactFields, 'survey']);
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !own.has(name)));
  const read = readPost(rest, now, context);
  const { posted, problems: ofRest } = read;
  const { answers, problems } = readForm(body);
  const site = siteOrigin(posted, visitor, context.rules);
  const language = posted.language === 'es' ? 'es' : 'en';
  const consent = readConsent(
    {
      text: typeof body.tcpa === 'string' ? posted.tcpa : undefined,
      body,
      latest,
      flow: contactFlow,
      buyerList: undefined,
      selectedBuyers: undefined,
      language,
      seenLanguage: language,
      page: visitor.page || site + contactSurvey,
      visitor,
      now,
      receivedAt: input.consentReceivedAt,
    },
    context.rules,
  );
  if (!consent.sent) problems.push({ problem: 'missing_consent', field: 'tcpa' });
  const { phoneNumber = '', email = '' } = answers;
  const states = [posted.visitor_state ?? visitor.state];
  const sale = { states, hasChosenFirm: false, day: context.calendar(now) };
  return {
    survey: contactSurvey,
    flow: contactFlow,
    language,
    qualified: true,
    dqReason: '',
    leadIsQualified: false,
    doNotSendToDq: 'no',
    fields: {
      ...Object.fromEntries(contactFields.map((name) => [outwardNames[name], answers[name] ?? ''])),
      ...Object.fromEntries(
        sentClickFields.flatMap((name) => (posted[name] ? [[name, posted[name]]] : [])),
      ),
      language,
      landing_page: site,
      ...(posted.page_referer && { page_referer: posted.page_referer }),
      ip_address: origin.address,
      user_agent: origin.userAgent,
      tcpa: consent.sent,
    },
    given: null,
    decisions: [ruleOnSale(sale, context.rules.stateRules)],
    overrides: [],
    differences: [],
    problems: [...problems, ...ofRest],
    ...commonParts(input, read, { email, phone: phoneNumber }, context),
    consent: consent.record,
    consentHold: consent.hold,
  };
}

/** Returns whether a body is a valid contact form. */
export function isWholeContactForm(body: Readonly<Record<string, unknown>>): boolean {
  return readForm(body).problems.length === 0;
}

function readForm(body: Readonly<Record<string, unknown>>): {
  answers: Partial<Record<ContactField, string>>;
  problems: LeadProblem[];
} {
  const answers: Partial<Record<ContactField, string>> = {};
  const problems: LeadProblem[] = [];
  for (const field of contactFields) {
    const given = body[field];
    const typed = typeof given === 'string' ? given : '';
    const value = normaliseField(field, typed);
    if (value !== '') answers[field] = value;
    const isKnown = field !== 'typeOfAccident' || value === '' || accidentTypes.includes(value);
    const reason = contactError(field, typed) ?? (isKnown ? undefined : 'invalid');
    if (reason === undefined) continue;
    problems.push({ problem: 'bad_value', field, reason, value: given ?? '' });
  }
  return { answers, problems };
}
