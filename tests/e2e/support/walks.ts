import { askedFields } from '../../../src/domain/asked-fields.ts';
import { fieldsOf, stepOf } from '../../../src/flows/engine/flow.ts';
import type { FlowPath } from '../../../src/flows/engine/paths.ts';
import { disqualifiedWay, qualifiedWay } from '../../support/ways.ts';
import { type Journey, journeyAt } from './journeys.ts';
import { testSurveys } from './survey-table.ts';

/** A visitor's walk through a survey. */
export type Walk = Journey & {
  readonly title: string;
  readonly way: FlowPath;
  readonly isQualified: boolean;
};

const journeys = await Promise.all(testSurveys.map(({ path }) => journeyAt(path)));

/**
 * The walks through every survey: by a visitor who qualifies and, if the survey asks for a reason,
 * by one who does not.
 */
export const allWalks: readonly Walk[] = journeys.flatMap((journey) => {
  const { survey, flow, context } = journey;
  const walk = (isQualified: boolean, way: FlowPath) => {
    const who = isQualified ? 'a visitor who qualifies' : 'a visitor who does not';
    return { ...journey, way, isQualified, title: `${survey.path}: ${who}` };
  };
  const disqualified = disqualifiedWay(flow, context)?.way;
  return [
    walk(true, qualifiedWay(flow, context)),
    ...(disqualified ? [walk(false, disqualified)] : []),
  ];
});

/** Returns whether the walk ends with a lead. */
export function sendsLead({ flow, way }: Walk): boolean {
  return way.steps.some((name) => stepOf(flow, name).submits === true);
}

/** Returns what browsers may handle differently in a walk: the kinds of its screens and fields. */
export function kindsIn({ flow, way }: Walk): string[] {
  return way.steps.flatMap((name) => {
    const step = stepOf(flow, name);
    const fields = fieldsOf(step).map((field) => askedFields[field].kind);
    return [`${step.kind} ${step.submits === true}`, ...fields];
  });
}
