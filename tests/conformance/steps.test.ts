import { describe, expect, test } from 'vitest';
import { stepOf } from '../../src/model/flows/engine/flow.ts';
import { surveyRows } from './survey-rows.ts';
import { type FlowName, type StepRow, stepTable } from './tables.ts';

const flows = [...new Map(surveyRows.map((row) => [row.flow, row.data]))];

function rowOf(flow: FlowName, step: string): StepRow | undefined {
  const named = stepTable.filter((row) => row.steps.includes(step));
  return named.find((row) => row.flows?.includes(flow)) ?? named.find((row) => !row.flows);
}

const textsOf = (answers: readonly object[]) =>
  answers.map((each) => JSON.stringify(each)).toSorted();

describe('a step of a flow', () => {
  const steps = flows.flatMap(([flow, data]) =>
    Object.keys(data.steps).map((name) => ({ flow, data, name })),
  );

  test.each(steps)(
    'has the fields and answers of the specification ($name)',
    ({ flow, data, name }) => {
      const row = rowOf(flow, name);
      const message = `Add a row for ${name} to stepTable in tests/conformance/tables/steps.ts`;
      expect(row, message).toBeDefined();
      const { asks = [], optional = [], choices = [], sets = {}, finds = [] } = stepOf(data, name);
      expect(asks.toSorted()).toEqual(row?.asks.toSorted());
      expect(optional.toSorted()).toEqual(row?.mayAsk.toSorted());
      expect(textsOf(choices)).toEqual(textsOf(row?.answers ?? []));
      expect(sets).toEqual(row?.gives);
      expect(finds.toSorted()).toEqual(row?.finds.toSorted());
    },
  );

  test('exists for every step in stepTable', () => {
    const unused = stepTable.flatMap((row) =>
      (row.flows ?? [undefined]).flatMap((flow) =>
        row.steps.filter(
          (name) => !steps.some((step) => step.name === name && (!flow || step.flow === flow)),
        ),
      ),
    );
    expect(unused).toEqual([]);
  });
});
