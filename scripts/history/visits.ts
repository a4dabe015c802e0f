/** Invents the visits of the demo's history: who came when, from where, how far, and with which answers. */
import type { Answers } from '../../src/domain/answers.ts';
import { type AskedField, askedFields } from '../../src/domain/asked-fields.ts';
import { type CalendarDate, calendarDate } from '../../src/domain/dates.ts';
import { type Flow, fieldsOf, impliedBy, type Step, stepOf } from '../../src/flows/engine/flow.ts';
import { nextStep } from '../../src/flows/engine/walk.ts';
import { type Survey, surveyFacts } from '../../src/flows/surveys.ts';
import { dateAnswers, testSamples } from '../../src/flows/test-support/samples.ts';
import type { ZipLookup } from '../../src/intake/context.ts';

export const chance = (probability: number) => Math.random() < probability;

/** Returns a whole number, including `from` but not `to`. */
const integer = (from: number, to: number) => from + Math.floor(Math.random() * (to - from));

const pick = <Item>(items: readonly Item[]) => items[integer(0, items.length)] as Item;

/** Returns a key, by its weight. */
function weighted(weights: Readonly<Record<string, number>>): string {
  const entries = Object.entries(weights);
  let at = Math.random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  const drawn = entries.find(([, weight]) => {
    at -= weight;
    return at < 0;
  });
  return (drawn ?? entries[0])?.[0] ?? '';
}

/** Returns a number around the median; one in twenty is beyond `spread` squared times the median. */
function logNormal(median: number, spread: number): number {
  const normal =
    Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
  return median * spread ** normal;
}

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Weights of a day's hours, and of a week's days from Sunday. */
const hours = [2, 1, 1, 1, 1, 2, 4, 6, 8, 10, 11, 11, 12, 11, 11, 10, 10, 11, 12, 12, 11, 9, 6, 4];
const weekdays = [0.72, 1.12, 1.1, 1.06, 1.04, 1, 0.8];

/**
 * Each source with its weight, its share of phones, a factor of every probability of leaving, and its surveys and
 * affiliates by weight.
 */
const sources: Readonly<Record<string, string>> = {
  google: '34 0.6 0.8 /survey/v5=60,/survey/v4=20,/survey/es=8,/survey/short=12 389=70,212=30',
  facebook: '28 0.86 1.05 /survey/v5=52,/survey/fb=20,/survey/es=16,/survey/v7=12 107=60,340=40',
  tiktok: '15 0.97 1.7 /survey/tt=85,/survey/v5=15 252=100',
  bing: '8 0.3 0.75 /survey/v5=50,/survey/v4=50 212=100',
  direct: '15 0.55 0.95 /survey/v4=50,/survey/v5=30,/ticket=20 =100',
};

const shares = Object.fromEntries(
  Object.entries(sources).map(([name, text]) => [name, Number.parseInt(text, 10)]),
);

/** Returns weights by name, written as `a=1,b=2`. */
function weightsOf(text = ''): Record<string, number> {
  const pairs = text.split(',').map((pair) => pair.split('='));
  return Object.fromEntries(pairs.map(([name = '', weight]) => [name, Number(weight)]));
}

/** The experiment of the demo's setting EXPERIMENTS. Visitors of its second variant leave less. */
export const EXPERIMENT = { id: 'buttons', survey: '/survey/v5', arms: ['plain', 'rounded'] };
const ROUNDED_HASTE = 0.7;

