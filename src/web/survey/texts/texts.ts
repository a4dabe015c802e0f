import type { FieldError } from '../../../model/fields/asked-fields.ts';
import type { Language } from '../../../model/fields/language.ts';
import { type Flow, fieldsOf, type Stage, type Step } from '../../../model/flows/engine/flow.ts';
import { stepWords } from '../../../model/flows/engine/step-words.ts';
import type { Survey } from '../../../model/flows/surveys.ts';
import { type code, type controls, en, type page, type thankYou } from './en.ts';
import { es } from './es.ts';
import { stateNames } from './state-names.ts';

type Starters = readonly (readonly [button: string, beginning: string])[];

/**
 * The words of one step. They stand under its name or, where a flow needs its own, under `<flow id>/<name>`
 * (`stepWords`). `submit` is the label of its way on, where it is not "Continue". `choices` (by `field=value`) and
 * `labels` (by field) are the step's own words for an answer or a field that is called otherwise elsewhere. `notes` (by
 * `field=value`) say what an answer means, on a result screen.
 */
export type StepTexts = {
  readonly question: string;
  readonly help?: string;
  readonly submit?: string;
  /** The label of a visitor who chooses no law firm. */
  readonly submitWithoutFirm?: string;
  readonly choices?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly notes?: Readonly<Record<string, string>>;
  /** First sentences of a description that blame another driver, each with the words of its button. */
  readonly starters?: Starters;
  /** In their place for someone on foot or on a bicycle. */
  readonly startersOnFoot?: Starters;
  /** What a start screen promises, by icon (survey-icons.tsx). */
  readonly promises?: Readonly<Record<string, string>>;
};

/** The words of one field. `errors` has one short sentence for each error that the field can have. */
export type FieldTexts = {
  readonly label: string;
  readonly hint?: string;
  /** Said while its choices are still being looked for. */
  readonly waiting?: string;
  /** A question about a single law firm, and its answers. */
  readonly ofOne?: { readonly question: string; readonly yes: string; readonly no: string };
  readonly errors: Readonly<Partial<Record<FieldError, string>>>;
};

/**
 * Words of the survey's own controls. `{…}` are places that `fill` fills. Only the surveys that show a note or wait for
 * the post have the words for it.
 */
type ControlTexts = Omit<typeof controls, 'estimateNote' | 'socialProof' | 'sendingStates'> &
  Partial<Pick<typeof controls, 'estimateNote' | 'socialProof'>> & {
    readonly sendingStates: Partial<typeof controls.sendingStates>;
  };

export type CodeTexts = typeof code;

/** Everything that the survey itself says; part of the page as JSON. */
export type SurveyTexts = {
  readonly language: Language;
  readonly steps: Readonly<Record<string, StepTexts | undefined>>;
  readonly choices: Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
  readonly fields: Readonly<Record<string, FieldTexts | undefined>>;
  readonly stages: Readonly<Record<Stage, string>>;
  /** January to December. */
  readonly months: readonly string[];
  /** Labels of the compensation levels 1 to 7 (docs/specification.md#compensation-estimator). */
  readonly levels: readonly string[];
  readonly controls: ControlTexts;
  /** Where the survey verifies the phone number. */
  readonly code?: CodeTexts;
};

/** What a page says of its survey where that is about something else than an accident. */
type SubjectTexts = Pick<typeof page, 'title' | 'description' | 'panelTitle' | 'panelSteps'> & {
  /** What its thank-you page says otherwise. */
  readonly thankYou?: Partial<ThankYouTexts>;
};

export type ListTexts = { readonly title: string; readonly items: readonly string[] };

/** The words of the thank-you pages. Nobody will call where `asked` is undefined. */
export type ThankYouTexts = Omit<typeof thankYou, 'asked'> & {
  readonly asked?: ListTexts | undefined;
};

/** One language: all words of all surveys, one file a language. */
export type Texts = Omit<SurveyTexts, 'language' | 'months' | 'code' | 'controls'> & {
  readonly controls: typeof controls;
  readonly code: CodeTexts;
  /** What stands around the survey; rendered on the server only. */
  readonly page: typeof page;
  /** By flow: traffic tickets and benefits. */
  readonly subjects: Readonly<Record<string, SubjectTexts | undefined>>;
  readonly thankYou: ThankYouTexts;
  /** What the thank-you pages of some surveys say otherwise, by path (docs/specification.md#thank-you-pages). */
  readonly thankYouPages: Readonly<Record<string, Partial<ThankYouTexts> | undefined>>;
};

export const texts: Readonly<Record<Language, Texts>> = { en, es };

/** The words around a survey: those of its flow's subject, over those of all. */
export function pageTexts(language: Language, flowId: string): typeof page {
  const { page, subjects } = texts[language];
  return { ...page, ...subjects[flowId] };
}

/**
 * The words of a thank-you page: its own, over those of the subject of the flow that leads to it, over those of all.
 */
export function thankYouTexts(language: Language, flowId: string, path = ''): ThankYouTexts {
  const { thankYou, thankYouPages, subjects } = texts[language];
  return { ...thankYou, ...subjects[flowId]?.thankYou, ...thankYouPages[path] };
}

function pick<Value>(
  record: Readonly<Record<string, Value>>,
  names: ReadonlySet<string>,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)));
}

/** The fields of a step that show a label: all but those that are answer buttons alone. */
function labelledFields({ kind, asks = [], optional = [], choices = [] }: Step): string[] {
  return [...asks, ...optional, ...(kind === 'choice' ? [] : choices.flatMap(Object.keys))];
}

/** January to December. */
function monthNames(language: Language): string[] {
  return Array.from({ length: 12 }, (_, month) =>
    new Date(Date.UTC(2026, month)).toLocaleString(language, { month: 'long', timeZone: 'UTC' }),
  );
}

/**
 * Returns the words that one flow needs, in one language: what goes into its page.
 *
 * @param survey the survey with that flow; default: one without verification, proof and waiting for the post
 */
export function textsFor(
  language: Language,
  flow: Flow,
  survey?: Pick<Survey, 'verifiesPhone' | 'redirectsOnSuccess' | 'toggles'>,
): SurveyTexts {
  const { steps, choices, fields, stages, levels, controls, code } = texts[language];
  const { estimateNote, socialProof, sendingStates, ...always } = controls;
  const { trying, refused, ...states } = sendingStates;
  const ofFlow = Object.values(flow.steps);
  const asked = new Set<string>(
    ofFlow.flatMap((step) => fieldsOf(step).filter((field) => !step.finds?.includes(field))),
  );
  const asksWorth = asked.has('current_compensation');
  const asksState = asked.has('state_accident_occurred');
  return {
    language,
    steps: Object.fromEntries(
      Object.keys(flow.steps).map((name) => [name, stepWords(steps, flow.id, name)]),
    ),
    choices: {
      ...pick(choices, asked),
      ...(asksState && { state_accident_occurred: stateNames(language) }),
    },
    fields: pick(fields, new Set(ofFlow.flatMap(labelledFields))),
    stages,
    months: monthNames(language),
    levels: asksWorth ? levels : [],
    controls: {
      ...always,
      ...(asksWorth && { estimateNote }),
      ...(survey?.toggles.socialProof && { socialProof }),
      sendingStates: { ...states, ...(survey?.redirectsOnSuccess && { trying, refused }) },
    },
    ...(survey?.verifiesPhone && { code }),
  };
}
