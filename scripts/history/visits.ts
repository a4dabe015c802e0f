/** Invents the visits of the demo's history: when, from where, how far, and with which answers. */
import type { Answers } from '../../src/domain/answers.ts';
import { type AskedField, askedFields } from '../../src/domain/asked-fields.ts';
import { type CalendarDate, calendarDate } from '../../src/domain/dates.ts';
import { type Flow, fieldsOf, impliedBy, type Step, stepOf } from '../../src/flows/engine/flow.ts';
import { nextStep, type WalkContext } from '../../src/flows/engine/walk.ts';
import { type Survey, surveyFacts } from '../../src/flows/surveys.ts';
import { dateAnswers, testSamples } from '../../src/flows/test-support/samples.ts';
import type { ZipLookup } from '../../src/intake/context.ts';
import { type Browser, invent, type Person } from './people.ts';
import type { Random } from './random.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Weights of a day's hours and a week's days (from Sunday) in the operators' time zone. */
const hours = [2, 1, 1, 1, 1, 2, 4, 6, 8, 10, 11, 11, 12, 11, 11, 10, 10, 11, 12, 12, 11, 9, 6, 4];
const weekdays = [0.72, 1.12, 1.1, 1.06, 1.04, 1.0, 0.8];

/** The sources, each with its parameters, surveys, devices and how likely its visitors are to leave. */
type Source = {
  readonly weight: number;
  readonly query: Readonly<Record<string, string>>;
  readonly referer: string;
  readonly surveys: Readonly<Record<string, number>>;
  readonly affiliates: Readonly<Record<string, number>>;
  readonly phones: number;
  /** Multiplies every probability of leaving. */
  readonly haste: number;
};
const sources: Readonly<Record<string, Source>> = {
  google: {
    weight: 34,
    query: { utm_source: 'google', utm_medium: 'cpc', s1: 'g-search' },
    referer: 'https://www.google.com/',
    surveys: { '/survey/v5': 60, '/survey/v4': 20, '/survey/es': 8, '/survey/short': 12 },
    affiliates: { 389: 70, 212: 30 },
    phones: 0.6,
    haste: 0.8,
  },
  facebook: {
    weight: 28,
    query: { utm_source: 'facebook', utm_medium: 'paid', s1: 'fb-lal' },
    referer: 'https://l.facebook.com/',
    surveys: { '/survey/v5': 52, '/survey/fb': 20, '/survey/es': 16, '/survey/v7': 12 },
    affiliates: { 107: 60, 340: 40 },
    phones: 0.86,
    haste: 1.05,
  },
  tiktok: {
    weight: 15,
    query: { utm_source: 'tiktok', utm_medium: 'paid', s1: 'tt-spark' },
    referer: 'https://www.tiktok.com/',
    surveys: { '/survey/tt': 85, '/survey/v5': 15 },
    affiliates: { 252: 100 },
    phones: 0.97,
    haste: 1.7,
  },
  bing: {
    weight: 8,
    query: { utm_source: 'bing', utm_medium: 'cpc', s1: 'b-search' },
    referer: 'https://www.bing.com/',
    surveys: { '/survey/v5': 50, '/survey/v4': 50 },
    affiliates: { 212: 100 },
    phones: 0.3,
    haste: 0.75,
  },
  direct: {
    weight: 15,
    query: {},
    referer: '',
    surveys: { '/survey/v4': 50, '/survey/v5': 30, '/ticket': 20 },
    affiliates: { '': 100 },
    phones: 0.55,
    haste: 0.95,
  },
};

/** The experiment of the demo's setting EXPERIMENTS, and how much less its second variant's visitors leave. */
export const EXPERIMENT = {
  id: 'buttons',
  survey: '/survey/v5',
  arms: ['plain', 'rounded'],
} as const;
const ROUNDED_HASTE = 0.7;

/** One step of a visit as the browser reports it. */
export type VisitStep = {
  readonly kind: 'viewed' | 'answered' | 'back' | 'refused' | 'submitted';
  readonly step: string;
  readonly answers: Answers;
  readonly at: Date;
  readonly seconds?: number;
  readonly refused?: readonly string[];
};
export type InventedVisit = {
  readonly began: Date;
  readonly survey: Survey;
  readonly variants: string;
  readonly href: string;
  readonly referer: string;
  readonly person: Person;
  readonly steps: readonly VisitStep[];
  /** All answers on the way; undefined: the visitor left. */
  readonly answers: Answers | undefined;
  readonly ended: Date;
};

