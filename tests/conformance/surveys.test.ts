import { describe, expect, test } from 'vitest';
import { addDays } from '../../src/domain/dates.ts';
import { type Flow, stepOf } from '../../src/flows/engine/flow.ts';
import { allPaths } from '../../src/flows/engine/paths.ts';
import { testSamples } from '../../src/flows/engine/test-samples.ts';
import { nextStep, progress, type WalkContext } from '../../src/flows/engine/walk.ts';
import {
  flowLoaders,
  type Survey,
  surveyAt,
  surveyFacts,
  surveys,
} from '../../src/flows/surveys.ts';
import {
  dateOfBirthStates,
  flowsWithDateOfBirth,
  NUMBERED_POSITIONS,
  numberedFlows,
  percentages,
  type Stretch,
  surveyTable,
  transitions,
  ways,
} from './tables.ts';

/** The surveys of the brief that are not implemented. The list may only shrink. */
const notYet: readonly string[] = [];

/** Surveys that the brief does not have (docs/adding-a-survey.md). */
const ownSurveys: readonly string[] = [];

const today = { year: 2026, month: 11, day: 20 };

const rows = surveyTable.flatMap((row) => {
  const survey = surveyAt(row.path);
  return survey ? [{ ...row, survey }] : [];
});
const built = rows;

function contextOf(survey: Survey): WalkContext {
  return {
    today,
    survey: surveyFacts(survey),
    settings: { dateOfBirthStates },
  };
}

async function flowOf(survey: Survey): Promise<Flow> {
  return flowLoaders[survey.flow]();
}

/** Returns every sequence of steps that the stretches describe. */
function sequences(stretches: readonly Stretch[]): string[] {
  return stretches
    .reduce<readonly (readonly string[])[]>(
      (heads, stretch) =>
        heads.flatMap((head) =>
          (typeof stretch === 'string' ? [[stretch]] : stretch).map((part) => [...head, ...part]),
        ),
      [[]],
    )
    .map((steps) => steps.join(' > '));
}

describe('the table of surveys', () => {
  test('has every path of the brief except the listed ones, and no other', () => {
    const missing = surveyTable.map((row) => row.path).filter((path) => !surveyAt(path));
    expect(missing.toSorted()).toEqual(notYet.toSorted());
    const known = new Set([...surveyTable.map((row) => row.path), ...ownSurveys]);
    expect(surveys.map((survey) => survey.path).filter((path) => !known.has(path))).toEqual([]);
  });

  test('has each path once', () => {
    expect(new Set(surveys.map((survey) => survey.path)).size).toBe(surveys.length);
  });

  test.each(rows)('$path: offer, affiliate, language, thank-you page', ({ survey, ...row }) => {
    expect(survey).toMatchObject({
      offerId: row.offerId,
      affiliateId: row.affiliateId,
      language: row.language,
      thankYouPath: row.thankYouPath,
    });
    expect(surveyAt(`${row.path}/`)).toBe(survey);
  });
});

describe('the order of steps', () => {
  test.each(built)('$path: exactly the step sequences of the brief', async ({ survey, flow }) => {
    const found = allPaths(await flowOf(survey), contextOf(survey), testSamples(today));
    if (flow === 'one-page') {
      // "A single form": one step, which the brief does not name.
      expect(found.map((way) => way.steps.length)).toEqual([1]);
      return;
    }
    const steps = found.map((way) => way.steps.join(' > '));
    expect(steps.toSorted()).toEqual(sequences(ways[flow]).toSorted());
  });

  test.each(built.filter(({ flow }) => flowsWithDateOfBirth.includes(flow)))(
    '$path: a state on the list adds DateOfBirth between name and phone',
    async ({ survey, flow }) => {
      const known = { state: 'NE' };
      const found = allPaths(await flowOf(survey), contextOf(survey), testSamples(today), known);
      const withDate = sequences(ways[flow]).map((way) =>
        way.replace('NameAndEmail > PhoneAndZip', 'NameAndEmail > DateOfBirth > PhoneAndZip'),
      );
      expect(found.map((way) => way.steps.join(' > ')).toSorted()).toEqual(withDate.toSorted());
    },
  );
});