const first = 'James Mary Robert Patricia Jennifer Michael Linda David Elizabeth José Carmen Luis';
const last = 'Smith Johnson Williams Brown Davis Wilson Anderson Walker García Martínez López';
/** Zip codes with an area code of their region. The first ones are picked more often. */
const places = (
  '77002-713 90012-213 33101-305 10001-212 60601-312 30303-404 85004-602 89101-702 19103-215 43215-614 ' +
  '28202-704 98101-206 80202-303 29201-803 46204-317'
).split(' ');
const descriptions = {
  en: [
    'I was stopped at a red light when another driver hit my car from behind and my neck hurts.',
    'A pickup ran a stop sign and struck the passenger side. I have had back pain since.',
    'The other driver changed lanes without looking and pushed us into the barrier.',
  ],
  es: [
    'Estaba parado en un semáforo y otro conductor me golpeó por detrás. Me duele el cuello.',
    'Una camioneta no respetó el alto y chocó mi puerta. Tengo dolor de espalda desde entonces.',
  ],
};
const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1';
const phoneBrowsers = [
  `Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) ${SAFARI} Mobile/15E148 Safari/604.1`,
  'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Mobile Safari/537.36',
  `Mozilla/5.0 (iPad; CPU OS 19_1 like Mac OS X) ${SAFARI} Safari/604.1`,
];
const desktopBrowsers = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36',
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Safari/605.1.15`,
];

/** Invents what a visitor types, by field. `serial` keeps two addresses apart; none belongs to anybody. */
function inventPerson(serial: number, language: 'en' | 'es'): Record<string, string> {
  const first_name = pick(first.split(' '));
  const last_name = pick(last.split(' '));
  const place = places[Math.floor(Math.random() ** 2 * places.length)] ?? '';
  const [zip_code = '', area = ''] = place.split('-');
  const name = `${first_name}.${last_name}`
    .normalize('NFD')
    .replace(/[^\w.]/g, '')
    .toLowerCase();
  return {
    first_name,
    last_name,
    zip_code,
    email: `${name}.${serial}@example.com`,
    // 555-0100 to 555-0199 are reserved for fiction, so some persons share a number.
    phone: `${area}5550${100 + (serial % 100)}`,
    case_description: pick(descriptions[language]),
    law_firm_name: 'Garcia and Lopez Law',
    current_compensation: String(1_000 * integer(2, 60)),
    address: `${integer(10, 9_900)} ${pick(['Main', 'Oak', 'Cedar', 'Lake', 'Hill'])} Street`,
    date_of_birth_month: String(integer(1, 13)).padStart(2, '0'),
    date_of_birth_day: String(integer(1, 28)).padStart(2, '0'),
    date_of_birth_year: String(1950 + integer(0, 55)),
  };
}

/** One step of a visit as the browser reports it. */
export type VisitStep = {
  readonly kind: 'viewed' | 'answered' | 'back' | 'refused' | 'submitted';
  readonly step: string;
  readonly answers: Answers;
  readonly at: Date;
  readonly seconds?: number;
  readonly refused?: readonly string[];
};

export type Inventing = {
  readonly now: Date;
  readonly timeZone: string;
  readonly surveys: ReadonlyMap<string, Found>;
  readonly lookUpZip: ZipLookup;
  readonly dateOfBirthStates: readonly string[];
  readonly origin: string;
};

/** Invents the beginnings of visits over 30 days, in order of time, by the hours and weekdays of the operators. */
export function beginnings({ now, timeZone }: Inventing, perDay: number): Date[] {
  const found: Date[] = [];
  while (found.length < perDay * DAYS) {
    const at = new Date(now.getTime() - 30_000 - Math.random() * DAYS * DAY_MS);
    const local = new Date(at.toLocaleString('en-US', { timeZone }));
    const weight = (hours[local.getHours()] ?? 0) * (weekdays[local.getDay()] ?? 0);
    if (chance(weight / 14)) found.push(at);
  }
  return found.sort((one, other) => one.getTime() - other.getTime());
}

/** Invents one visit. `answers` are all on the way, or undefined if the visitor left. */
export function inventVisit(inventing: Inventing, began: Date, serial: number) {
  const source = weighted(shares);
  const [, phones, hasteOf, paths, affiliates] = sources[source]?.split(' ') ?? [];
  const found = inventing.surveys.get(weighted(weightsOf(paths)));
  if (!found) throw new Error('A survey of the history is not in the table');
  const { survey } = found;
  const typed = inventPerson(serial, survey.language);
  const arm = survey.path === EXPERIMENT.survey ? pick(EXPERIMENT.arms) : undefined;
  const affid = weighted(weightsOf(affiliates));
  const query = source === 'direct' ? '' : `?utm_source=${source}&s1=${source}-ads&affid=${affid}`;
  const haste = Number(hasteOf) * (arm === 'rounded' ? ROUNDED_HASTE : 1);
  return {
    began,
    survey,
    typed,
    referer: source === 'direct' ? '' : `https://www.${source}.com/`,
    userAgent: pick(chance(Number(phones)) ? phoneBrowsers : desktopBrowsers),
    // 198.18.0.0/15 is reserved for measurements.
    address: `198.18.${(serial >> 8) & 255}.${serial & 255}`,
    variants: arm === undefined ? '' : `${EXPERIMENT.id}.${arm}`,
    href: inventing.origin + survey.path + query,
    ...walkAsVisitor(inventing, { ...found, typed, haste, began }),
  };
}

