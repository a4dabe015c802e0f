/** Invents the visits of the demo's history: who came when, from where, how far, and with which answers. */
import type { Answers } from '../../src/domain/answers.ts';
import { type AskedField, askedFields } from '../../src/domain/asked-fields.ts';
import { type CalendarDate, calendarDate } from '../../src/domain/dates.ts';
import { type Flow, fieldsOf, impliedBy, type Step, stepOf } from '../../src/flows/engine/flow.ts';
import { nextStep } from '../../src/flows/engine/walk.ts';
import { type Survey, surveyFacts } from '../../src/flows/surveys.ts';
import { dateAnswers, testSamples, typedAnswers } from '../../src/flows/test-support/samples.ts';
import type { ZipLookup } from '../../src/intake/context.ts';

export const chance = (probability: number) => Math.random() < probability;

/** Returns an item; of two, the earlier one more often. */
const pickEarly = <Item>(items: readonly Item[]) =>
  items[Math.floor(Math.random() ** 2 * items.length)] as Item;
const pick = <Item>(items: readonly Item[]) =>
  items[Math.floor(Math.random() * items.length)] as Item;

const DAYS = 30;
const DAY_MS = 86_400_000;

/** The sources of visits, most frequent first: their surveys, their share of phones, and a factor of every probability of leaving. */
const sources = [
  { name: 'google', phones: 0.6, haste: 0.8, surveys: ['v5', 'v5', 'v4', 'short'] },
  { name: 'facebook', phones: 0.86, haste: 1.05, surveys: ['v5', 'fb', 'es', 'v7'] },
  { name: 'tiktok', phones: 0.97, haste: 1.7, surveys: ['tt', 'tt', 'tt', 'v5'] },
  { name: 'bing', phones: 0.3, haste: 0.75, surveys: ['v5', 'v4'] },
  { name: '', phones: 0.55, haste: 0.95, surveys: ['v4', 'v4', 'v5'] },
];

/** The experiment of the demo's setting EXPERIMENTS. Visitors of its second variant leave less. */
export const EXPERIMENT = { id: 'buttons', survey: '/survey/v5', arms: ['plain', 'rounded'] };

const first = 'James Mary Robert Patricia Jennifer Michael Linda David José Carmen Luis'.split(' ');
const last = 'Smith Johnson Williams Brown Davis Wilson Anderson García Martínez López'.split(' ');
/** Zip codes with an area code of their region. The first ones are picked more often. */
const places = (
  '77002-713 90012-213 33101-305 10001-212 60601-312 30303-404 85004-602 89101-702 19103-215 43215-614 ' +
  '28202-704 98101-206 80202-303 29201-803 46204-317'
).split(' ');
const phoneBrowser =
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Mobile Safari/537.36';
const desktopBrowser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36';

/** Invents what a visitor types, by field. `serial` keeps two addresses apart; none belongs to anybody. */
function inventPerson(serial: number): Record<string, string> {
  const first_name = pick(first);
  const last_name = pick(last);
  const [zip_code = '', area = ''] = pickEarly(places).split('-');
  const plain = `${first_name}.${last_name}`.normalize('NFD').replace(/[^\w.]/g, '');
  return {
    ...typedAnswers,
    first_name,
    last_name,
    zip_code,
    email: `${plain.toLowerCase()}.${serial}@example.com`,
    // 555-0100 to 555-0199 are reserved for fiction, so some persons share a number.
    phone: `${area}5550${100 + (serial % 100)}`,
    date_of_birth_year: String(1950 + (serial % 55)),
  };
}

/** One step of a visit as the browser reports it. */
type VisitStep = {
  readonly kind: 'viewed' | 'answered' | 'refused' | 'submitted';
  readonly step: string;
  readonly answers: Answers;
  readonly at: Date;
  readonly seconds?: number;
  readonly refused?: readonly string[];
};

export type Inventing = {
  readonly timeZone: string;
  readonly surveys: ReadonlyMap<string, Found>;
  readonly lookUpZip: ZipLookup;
  readonly dateOfBirthStates: readonly string[];
};

/** Invents the beginnings of visits over 30 days, in order of time. */
export function beginnings(now: Date, perDay: number): Date[] {
  const times = Array.from({ length: perDay * DAYS }, () => Math.random() * DAYS * DAY_MS);
  return times.sort((a, b) => b - a).map((ago) => new Date(now.getTime() - 30_000 - ago));
}

