import type { Answers, AskedFieldName } from '../../src/model/fields/answers.ts';
import { askedFields } from '../../src/model/fields/asked-fields.ts';
import {
  type Flow,
  fieldsOf,
  impliedBy,
  type Step,
  stepOf,
} from '../../src/model/flows/engine/flow.ts';
import { nextStep, type WalkContext } from '../../src/model/flows/engine/walk.ts';
import type { FlowPath } from '../../src/model/flows/test-support/paths.ts';
import { dateAnswers, testSamples } from '../../src/model/flows/test-support/samples.ts';

/** The answers of a case that law firms accept. */
const goodCase: Answers = {
  accident_type: 'Car Accident',
  accident_date_button: 'Within 6 Months',
  at_Fault: 'no',
  partial_fault: 'no',
  physical_injury: 'Yes',
  specific_injury: 'Whiplash',
  injury_type: 'Whiplash',
  doctor_treatment: 'yes',
  required_medical_treatment: 'yes',
  when_seek_medical_treatment: 'first_week',
  with_Lawyer: 'no',
  pending_dui_charges: 'no',
  hit_and_run: 'no',
  police_report: 'yes',
  ageGroup: '26_to_49',
  isUSCitizen: 'yes',
};

/** The number of days since the accident, for which no rule about recent accidents applies. */
const ACCIDENT_DAYS_AGO = 200;

/** Answers that disqualify a visitor. */
const disqualifiers: readonly Answers[] = [
  { with_Lawyer: 'yes' },
  { at_Fault: 'yes' },
  { physical_injury: 'No' },
];

/** Returns how much a candidate's answers differ from `wishes`. A lower number is better. */
function distance(own: Answers, wishes: Answers): number {
  const values = Object.entries(own) as [AskedFieldName, string][];
  const wrong = values.filter(([field, value]) => {
    const wish = wishes[field];
    return wish !== undefined && wish !== value;
  }).length;
  const right = values.filter(([field, value]) => wishes[field] === value).length;
  // Of two candidates with equally good answers, the candidate with fewer answers is better.
  return wrong * 1000 - right * 10 + values.length;
}

/** Returns the answers of a step that differ least from `wishes`. */
function answersOf(name: string, step: Step, context: WalkContext, wishes: Answers): Answers {
  const samples = testSamples(context.today)(name, step) ?? step.choices ?? [{}];
  const [best = {}] = [...samples].sort((a, b) => distance(a, wishes) - distance(b, wishes));
  const asked = new Set<string>(fieldsOf(step));
  const dated = { ...dateAnswers(context.today, ACCIDENT_DAYS_AGO) } as Record<string, string>;
  const own: Record<string, string> = { ...best };
  for (const field of step.asks ?? []) {
    const values = askedFields[field].values;
    own[field] = dated[field] ?? (values && wishes[field]) ?? own[field] ?? values?.[0] ?? '';
  }
  for (const field of step.optional ?? []) {
    const value = dated[field];
    if (value !== undefined) own[field] = value;
  }
  const answers: Answers = Object.fromEntries(
    Object.entries(own).filter(([field]) => asked.has(field)),
  );
  return { ...answers, ...impliedBy(step, answers) };
}

/** Returns the path of a visitor whose answers differ least from `wishes`. */
function wayOf(flow: Flow, context: WalkContext, wishes: Answers): FlowPath {
  const steps: string[] = [];
  const answers: Record<string, Answers> = {};
  let known: Answers = {};
  for (let name: string | undefined = flow.start; name !== undefined; ) {
    const step = stepOf(flow, name);
    const own = answersOf(name, step, context, wishes);
    steps.push(name);
    answers[name] = own;
    known = { ...known, ...step.sets, ...own };
    name = nextStep(flow, name, known, context);
  }
  return { steps, answers };
}

/** Returns a qualified visitor's path. */
export function qualifiedWay(flow: Flow, context: WalkContext): FlowPath {
  return wayOf(flow, context, goodCase);
}

/** Returns a disqualified visitor's path, or undefined if no question disqualifies. */
export function disqualifiedWay(
  flow: Flow,
  context: WalkContext,
): { way: FlowPath; decisive: Answers } | undefined {
  const onTheWay = new Set<string>(
    qualifiedWay(flow, context).steps.flatMap((name) => fieldsOf(stepOf(flow, name))),
  );
  const decisive = disqualifiers.find((answers) => onTheWay.has(Object.keys(answers)[0] ?? ''));
  return decisive && { way: wayOf(flow, context, { ...goodCase, ...decisive }), decisive };
}

/** Returns a path with only the answers for which a step asks. */
export function answeredSteps(flow: Flow, way: FlowPath): FlowPath {
  const steps = way.steps.filter((name) => stepOf(flow, name).ends !== true);
  const answers = steps.map((name): [string, Answers] => {
    const asked = new Set<string>(fieldsOf(stepOf(flow, name)));
    const given = Object.entries(way.answers[name] ?? {});
    return [name, Object.fromEntries(given.filter(([field]) => asked.has(field)))];
  });
  return { steps, answers: Object.fromEntries(answers) };
}

/** Returns the text that docs/specification.md#hit-and-run adds to the description. */
export function hitAndRunAddition({ answers }: FlowPath): string {
  if (answers.HitAndRunIdentified?.hit_and_run_identified === 'yes') {
    return ' -- the driver was identified';
  }
  const isInsured = answers.UninsuredMotoristCoverage?.uninsured_motorist_coverage === 'yes';
  return isInsured ? ' -- plaintiff has UM insurance' : '';
}
