import type { Flow } from '../../src/model/flows/engine/flow.ts';

import { flowLoaders, type Survey, surveyAt } from '../../src/model/flows/surveys.ts';
import { type FlowName, type SurveyTableRow, surveyTable } from './tables.ts';

/** A survey of the brief, with the survey and the flow in `src/` at the same path. */
export type SurveyRow = SurveyTableRow & { readonly survey: Survey; readonly data: Flow };

export const surveyRows: readonly SurveyRow[] = await Promise.all(
  surveyTable.map(async (row) => {
    const survey = surveyAt(row.path);
    if (!survey) throw new Error(`no survey at ${row.path}`);
    return { ...row, survey, data: await flowLoaders[survey.flow]() };
  }),
);

/** Returns the first survey of a flow. */
export function surveyOf(flow: FlowName): SurveyRow {
  const row = surveyRows.find((each) => each.flow === flow);
  if (!row) throw new Error(`no survey of ${flow}`);
  return row;
}