/** How likely a visitor leaves at a step, and how long it takes, in seconds, by kind of screen. */
const manners: Readonly<Record<string, readonly [leaves: number, seconds: number]>> = {
  choice: [0.035, 4],
  'case-worth': [0.05, 6],
  'accident-date': [0.05, 9],
  description: [0.08, 38],
  'date-of-birth': [0.06, 12],
  contact: [0.13, 24],
  form: [0.09, 18],
};
const FIRST_STEP_LEAVES = 0.2;
const GOES_BACK = 0.03;
const IS_REFUSED = 0.12;
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
  const wait = (seconds: number) => {
    const stay = logNormal(seconds, 1.8);
    at += stay * 1_000;
    return Math.round(stay);
  };
  for (let name: string | undefined = flow.start; name !== undefined; ) {
    const step = stepOf(flow, name);
    if (step.ends === true) break;
    const [leaves, usual] = manners[step.kind] ?? [0.05, 8];
    add('viewed', name);
    if (chance(Math.min(0.9, (leaves + (name === flow.start ? FIRST_STEP_LEAVES : 0)) * haste)))
      break;
    const seconds = wait(usual);
    const refused = fieldsOf(step).filter((field) => refusedFields.includes(field));
    if (refused.length > 0 && chance(IS_REFUSED)) {
      add('refused', name, { refused: [pick(refused)] });
      wait(9);
    }
    if (chance(GOES_BACK)) {
      add('back', name);
      add('viewed', flow.start);
      wait(5);
      add('answered', flow.start, { seconds: 5 });
      add('viewed', name);
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
const goodCase: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'accident_type=Car Accident,at_Fault=no,partial_fault=no,physical_injury=Yes,doctor_treatment=yes,' +
    'required_medical_treatment=yes,with_Lawyer=no,pending_dui_charges=no,police_report=yes,hit_and_run=no'
  )
    .split(',')
    .map((answer) => answer.split('=')),
);

function answersAt(
  name: string,
  step: Step,
  { today, typed, state }: { today: CalendarDate; typed: Typed; state: string },
): Answers {
  const samples = testSamples(today)(name, step) ?? step.choices ?? [{}];
  const own: Record<string, string> = {
    ...samples[Number(weighted(Object.fromEntries(samples.map(weightOf).entries())))],
  };
  const days = pick([3, 12, 40, 90, 160, 240, 300, 420, 800]);
  const dated = dateAnswers(today, days) as Record<string, string>;
  for (const field of [...(step.asks ?? []), ...(step.optional ?? [])]) {
    const { values } = askedFields[field] as AskedField;
    const value = dated[field] ?? typed[field] ?? own[field] ?? values?.[0];
    if (value !== undefined) own[field] = value;
  }
  if (step.finds?.includes('state')) own.state = state;
  const asked = new Set<string>(fieldsOf(step));
  const answers: Answers = Object.fromEntries(
    Object.entries(own).filter(([field]) => asked.has(field)),
  );
  return { ...answers, ...impliedBy(step, answers) };
}

function weightOf(sample: Answers): number {
  return Object.entries(sample).reduce((weight, [field, value]) => {
    const good = goodCase[field];
    return good === undefined ? weight : weight * (good === value ? 9 : 0.8);
  }, 1);
}
