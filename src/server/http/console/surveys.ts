/** Routes for surveys and experiments. */
import { Type } from '@sinclair/typebox';
import { day, textOf } from '../../../model/messages/console/requests.ts';
import type { SurveyAnswer } from '../../../model/messages/console/work.ts';
import { readExperiments, readSurveys } from '../../insight/index.ts';
import { type Area, viewer } from './route.ts';

const experimentsQuery = Type.Object({ survey: textOf(200), from: Type.Optional(day) });

export const surveysArea: Area = ({ copy, settings, destinations }) => {
  // Reads the surveys only once, because settings never change while the process runs.
  let surveys: Promise<SurveyAnswer[]> | undefined;
  return {
    'GET /api/surveys': viewer({}, () => {
      surveys ??= readSurveys(settings, destinations);
      return surveys;
    }),

    'GET /api/surveys/experiments': viewer({ querystring: experimentsQuery }, ({ query }) => {
      const { experiments, operatorsTimeZone: timeZone } = settings;
      return readExperiments(copy.pool, { experiments, timeZone, ...query });
    }),
  };
};
