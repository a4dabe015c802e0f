import type { Answers } from '../../src/model/fields/answers.ts';
import { askedFields } from '../../src/model/fields/asked-fields.ts';
import { type CalendarDate, calendarDate } from '../../src/model/fields/dates.ts';
import {
  type Flow,
  fieldsOf,
  impliedBy,
  type Step,
  stepOf,
} from '../../src/model/flows/engine/flow.ts';
import { nextStep } from '../../src/model/flows/engine/walk.ts';
import { type Survey, surveyFacts } from '../../src/model/flows/surveys.ts';
import {
  dateAnswers,
  testSamples,
  typedAnswers,
} from '../../src/model/flows/test-support/samples.ts';
import type { ZipCheck } from '../../src/model/lead/context.ts';
import type { Settings } from '../../src/server/settings/settings.ts';

export const chance = (probability: number) => Math.random() < probability;

/** Returns a random item. Early items are more likely than late items. */
const pickEarly = <Item>(items: readonly Item[]) =>
  items[Math.floor(Math.random() ** 2 * items.length)] as Item;
const pick = <Item>(items: readonly Item[]) =>
  items[Math.floor(Math.random() * items.length)] as Item;

export const DAYS = 30;
const DAY_MS = 86_400_000;

/** The sources of visits. A higher `haste` makes it more likely that a visitor leaves. */
const sources = [
  { name: 'google', haste: 0.8, surveys: ['v5', 'v4', 'short'] },
  { name: 'facebook', haste: 1, surveys: ['v5', 'fb', 'es', 'v7'] },
  { name: 'tiktok', haste: 1.7, surveys: ['tt', 'v5'] },
  { name: '', haste: 0.9, surveys: ['v4', 'v5'] },
];

const first = 'James Mary Robert Patricia José Carmen'.split(' ');
const last = 'Smith Johnson Williams Brown García Martínez'.split(' ');
/** Zip codes, each with a telephone area code in the same region. */
const places = '77002-713 90012-213 33101-305 10001-212 60601-312 30303-404 85004-602'.split(' ');
const browsers = ['Linux; Android 16; Pixel 9', 'Windows NT 10.0; Win64; x64'].map(
  (system) =>
    `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36`,
);

/** Invents the answers that a visitor types. `serial` makes the e-mail address unique. */
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
    // Only the phone numbers 555-0100 to 555-0199 are reserved for fiction.
    phone: `${area}5550${100 + (serial % 100)}`,
    date_of_birth_year: String(1950 + (serial % 55)),
  };
}

export type Inventing = {
  readonly settings: Settings;
  readonly surveys: ReadonlyMap<string, { readonly survey: Survey; readonly flow: Flow }>;
  readonly checkZip: ZipCheck;
};

/** Invents one visit. The visit has no `answers` if the visitor left before the end. */
export function inventVisit({ settings, surveys, checkZip }: Inventing, now: Date, serial: number) {
  const began = new Date(now.getTime() - 30_000 - Math.random() * DAYS * DAY_MS);
  const { name, haste, surveys: paths } = pickEarly(sources);
  const found = surveys.get(`/survey/${pick(paths)}`);
  if (!found) throw new Error('A survey of the history is not in the table');
  const { survey, flow } = found;
  const typed = inventPerson(serial);
  const place = checkZip(typed.zip_code ?? '');
  const today = calendarDate(began, settings.timeZone);
  const context = {
    today,
    survey: surveyFacts(survey),
    settings: { dateOfBirthStates: settings.site.dateOfBirthStates },
    state: undefined,
  };
  const steps: { kind: string; step: string; answers: Answers; at: Date; seconds?: number }[] = [];
  let at = began.getTime();
  let answers: Answers = {};
  let isSubmitted = false;
  for (let step = flow.start as string | undefined; step !== undefined && !isSubmitted; ) {
    const screen = stepOf(flow, step);
    if (screen.ends === true) break;
    steps.push({ kind: 'viewed', step, answers: {}, at: new Date(at) });
    if (chance((step === flow.start ? 0.25 : 0.06) * haste)) break;
    const seconds = Math.round(10 * 3 ** (2 * Math.random() - 1));
    at += seconds * 1_000;
    isSubmitted = screen.submits === true;
    const own = answersAt(step, screen, { today, typed, state: place.state });
    answers = { ...answers, ...screen.sets, ...own };
    const kind = isSubmitted ? 'submitted' : 'answered';
    steps.push({ kind, step, answers: own, at: new Date(at), seconds });
    step = nextStep(flow, step, answers, context);
  }
  return {
    began,
    ended: new Date(at),
    survey,
    place,
    steps,
    answers: isSubmitted ? answers : undefined,
    referrer: name && `https://www.${name}.com/`,
    query: name && queryOf(name),
    userAgent: pickEarly(browsers),
    // The IP addresses in 198.18.0.0/15 are reserved for benchmarks.
    address: `198.18.${(serial >> 8) & 255}.${serial & 255}`,
  };
}

/** Invents the query of an ad click. Clicks from Google name what they cost. */
function queryOf(source: string): string {
  const campaign = pick(['spring', 'trucks', 'espanol']);
  const cost = source === 'google' ? `&cost=${(25 + 40 * Math.random()).toFixed(2)}` : '';
  const affiliate = pick([389, 212, 107]);
  return `?utm_source=${source}&utm_campaign=${campaign}&s1=${source}-ads&affid=${affiliate}${cost}`;
}

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
  { today, typed, state }: { today: CalendarDate; typed: Answers; state: string },
): Answers {
  const isGood = (sample: Answers) =>
    Object.entries(sample).every(([field, value]) => (goodCase[field] ?? value) === value);
  const samples = testSamples(today)(name, step) ?? step.choices ?? [{}];
  const good = chance(0.85) ? samples.find(isGood) : undefined;
  const given = { ...typed, ...dateAnswers(today, pick([3, 12, 40, 90, 240, 420, 800])) };
  const own: Record<string, string | undefined> = { ...(good ?? pick(samples)) };
  for (const field of [...(step.asks ?? []), ...(step.optional ?? [])]) {
    own[field] = given[field] ?? own[field] ?? askedFields[field].values?.[0];
  }
  if (step.finds?.includes('state')) own.state = state;
  const asked = fieldsOf(step).filter((field) => own[field] !== undefined);
  const answers: Answers = Object.fromEntries(asked.map((field) => [field, own[field]]));
  return { ...answers, ...impliedBy(step, answers) };
}
