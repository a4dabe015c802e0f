/** The way of visits through a survey's flow. */
import { loadSurveyTable } from '../../intake/survey-table.ts';
import { readFunnel, type Segment } from '../operators/counts/funnel.ts';
import { OperatorError } from '../operators/operator-error.ts';
import { objectOf, textOf } from '../routes/route-options.ts';
import type { ConsoleRoutes } from './context.ts';

const day = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' };

const query = objectOf(
  {
    ...{ survey: textOf(200), from: day, to: day },
    segment: { ...textOf(200), pattern: '^(all$|(source|device|language|variant)=)' },
  },
  ['survey', 'from', 'to'],
);

type Query = {
  readonly survey: string;
  readonly from: string;
  readonly to: string;
  readonly segment?: string;
};

/** `GET /api/funnels?survey&from&to&segment`, with a segment such as `source=google`. */
export const funnelsRoutes: ConsoleRoutes = async (app, { context }) => {
  const { copy, settings } = context;
  const surveys = await loadSurveyTable(settings.surveys);
  app.get(
    '/api/funnels',
    { schema: { querystring: query }, config: { role: 'viewer' } },
    (request) => {
      const { survey, from, to, segment = 'all' } = request.query as Query;
      const entry = surveys(survey);
      if (!entry) throw new OperatorError('not_found', `There is no survey ${survey}.`);
      return readFunnel(copy.pool, {
        entry,
        period: { from, to },
        timeZone: settings.operatorsTimeZone,
        segment: segmentOf(segment),
      });
    },
  );
};

function segmentOf(text: string): Segment {
  const [dimension = 'all', ...value] = text.split('=');
  return { dimension: dimension as Segment['dimension'], value: value.join('=') };
}
