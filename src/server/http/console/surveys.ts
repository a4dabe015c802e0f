/** Routes for surveys, experiments, and the screens of surveys as visitors see them. */
import path from 'node:path';
import { Type } from '@sinclair/typebox';
import { day, textOf } from '../../../model/messages/console/requests.ts';
import type { SurveyAnswer } from '../../../model/messages/console/work.ts';
import { readExperiments, readSurveys } from '../../insight/index.ts';
import { notFound } from '../../platform/operator-error.ts';
import { type Area, viewer } from './route.ts';

/** The content security policy of a survey's screen in the console: no scripts, no requests. */
const SCREEN_POLICY = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join(';');

const SCRIPT = /<script\b[^>]*>[\s\S]*?<\/script>|<link rel="modulepreload"[^>]*>/g;

/** A style that removes the space for a scroll bar, which phones do not have. */
const PHONE_STYLE = '<style>html{scrollbar-gutter:auto}</style></head>';

const styleFile = Type.Object({
  file: Type.String({ pattern: '^[\\w.-]+\\.(css|svg|woff2)$' }),
});
const screenQuery = Type.Object({
  survey: textOf(200),
  step: Type.Integer({ minimum: 0, maximum: 99 }),
});
const experimentsQuery = Type.Object({ survey: textOf(200), from: Type.Optional(day) });

export const surveysArea: Area = ({ copy, settings, destinations, pages }) => {
  // Reads the surveys only once, because settings never change while the process runs.
  let surveys: Promise<SurveyAnswer[]> | undefined;
  const routes = {
    'GET /api/surveys': viewer({}, () => {
      surveys ??= readSurveys(settings, destinations, pages !== undefined);
      return surveys;
    }),

    'GET /api/surveys/experiments': viewer({ querystring: experimentsQuery }, ({ query }) => {
      const { experiments, operatorsTimeZone: timeZone } = settings;
      return readExperiments(copy.pool, { experiments, timeZone, ...query });
    }),
  };
  if (!pages) return routes;
  return {
    ...routes,

    'GET /api/surveys/screen': viewer({ querystring: screenQuery }, async ({ query }, reply) => {
      const { survey, step } = query;
      if (!settings.surveys.some((row) => row.path === survey)) {
        throw notFound(`There is no survey ${survey}.`);
      }
      const shown = new URLSearchParams({ survey, step: String(step) });
      const page = await pages.render(`/preview/screen/?${shown}`);
      return reply
        .code(page.status)
        .headers({
          'cache-control': 'private, max-age=600',
          'content-security-policy': SCREEN_POLICY,
          'x-frame-options': 'SAMEORIGIN',
        })
        .type('text/html; charset=utf-8')
        .send(page.identity.toString().replaceAll(SCRIPT, '').replace('</head>', PHONE_STYLE));
    }),

    'GET /_astro/:file': viewer({ params: styleFile }, ({ params: { file } }, reply) =>
      reply
        .header('cache-control', 'private, max-age=31536000, immutable')
        .sendFile(file, path.join(pages.clientDir, '_astro')),
    ),
  };
};
