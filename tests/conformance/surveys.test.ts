import { describe, expect, test } from 'vitest';
import { type Flow, fieldsOf, stepOf } from '../../src/model/flows/engine/flow.ts';
import { nextStep, progress, type WalkContext } from '../../src/model/flows/engine/walk.ts';
import { type Survey, surveyAt, surveyFacts, surveys } from '../../src/model/flows/surveys.ts';
import { allPaths, type FlowPath } from '../../src/model/flows/test-support/paths.ts';
import { dateAnswers, testSamples } from '../../src/model/flows/test-support/samples.ts';
import { surveyRows as rows } from './survey-rows.ts';
import {
  dateOfBirthStates,
  flowsWithDateOfBirth,
  NUMBERED_POSITIONS,
  numberedFlows,
  type PathPart,
  percentagesOf,
  transitions,
  ways,
} from './tables.ts';

const today = { year: 2026, month: 11, day: 20 };

function contextOf(survey: Survey): WalkContext {
  return { today, survey: surveyFacts(survey), settings: { dateOfBirthStates } };
}

/**
 * Returns every path through a survey for a visitor who has already given the answers in `known`.
 */
function pathsOf(survey: Survey, flow: Flow, known = {}): FlowPath[] {
  return allPaths(flow, contextOf(survey), testSamples(today), known);
}

/** Returns every sequence of steps that `parts` allow. */
function sequences(parts: readonly PathPart[]): string[] {
  return parts
    .reduce<string[]>(
      (heads, part) => heads.flatMap((head) => [part].flat().map((steps) => `${head} ${steps}`)),
      [''],
    )
    .map((steps) => steps.trim().split(/ +/).join(' > '));
}

describe('the table of surveys', () => {
  test('contains no path twice', () => {
    expect(new Set(surveys.map((survey) => survey.path)).size).toBe(surveys.length);
  });

  test.each(rows)('has the values of the specification for $path', ({ survey, data, ...row }) => {
    expect(survey).toMatchObject({
      offerId: row.offerId,
      affiliateId: row.affiliateId,
      language: row.language,
      thankYouPath: row.thankYouPath,
    });
    expect(surveyAt(`${row.path}/`)).toBe(survey);
    expect(data.id).toBe(survey.flow);
  });
});

describe('the order of steps', () => {
  test.each(rows)(
    'of $path is one of the sequences in the specification',
    ({ survey, data, flow }) => {
      const found = pathsOf(survey, data);
      if (flow === 'one-page') {
        // The brief calls the one-page survey "a single form" and names no step.
        expect(found.map((way) => way.steps.length)).toEqual([1]);
        return;
      }
      const steps = found.map((way) => way.steps.join(' > '));
      const message = `\`ways\` in tests/conformance/tables/ways.ts has other steps for ${flow}`;
      expect(steps.toSorted(), message).toEqual(sequences(ways[flow]).toSorted());
    },
  );

  test.each(rows.filter(({ flow }) => flowsWithDateOfBirth.includes(flow)))(
    'at $path includes DateOfBirth in the US states of the specification',
    ({ survey, data, flow }) => {
      const found = pathsOf(survey, data, { state: 'NE' });
      const withDate = sequences(ways[flow]).map((way) =>
        way.replace('NameAndEmail > PhoneAndZip', 'NameAndEmail > DateOfBirth > PhoneAndZip'),
      );
      expect(found.map((way) => way.steps.join(' > ')).toSorted()).toEqual(withDate.toSorted());
    },
  );
});

describe('the transitions', () => {
  const lines = transitions.flatMap(({ flows, page, lines }) =>
    rows
      .filter((row) => flows.includes(row.flow))
      .flatMap(({ path, survey, data }) =>
        lines.map(([step, answers, next, daysAgo = 100]) => {
          const toggles = { ...survey.toggles, combinedLastStep: page?.combinedLastStep === true };
          const shown = { ...survey, path: page?.path ?? survey.path, toggles };
          return { path, data, survey: shown, step, answers, daysAgo, next };
        }),
      ),
  );

  test.each(lines)(
    'of $path lead to the next step of the specification',
    ({ survey, data, step, answers, daysAgo, next }) => {
      expect(Object.keys(data.steps)).toContain(step);
      const given = { ...dateAnswers(today, daysAgo), ...answers };
      expect(nextStep(data, step, given, contextOf(survey))).toBe(next);
    },
  );
});

describe('the progress bar', () => {
  test.each(rows.filter(({ flow }) => percentagesOf(flow)))(
    'at $path shows the percentages of the specification',
    ({ survey, data: flow, flow: name }) => {
      const expected = percentagesOf(name) ?? {};
      for (const { steps } of pathsOf(survey, flow)) {
        let last = 0;
        steps.forEach((step, index) => {
          last = expected[step] ?? last;
          const message = `${step}: \`percentageTexts\` in tests/conformance/tables/ways.ts differs`;
          expect(progress(flow, steps.slice(0, index + 1)), message).toMatchObject({
            style: 'percent',
            percent: last,
          });
        });
      }
    },
  );

  test.each(rows.filter(({ flow }) => numberedFlows.includes(flow)))(
    'at $path shows four numbered positions',
    ({ survey, data: flow }) => {
      for (const { steps } of pathsOf(survey, flow)) {
        const positions = steps.map((_, index) => progress(flow, steps.slice(0, index + 1)));
        let last = 1;
        for (const position of positions) {
          if (position.style !== 'stages') throw new Error(`${flow.id} has percentages`);
          expect(position.position).toBeGreaterThanOrEqual(last);
          expect(position.position).toBeLessThanOrEqual(NUMBERED_POSITIONS.length);
          last = position.position;
        }
      }
    },
  );
});

/** The steps at which the progress goes back on purpose (docs/specification.md#flows). */
const backwards = ['variant-e NameAndEmail'];

test.each(rows)(
  'the progress bar at $path goes back only at the steps in the list `backwards`',
  ({ survey, data: flow }) => {
    for (const { steps } of pathsOf(survey, flow)) {
      let last = -1;
      steps.forEach((step, index) => {
        const { reach } = progress(flow, steps.slice(0, index + 1));
        const isMeant = backwards.includes(`${flow.id} ${step}`);
        if (!isMeant) expect(reach, `${step} of ${steps.join(' > ')}`).toBeGreaterThan(last);
        expect(reach).toBeLessThanOrEqual(100);
        last = reach;
      });
    }
  },
);

test.each(rows)(
  'the survey $path asks each contact detail at most once',
  ({ survey, data, flow }) => {
    const times = flow === 'benefits' ? 0 : 1;
    for (const { steps } of pathsOf(survey, data)) {
      const posting = steps.map((name) => stepOf(data, name)).filter(({ submits }) => submits);
      expect(posting, steps.join(' > ')).toHaveLength(times);
      for (const { kind } of posting) expect(kind).toBe('contact');
      const asked = steps.flatMap((name) => fieldsOf(stepOf(data, name)));
      for (const field of ['first_name', 'last_name', 'email', 'phone', 'zip_code'] as const) {
        expect(asked.filter((each) => each === field)).toHaveLength(times);
      }
    }
  },
);
