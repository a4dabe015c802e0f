/** Makes a lead's timeline entries about the visit: click, steps, SMS codes, consent. */
import { CODE_OUTCOMES } from '../../model/messages/vocabulary.ts';
import { type LeadHistory, listOf } from '../leads/index.ts';
import type {
  ClickRow,
  ConsentRow,
  PhoneCodeRow,
  ProgressRow,
} from '../platform/database/schema.ts';
import {
  detail,
  type EntryPart,
  fieldName,
  fields,
  MASKED,
  open,
  personal,
  shown,
  stepName,
  textOf,
  type View,
} from './masking.ts';
import { capitalised } from './words.ts';

/** Describes the ad click with which the visitor arrived. */
export function clickEntry(click: ClickRow, index: number, view: View): EntryPart {
  const params = Object.entries(click.params ?? {});
  return {
    id: `click-${index + 1}`,
    title: 'Came to the survey',
    text: click.sec_gpc ? 'The browser opts out of sale and sharing (Sec-GPC).' : '',
    tone: click.sec_gpc ? 'warning' : 'plain',
    details: [
      personal(view, 'landing page', click.landing_page),
      // Masks the names of parameters too, because visitors can write any text into a URL's query.
      ...params.map(([name, value]) => personal(view, shown(view, name, false), value)),
      personal(view, 'came from', click.referer),
      personal(view, 'click id', click.id),
      personal(view, 'address', click.ip),
      personal(view, 'browser', click.user_agent),
    ],
  };
}

const STEP_TITLES: Readonly<Record<string, string>> = {
  viewed: 'Saw',
  answered: 'Answered',
  back: 'Went back from',
  submitted: 'Pressed the last button at',
  refused: 'Was refused at',
  failed: 'Met an error of the page at',
};

const VARIANTS = /^[\w-]+\.[\w-]+(~[\w-]+\.[\w-]+)*$/;

/** Describes an event at a step, as the browser reported it. */
export function stepEntry(step: ProgressRow, flow: string, view: View): EntryPart {
  // Masks a kind of event that our page never sends, because a browser can send any text.
  const verb = STEP_TITLES[step.kind] ?? (view.isOpened ? capitalised(step.kind) : MASKED);
  const given = fields(view, step.answers);
  const answers = given.map(({ value }) => value);
  const refused = step.refused?.split(',') ?? [];
  return {
    id: `step-${step.seq}`,
    title: `${verb} ${stepName(view, step.step)}`,
    ...(Object.hasOwn(STEP_TITLES, step.kind) && { step: step.kind }),
    ...(view.steps.has(step.step) && { asked: { flow, step: step.step, answers } }),
    text: step.seconds === null ? '' : `After ${Number(step.seconds)} s.`,
    tone: ['refused', 'failed'].includes(step.kind) ? 'warning' : 'plain',
    details: [
      ...given,
      open('refused', refused.map((name) => fieldName(view, name)).join(', ')),
      detail(view, 'variants', step.variants, VARIANTS.test(step.variants)),
    ],
  };
}

/** Describes sending or entering an SMS code. */
export function codeEntry({ id, kind, outcome, at, ended_at }: PhoneCodeRow): EntryPart {
  const end = outcome === null ? 'end unknown' : (CODE_OUTCOMES[kind][outcome] ?? outcome);
  const duration = ended_at === null ? '' : ` (${ended_at.getTime() - at.getTime()} ms)`;
  const tones = { sent: 'plain', approved: 'good' } as const;
  return {
    id: `code-${id}`,
    title: `SMS code ${end}${duration}`,
    tone: tones[(outcome ?? '') as keyof typeof tones] ?? 'warning',
  };
}

/** Describes a consent, with the text that the visitor saw. */
export function consentEntry(consent: ConsentRow, history: LeadHistory, view: View): EntryPart {
  const time = (at: Date | null) => (at === null ? 'unknown' : view.clock(at).full);
  const buyers = listOf<{ name?: unknown; ids?: unknown; chosen?: unknown }>(consent.buyers);
  const chosen = buyers.filter((each) => each.chosen === true).length;
  const sent = consent.sent_text ?? '';
  const { text } = consent;
  const isShown = view.isOpened || isOurText(text, consent, history);
  return {
    id: `consent-${consent.revision}`,
    title: 'Consented to be called',
    text:
      buyers.length === 0
        ? ''
        : `${buyers.length} firms were shown, ${chosen} of them were chosen.`,
    consent: {
      text: text !== '' && isShown ? text : null,
      textState: text === '' ? 'erased' : isShown ? 'shown' : 'masked',
      language: shown(view, consent.language, LANGUAGE.test(consent.language)),
      version: shown(view, consent.version, VERSION.test(consent.version)),
    },
    details: [
      open('shown', `${time(consent.shown_at)} (the browser’s clock)`),
      open('given', `${time(consent.given_at)} (the browser’s clock)`),
      personal(view, 'page', consent.page),
      personal(view, 'address', consent.ip),
      personal(view, 'browser', consent.user_agent),
      personal(view, 'certificate', consent.certificate),
      ...buyers.map(({ name, ids, chosen: isChosen }) =>
        personal(view, isChosen === true ? 'firm, chosen' : 'firm', `${name} (${listOf(ids)})`),
      ),
      detail(view, 'sent instead', sent, isOurText(sent, consent, history)),
      personal(view, 'SHA-256 of the text', consent.text_sha256),
    ],
  };
}

/** Matches the version of a published consent text. A browser may post any text as the version. */
const VERSION = /^\d{4}-\d{2}-\d{2}( [a-z]{1,20})?$/;
const LANGUAGE = /^[a-z]{2}$/;

/** Fields that identify the person. */
const NAMING = [
  ...['first_name', 'last_name', 'email', 'phone', 'address', 'case_description', 'zip_code'],
  ...['city', 'ip_address'],
];

/** Returns whether a consent text is published and does not contain any value of the person. */
function isOurText(text: string, { revision }: ConsentRow, { revisions }: LeadHistory): boolean {
  const stored = revisions.find((each) => each.revision === revision);
  // If no values of the person are stored, the server cannot search the text for the values.
  if (stored === undefined || Object.keys(stored.fields).length === 0) return false;
  const problems = stored.problems as { problem?: string; reason?: string }[];
  const isDoubted = problems.some(
    ({ problem, reason = '' }) => problem === 'held' && reason.startsWith('consent_'),
  );
  if (isDoubted) return false;
  const lower = text.toLowerCase();
  return [stored.fields, stored.body].every((values) =>
    NAMING.every((name) => {
      const value = textOf(values[name]).toLowerCase().trim();
      return value.length < 2 || !lower.includes(value);
    }),
  );
}
