/** Routes for surveys and experiments. */
import { Type } from '@sinclair/typebox';
import { day, textOf } from '../../../model/messages/console/requests.ts';
import { readBuyerNames } from '../../delivery/index.ts';
import { readExperiments, readSurveys } from '../../insight/index.ts';
import { type Area, viewer } from './route.ts';

const experimentsQuery = Type.Object({ survey: textOf(200), from: Type.Optional(day) });

export const surveysArea: Area = ({ copy, settings, destinations }) => ({
  'GET /api/surveys': viewer({}, async () =>
    readSurveys(settings, destinations, await readBuyerNames(copy.pool)),
  ),

  'GET /api/surveys/experiments': viewer({ querystring: experimentsQuery }, ({ query }) => {
    const { experiments, operatorsTimeZone: timeZone } = settings;
    return readExperiments(copy.pool, { experiments, timeZone, ...query });
  }),
});