/** Invents one visit. `answers` are all on the way, or undefined if the visitor left. */
export function inventVisit(inventing: Inventing, began: Date, serial: number) {
  const { name, phones, haste, surveys } = pickEarly(sources);
  const found = inventing.surveys.get(`/survey/${pick(surveys)}`);
  if (!found) throw new Error('A survey of the history is not in the table');
  const { survey } = found;
  const typed = inventPerson(serial);
  const arm = survey.path === EXPERIMENT.survey ? pick(EXPERIMENT.arms) : undefined;
  return {
    began,
    survey,
    typed,
    referrer: name && `https://www.${name}.com/`,
    query: name && `?utm_source=${name}&s1=${name}-ads&affid=${pick([389, 212, 107])}`,
    userAgent: chance(phones) ? phoneBrowser : desktopBrowser,
    // 198.18.0.0/15 is reserved for measurements.
    address: `198.18.${(serial >> 8) & 255}.${serial & 255}`,
    variants: arm === undefined ? '' : `${EXPERIMENT.id}.${arm}`,
    ...walkAsVisitor(inventing, {
      ...found,
      typed,
      haste: arm === 'rounded' ? 0.7 * haste : haste,
      began,
    }),
  };
}

/** How likely a visitor leaves at a step, and how long it takes, in seconds, by kind of screen. */
const manners: Readonly<Record<string, readonly [leaves: number, seconds: number]>> = {
  choice: [0.035, 4],
  description: [0.08, 38],
  contact: [0.13, 24],
};
const refusedFields = ['phone', 'email', 'zip_code', 'last_name'];

type Found = { readonly survey: Survey; readonly flow: Flow };
type Typed = Readonly<Record<string, string>>;

function walkAsVisitor(
  inventing: Inventing,
  { survey, flow, typed, began, haste }: Found & { typed: Typed; began: Date; haste: number },
) {
  const today = calendarDate(began, inventing.timeZone);
  const settings = { dateOfBirthStates: inventing.dateOfBirthStates };
  const context = { today, survey: surveyFacts(survey), settings, state: undefined };
  const { state } = inventing.lookUpZip(typed.zip_code ?? '');
  const steps: VisitStep[] = [];
  let at = began.getTime();
  let known: Answers = {};
  const add = (kind: VisitStep['kind'], step: string, more: Partial<VisitStep> = {}) =>
    steps.push({ kind, step, answers: {}, ...more, at: new Date(at) });
  for (let name: string | undefined = flow.start; name !== undefined; ) {
    const step = stepOf(flow, name);
    if (step.ends === true) break;
    const [leaves, usual] = manners[step.kind] ?? [0.06, 10];
    add('viewed', name);
    // Many leave at the first question.
    if (chance((name === flow.start ? leaves + 0.2 : leaves) * haste)) break;
    // Most take about the usual time, a few much longer.
    const seconds = Math.round(usual * 3 ** (2 * Math.random() - 1));
    at += seconds * 1_000;
    const refused = fieldsOf(step).filter((field) => refusedFields.includes(field));
    if (refused.length > 0 && chance(0.12)) {
      add('refused', name, { refused: [pick(refused)] });
      at += 9_000;
    }
    const answers = answersAt(name, step, { today, typed, state });
    known = { ...known, ...step.sets, ...answers };
    add(step.submits === true ? 'submitted' : 'answered', name, { answers, seconds });
    if (step.submits === true) return { steps, answers: known, ended: new Date(at) };
    name = nextStep(flow, name, known, context);
  }
  return { steps, answers: undefined, ended: new Date(at) };
}

/** The answers of a case that firms want. Most visitors have one: the ads are for them. */
const goodCase: Readonly<Record<string, string>> = {
  accident_type: 'Car Accident',
  at_Fault: 'no',
  partial_fault: 'no',
  physical_injury: 'Yes',
  doctor_treatment: 'yes',
  required_medical_treatment: 'yes',
  with_Lawyer: 'no',
  pending_dui_charges: 'no',
};

function answersAt(
  name: string,
  step: Step,
  { today, typed, state }: { today: CalendarDate; typed: Typed; state: string },
): Answers {
  const samples = testSamples(today)(name, step) ?? step.choices ?? [{}];
  const good = chance(0.85) ? samples.find(isGood) : undefined;
  const own: Record<string, string> = { ...(good ?? pick(samples)) };
  const dated = dateAnswers(today, pick([3, 12, 40, 90, 240, 420, 800])) as Typed;
  for (const field of [...(step.asks ?? []), ...(step.optional ?? [])]) {
    const { values } = askedFields[field] as AskedField;
    const value = dated[field] ?? typed[field] ?? own[field] ?? values?.[0];
    if (value !== undefined) own[field] = value;
  }
  if (step.finds?.includes('state')) own.state = state;
  const asked = new Set<string>(fieldsOf(step));
  const answers = Object.entries(own).filter(([field]) => asked.has(field));
  return { ...Object.fromEntries(answers), ...impliedBy(step, Object.fromEntries(answers)) };
}

function isGood(sample: Answers): boolean {
  return Object.entries(sample).every(([field, value]) => (goodCase[field] ?? value) === value);
}