export type SurveyFlow = { readonly survey: Survey; readonly flow: Flow };
export type Inventing = {
  readonly random: Random;
  readonly now: Date;
  readonly timeZone: string;
  readonly surveys: ReadonlyMap<string, SurveyFlow>;
  readonly lookUpZip: ZipLookup;
  readonly dateOfBirthStates: readonly string[];
  readonly origin: string;
};

/** Invents the beginnings of visits over 30 days, in order of time: weekdays, hours and a slow growth. */
export function beginnings({ random, now, timeZone }: Inventing, perDay: number): Date[] {
  const hourOf = (at: Date) =>
    Number(
      new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(at),
    );
  const offset = ((hourOf(now) - now.getUTCHours() + 36) % 24) - 12;
  const found: Date[] = [];
  for (let day = DAYS - 1; day >= 0; day -= 1) {
    const midnight =
      Math.floor((now.getTime() + offset * 3_600_000) / DAY_MS) * DAY_MS - day * DAY_MS;
    const weekday = weekdays[new Date(midnight).getUTCDay()] ?? 1;
    const visits = perDay * weekday * (1 - 0.008 * day) * (0.9 + 0.2 * random.next());
    for (let visit = 0; visit < visits; visit += 1) {
      const weights = Object.fromEntries(hours.map((weight, hour) => [String(hour), weight]));
      const hour = Number(random.weighted(weights));
      const at = midnight + (hour - offset + random.next()) * 3_600_000;
      if (at < now.getTime() - 30_000) found.push(new Date(at));
    }
  }
  return found.sort((one, other) => one.getTime() - other.getTime());
}

/** Invents one visit. */
export function inventVisit(inventing: Inventing, began: Date, serial: number): InventedVisit {
  const { random, surveys, origin } = inventing;
  const name = random.weighted(mapped(sources, ({ weight }) => weight));
  const source = sources[name] as Source;
  const { survey, flow } = surveys.get(random.weighted(source.surveys)) as SurveyFlow;
  const browser: Browser = random.chance(source.phones)
    ? random.pick(['iphone', 'iphone', 'android', 'android', 'ipad'])
    : random.pick(['windows', 'windows', 'mac']);
  const person = invent(random, serial, { language: survey.language, browser });
  const arm = survey.path === EXPERIMENT.survey ? random.pick(EXPERIMENT.arms) : undefined;
  const affid = random.weighted(source.affiliates);
  const query = new URLSearchParams({ ...source.query, ...(affid && { affid }) });
  const haste = source.haste * (arm === 'rounded' ? ROUNDED_HASTE : 1);
  return {
    began,
    survey,
    person,
    variants: arm === undefined ? '' : `${EXPERIMENT.id}.${arm}`,
    href: `${origin}${survey.path}${query.size > 0 ? `?${query}` : ''}`,
    referer: source.referer,
    ...walkAsVisitor(inventing, { survey, flow, person, haste, began }),
  };
}

function mapped<Value>(
  values: Readonly<Record<string, Value>>,
  to: (value: Value) => number,
): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, to(value)]));
}

/** How likely a visitor leaves at a step, and how long it takes, in seconds, by kind of screen. */
const manners: Readonly<Record<string, { readonly leaves: number; readonly seconds: number }>> = {
  choice: { leaves: 0.035, seconds: 4 },
  'case-worth': { leaves: 0.05, seconds: 6 },
  'accident-date': { leaves: 0.05, seconds: 9 },
  description: { leaves: 0.08, seconds: 38 },
  'date-of-birth': { leaves: 0.06, seconds: 12 },
  contact: { leaves: 0.13, seconds: 24 },
  form: { leaves: 0.09, seconds: 18 },
};
const FIRST_STEP_LEAVES = 0.2;
const GOES_BACK = 0.03;
const IS_REFUSED = 0.12;
/** Fields that are refused now and then, by how often. */
const refusedFields = { phone: 5, email: 3, zip_code: 2, last_name: 1 } as const;

