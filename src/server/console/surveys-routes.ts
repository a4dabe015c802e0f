/** The surveys, and their screens as visitors see them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SurveyAnswer } from '../../contract/console/work.ts';
import { readExperiments } from '../operators/counts/experiments.ts';
import { OperatorError } from '../operators/operator-error.ts';
import { readSurveys } from '../operators/survey-table.ts';
import { sendNotFound } from '../routes/problem.ts';
import { objectOf, textOf } from '../routes/route-options.ts';
import type { ConsoleRoutes } from './context.ts';

/** A screen is shown in a frame of the console's own page. It runs no script and sends nothing. */
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

/** A phone's screen keeps no space for a scroll bar. */
const PHONE_STYLE = '<style>html{scrollbar-gutter:auto}</style></head>';

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const screenQuery = objectOf({
  survey: textOf(200),
  step: { type: 'integer', minimum: 0, maximum: 99 },
});

const experimentsQuery = objectOf(
  { survey: textOf(200), from: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' } },
  ['survey'],
);

/** `GET /api/surveys`, a survey's experiments, its screens and their style sheets. */
export const surveysRoutes: ConsoleRoutes = async (app, { context }) => {
  const { settings, destinations, pages } = context;
  // Settings never change while the process runs.
  let surveys: Promise<SurveyAnswer[]> | undefined;
  app.get('/api/surveys', { config: { role: 'viewer' } }, () => {
    surveys ??= readSurveys(settings, destinations, pages !== undefined);
    return surveys;
  });
  app.get(
    '/api/surveys/experiments',
    { schema: { querystring: experimentsQuery }, config: { role: 'viewer' } },
    (request) => {
      const { experiments, operatorsTimeZone: timeZone } = settings;
      const asked = request.query as { readonly survey: string; readonly from?: string };
      return readExperiments(context.copy.pool, { experiments, timeZone, ...asked });
    },
  );
  if (!pages) return;

  app.get(
    '/api/surveys/screen',
    { schema: { querystring: screenQuery }, config: { role: 'viewer' } },
    async (request, reply) => {
      const { survey, step } = request.query as { survey: string; step: number };
      if (!settings.surveys.some((row) => row.path === survey)) {
        throw new OperatorError('not_found', `There is no survey ${survey}.`);
      }
      const query = new URLSearchParams({ survey, step: String(step) });
      const page = await pages.render(`/preview/screen/?${query}`);
      return reply
        .code(page.status)
        .headers({
          'cache-control': 'private, max-age=600',
          'content-security-policy': SCREEN_POLICY,
          'x-frame-options': 'SAMEORIGIN',
        })
        .type('text/html; charset=utf-8')
        .send(page.identity.toString().replaceAll(SCRIPT, '').replace('</head>', PHONE_STYLE));
    },
  );

  app.get('/_astro/:file', { config: { role: 'viewer' } }, async (request, reply) => {
    const { file } = request.params as { file: string };
    const type = mediaTypes[path.extname(file)];
    if (type === undefined || !/^[\w.-]+$/.test(file)) return sendNotFound(request, reply);
    const content = await readFile(path.join(pages.clientDir, '_astro', file)).catch(
      () => undefined,
    );
    if (content === undefined) return sendNotFound(request, reply);
    return reply
      .headers({ 'cache-control': 'private, max-age=31536000, immutable', 'content-type': type })
      .send(content);
  });
};
