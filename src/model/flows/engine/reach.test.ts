import { expect, test } from 'vitest';
import { flowLoaders, surveyFacts, surveys } from '../surveys.ts';
import { allPaths } from '../test-support/paths.ts';
import { testSamples } from '../test-support/samples.ts';
import type { Flow } from './flow.ts';
import { reachableSteps } from './reach.ts';

const today = { year: 2026, month: 11, day: 20 };

test.each(surveys.map((survey) => [survey.path, survey] as const))(
  'reachableSteps for the survey %s returns exactly the steps of all paths',
  async (_, survey) => {
    const flow: Flow = await flowLoaders[survey.flow]();
    const context = {
      today,
      survey: surveyFacts(survey),
      settings: { dateOfBirthStates: ['AL', 'NY', 'CA'] },
    };
    const walked = new Set(
      allPaths(flow, context, testSamples(today)).flatMap(({ steps }) => steps),
    );
    const reached = reachableSteps(flow, context);
    for (const step of walked) expect(reached).toContain(step);
    const missed = [...reached].filter((step) => !walked.has(step));
    // The sample answers never lead to these steps.
    const never = [
      'DateOfBirth',
      ...(context.survey.hasFixedBuyers ? ['PhoneAbbreviatedTCPA'] : []),
    ];
    expect(missed.filter((step) => !never.includes(step))).toEqual([]);
  },
);
