/** The way of visits through a survey's flow. */
import { Type } from '@sinclair/typebox';
import { day, textOf } from '../../../model/messages/console/requests.ts';
import { readFunnel, type Segment } from '../../insight/counts/funnel.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { type ConsoleRoutes, viewer } from './context.ts';

const querystring = Type.Object({
  survey: textOf(200),
  from: day,
  to: day,
  segment: Type.Optional(
    Type.String({ maxLength: 200, pattern: '^(all$|(source|device|language|variant)=)' }),
  ),
});

/** `GET /api/funnels?survey&from&to&segment`, with a segment such as `source=google`. */
export const funnelsRoutes: ConsoleRoutes = async (app, { context }) => {
  const { copy, settings } = context;
  app.get('/api/funnels', viewer({ querystring }), ({ query }) => {
    const { survey, from, to, segment = 'all' } = query;
    if (!settings.surveys.some(({ path }) => path === survey)) {
      throw new OperatorError('not_found', `There is no survey ${survey}.`);
    }
    return readFunnel(copy.pool, {
      survey,
      period: { from, to },
      timeZone: settings.operatorsTimeZone,
      segment: segmentOf(segment),
    });
  });
};

function segmentOf(text: string): Segment {
  const [dimension = 'all', ...value] = text.split('=');
  return { dimension: dimension as Segment['dimension'], value: value.join('=') };
}