type Walking = Pick<InventedVisit, 'survey' | 'person' | 'began'> & {
  readonly flow: Flow;
  readonly haste: number;
};

function walkAsVisitor(
  { random, timeZone, lookUpZip, dateOfBirthStates }: Inventing,
  { survey, flow, person, haste, began }: Walking,
): Pick<InventedVisit, 'steps' | 'answers' | 'ended'> {
  const today = calendarDate(began, timeZone);
  const context: WalkContext = {
    today,
    survey: surveyFacts(survey),
    settings: { dateOfBirthStates },
    state: undefined,
  };
  const state = lookUpZip(person.zip).state;
  const steps: VisitStep[] = [];
  let at = began.getTime();
  let known: Answers = {};
  const add = (entry: Omit<VisitStep, 'at'>) => steps.push({ ...entry, at: new Date(at) });
  const left = () => ({ steps, answers: undefined, ended: new Date(at) });
  for (let name: string | undefined = flow.start; name !== undefined; ) {
    const step = stepOf(flow, name);
    if (step.ends === true) break;
    const { leaves, seconds } = manners[step.kind] ?? { leaves: 0.05, seconds: 8 };
    add({ kind: 'viewed', step: name, answers: {} });
    const first = name === flow.start ? FIRST_STEP_LEAVES : 0;
    if (random.chance(Math.min(0.9, (leaves + first) * haste))) return left();
    const stay = random.logNormal(seconds, 1.8);
    at += stay * 1_000;
    const own = answersAt(random, name, step, { today, person, state });
    const refused = fieldsOf(step).filter((field) => field in refusedFields);
    if (refused.length > 0 && random.chance(IS_REFUSED)) {
      add({ kind: 'refused', step: name, answers: {}, refused: [random.pick(refused)] });
      at += random.logNormal(9, 1.6) * 1_000;
    }
    const before = steps.findLast((entry) => entry.kind === 'answered');
    if (before !== undefined && random.chance(GOES_BACK)) {
      add({ kind: 'back', step: name, answers: {} });
      add({ kind: 'viewed', step: before.step, answers: {} });
      at += random.logNormal(5, 1.6) * 1_000;
      add({ ...before, seconds: 5 });
      add({ kind: 'viewed', step: name, answers: {} });
      at += random.logNormal(seconds, 1.6) * 1_000;
    }
    const kind = step.submits === true ? 'submitted' : 'answered';
    add({ kind, step: name, answers: own, seconds: Math.round(stay) });
    known = { ...known, ...step.sets, ...own };
    if (kind === 'submitted') return { steps, answers: known, ended: new Date(at) };
    name = nextStep(flow, name, known, context);
    at += 400;
  }
  return left();
}

/** The answers of a case that firms want. Most visitors have one: the ads are for them. */
const goodCase: Answers = {
  accident_type: 'Car Accident',
  at_Fault: 'no',
  partial_fault: 'no',
  physical_injury: 'Yes',
  doctor_treatment: 'yes',
  required_medical_treatment: 'yes',
  with_Lawyer: 'no',
  pending_dui_charges: 'no',
  police_report: 'yes',
  hit_and_run: 'no',
};

function answersAt(
  random: Random,
  name: string,
  step: Step,
  { today, person, state }: { today: CalendarDate; person: Person; state: string },
): Answers {
  const samples = testSamples(today)(name, step) ?? step.choices ?? [{}];
  const weights = Object.fromEntries(
    samples.map((sample, index) => [String(index), weightOf(sample)]),
  );
  const own: Record<string, string> = { ...samples[Number(random.weighted(weights))] };
  const dated = dateAnswers(today, random.pick([3, 12, 40, 90, 160, 240, 300, 420, 800])) as Record<
    string,
    string
  >;
  for (const field of [...(step.asks ?? []), ...(step.optional ?? [])]) {
    const { values } = askedFields[field] as AskedField;
    const value = dated[field] ?? person.typed[field] ?? own[field] ?? values?.[0];
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
  const entries = Object.entries(sample) as [keyof Answers, string][];
  return entries.reduce((weight, [field, value]) => {
    const good = goodCase[field];
    return good === undefined ? weight : weight * (good === value ? 9 : 0.8);
  }, 1);
}