describe('transitions', () => {
  const lines = transitions.flatMap(({ flows, page, lines }) =>
    rows
      .filter((row) => flows.includes(row.flow))
      .flatMap(({ path, survey }) =>
        lines.map(([step, answers, next, daysAgo = 100]) => {
          const toggles = { ...survey.toggles, combinedLastStep: page?.combinedLastStep === true };
          const shown = { ...survey, path: page?.path ?? survey.path, toggles };
          return { path, survey: shown, step, answers, daysAgo, next };
        }),
      ),
  );

  test.each(lines)(
    '$path: $step, $answers, $daysAgo days ago: $next',
    async ({ survey, step, answers, daysAgo, next }) => {
      const date = addDays(today, -daysAgo);
      const flow = await flowOf(survey);
      expect(Object.keys(flow.steps)).toContain(step);
      const given = {
        injury_year: String(date.year),
        injury_month: String(date.month).padStart(2, '0'),
        injury_day: String(date.day).padStart(2, '0'),
        ...answers,
      };
      expect(nextStep(flow, step, given, contextOf(survey))).toBe(next);
    },
  );

  test.each([...new Set(surveyTable.map((row) => row.flow))])(
    '%s: a line for each side of every branch',
    (flow) => {
      const told = transitions
        .filter(({ flows, page }) => page === undefined && flows.includes(flow))
        .flatMap(({ lines }) => lines.map(([step, , next]) => `${step} > ${next}`));
      const pairs = new Set(
        sequences(ways[flow]).flatMap((way) => {
          const steps = way.split(' > ');
          return steps.slice(1).map((next, index) => `${steps[index]} > ${next}`);
        }),
      );
      const stepsLeft = [...pairs].map((pair) => pair.split(' > ')[0]);
      const branches = [...pairs].filter((pair) => {
        const [step] = pair.split(' > ');
        return stepsLeft.filter((each) => each === step).length > 1;
      });
      expect(branches.filter((pair) => !told.includes(pair))).toEqual([]);
    },
  );
});

describe('progress', () => {
  test.each(built.filter(({ flow }) => percentages[flow]))(
    '$path: the brief’s percentages; a step without one keeps the last',
    async ({ survey, flow: name }) => {
      const flow = await flowOf(survey);
      const expected = percentages[name] ?? {};
      for (const { steps } of allPaths(flow, contextOf(survey), testSamples(today))) {
        let last = 0;
        steps.forEach((step, index) => {
          last = expected[step] ?? last;
          expect(progress(flow, steps.slice(0, index + 1)), steps.join(' > ')).toMatchObject({
            style: 'percent',
            percent: last,
          });
        });
      }
    },
  );

  test.each(built.filter(({ flow }) => numberedFlows.includes(flow)))(
    '$path: numbered, four positions that never decrease',
    async ({ survey }) => {
      const flow = await flowOf(survey);
      for (const { steps } of allPaths(flow, contextOf(survey), testSamples(today))) {
        const positions = steps.map((_, index) => progress(flow, steps.slice(0, index + 1)));
        let last = 1;
        for (const position of positions) {
          expect(position).toMatchObject({ style: 'stages', count: NUMBERED_POSITIONS.length });
          if (position.style !== 'stages') continue;
          expect(position.position).toBeGreaterThanOrEqual(last);
          last = position.position;
        }
      }
    },
  );
});

/** In variant E the brief itself lowers the percentage at NameAndEmail (docs/specification.md#variant-e). */
const backwards = ['variant-e NameAndEmail'];

test.each(built)(
  '$path: every step advances the bar, and none moves it back unless the brief says so',
  async ({ survey }) => {
    const flow = await flowOf(survey);
    for (const { steps } of allPaths(flow, contextOf(survey), testSamples(today))) {
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

describe('the end of each path', () => {
  test.each(built)(
    '$path: one step that posts, or a result without contact details',
    async ({ survey, flow: name }) => {
      const flow = await flowOf(survey);
      for (const { steps } of allPaths(flow, contextOf(survey), testSamples(today))) {
        const posting = steps.filter((step) => stepOf(flow, step).submits);
        expect(posting, steps.join(' > ')).toHaveLength(name === 'benefits' ? 0 : 1);
      }
    },
  );
});
