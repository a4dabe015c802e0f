import { askedFields } from '../../../model/fields/asked-fields.ts';
import type { Language } from '../../../model/fields/language.ts';
import { type Flow, fieldsOf, type Step, stepWords } from '../../../model/flows/engine/flow.ts';
import type { Survey } from '../../../model/flows/surveys.ts';
import { choices, yesNo } from './answers.ts';
import { code, controls } from './controls.ts';
import { fields, levels, stages } from './fields.ts';
import { page, subjects } from './page.ts';
import { type InOne, inOne, type QuestionTexts } from './shared.ts';
import { stateNames } from './state-names.ts';
import { steps } from './steps.ts';
import { type ThankYouTexts, thankYou, thankYouPages } from './thank-you.ts';

const questions = { steps, yesNo, choices, fields, stages, levels };
const all = { ...questions, controls, code, page, subjects, thankYou, thankYouPages };

export type CodeTexts = InOne<typeof code>;

/** All texts of one survey. The survey's page contains the texts as JSON. */
export type SurveyTexts = QuestionTexts & {
  readonly language: Language;
  readonly months: readonly string[];
  readonly controls: InOne<typeof controls>;
  /** The texts of the code dialog, if the survey verifies the phone number. */
  readonly code?: CodeTexts;
};

/** Maps a step to other steps that share its texts. */
const copies: Readonly<Record<string, readonly string[]>> = {
  StartPath: ['ShowQuestions'],
  WhenWasTheAccident: ['SocialDropWhenWasTheAccident'],
  HowWasUserHurt: [
    'WasUserInjuredVW3',
    ...['variant-a', 'variant-b', 'variant-c', 'variant-d', 'tiktok', 'dui', 'sl', 'sl-v2'].map(
      (flow) => `${flow}/WasUserInjured`,
    ),
  ],
  PoliceReportFiled: ['PoliceReport'],
  HasLawyer: ['HasAttorney'],
  IncidentDescription: ['Description'],
  NameAndEmail: ['EmailAndName'],
  PhoneAndZip: ['AllPii', 'PhoneAbbreviatedTCPA', 'ZipAndPhone'],
  'variant-e/WereYouInAMotorVehicleAccident': ['variant-d/WereYouInAMotorVehicleAccident'],
  End: ['ThankYouStep'],
  'vw3/StartPath': ['ep/StartPath'],
};

/** Returns all texts in a language. */
function complete(language: Language) {
  const words = inOne(all, language);
  const { choices, yesNo } = words;
  const steps: QuestionTexts['steps'] = words.steps;
  const copied = Object.entries(copies).flatMap(([step, names]) =>
    names.map((name) => [name, steps[step]]),
  );
  const fields = Object.entries(askedFields);
  const yesOrNo = fields
    .filter(([, { values = [] }]) => values.toSorted().join() === 'no,yes')
    .map(([field]) => [field, yesNo]);
  return {
    ...words,
    steps: { ...steps, ...Object.fromEntries(copied) } as typeof steps,
    choices: { ...Object.fromEntries(yesOrNo), ...choices } as QuestionTexts['choices'],
  };
}

export const texts = { en: complete('en'), es: complete('es') };

/** Returns the texts around a survey. Texts of the flow's subject replace the general texts. */
export function pageTexts(language: Language, flowId: string) {
  const { page, subjects } = texts[language];
  return { ...page, ...subjects[flowId] };
}

/** Returns a thank-you page's texts: those of the path, else of the subject, else general ones. */
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

/** Returns the fields of a step that are shown with a label. */
function labelledFields({ kind, asks = [], optional = [], choices = [] }: Step): string[] {
  return [...asks, ...optional, ...(kind === 'choice' ? [] : choices.flatMap(Object.keys))];
}

/** Returns the texts that a flow's page needs. */
export function textsFor(
  language: Language,
  flow: Flow,
  survey?: Pick<Survey, 'verifiesPhone'>,
): SurveyTexts {
  const { steps, choices, fields, stages, levels, controls, code } = texts[language];
  const ofFlow = Object.values(flow.steps);
  const asked = new Set<string>(
    ofFlow.flatMap((step) => fieldsOf(step).filter((field) => !step.finds?.includes(field))),
  );
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
    months: Array.from({ length: 12 }, (_, month) =>
      new Date(Date.UTC(2026, month)).toLocaleString(language, { month: 'long', timeZone: 'UTC' }),
    ),
    levels,
    controls,
    ...(survey?.verifiesPhone && { code }),
  };
}
