/** Serves surveys to browsers without JavaScript (docs/specification.md#without-javascript). */
import underPressure from '@fastify/under-pressure';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Survey } from '../../model/flows/surveys.ts';
import type { FormProblemReason } from '../../model/visit/posted-form.ts';
import type { SurveyPageData } from '../../web/survey/screens/screen-props.ts';
import type { FormPage, FormRequest, SurveyForms, VisitProof } from '../leads/index.ts';
import { isHttps } from '../platform/site-cookie.ts';
import type { Settings } from '../settings/settings.ts';
import { hostOf, postedFields, seeOther, takePostedForms } from './form-post.ts';
import { checkLimit, isWithin, loadLimit, perMinute } from './limits.ts';
import { acceptedEncoding, compressed, type PageDocument } from './page-document.ts';
import { reportRefusal } from './problem.ts';
import type { Site } from './site.ts';
import { landingOfForm } from './site-click.ts';
import { storeVisitProof, visitorOf, visitProof } from './visitor.ts';

export type SurveyFormOptions = {
  readonly settings: Settings;
  /** Returns the cached page of a survey, in the visitor's variants. */
  readonly pageOf: (survey: Survey, reply: FastifyReply) => Promise<PageDocument>;
  readonly forms: SurveyForms;
  readonly renderer: Site['forms'];
};

function problemOf(status: number): FormProblemReason {
  if (status === 403) return 'foreign_page';
  if (status === 429) return 'too_many';
  return status >= 500 ? 'unavailable' : 'unreadable';
}

/** Returns the path and query of the visit's landing page from the `Referer` header. */
function landingOf(request: FastifyRequest, survey: Survey, publicUrl: string | undefined): string {
  const page = URL.parse(request.headers.referer ?? '');
  const isOurs = page && [request.host, hostOf(publicUrl)].includes(page.host);
  const isOfSurvey = page && `${page.pathname}/`.startsWith(`${survey.path}/`);
  if (!isOurs || isOfSurvey || request.url.includes('?')) return request.url;
  return page.pathname + page.search;
}

export const surveyFormRoutes: FastifyPluginAsync<SurveyFormOptions> = async (app, options) => {
  const { pageOf, forms, renderer } = options;
  const { surveys, publicUrl, limits } = options.settings;
  const { checksPerAddressPerMinute, savesPerAddressPerMinute } = limits;
  await app.register(underPressure, loadLimit);
  await takePostedForms(app, publicUrl);
  const config = { rateLimit: perMinute(savesPerAddressPerMinute) };

  for (const survey of surveys) {
    const shellOf = async (reply: FastifyReply) => formShell(await pageOf(survey, reply));

    const sendProblem = async (reply: FastifyReply, status: number, reason: FormProblemReason) => {
      const shell = await shellOf(reply);
      const { renderFormProblem } = await renderer();
      const content = renderFormProblem(survey, shell.data.settings, reason);
      return sendFormPage(reply.code(status), shell, content);
    };
    const errorHandler = async (error: Error, _request: FastifyRequest, reply: FastifyReply) => {
      const { status } = reportRefusal(error, reply);
      return sendProblem(reply, status, problemOf(status));
    };
    const { path, translation = path } = survey;
    // If a visit began in the other language, its cookie is named after that language's survey.
    const proofOf = (request: FastifyRequest, first = path, second = translation) =>
      visitProof(request, first) ?? visitProof(request, second);
    const countCheck = app.createRateLimit({
      ...checkLimit(
        app,
        checksPerAddressPerMinute,
        // Uses the request's id for a form without a visit, so that such forms share no limit.
        (request) => proofOf(request)?.leadId ?? request.id,
      ),
      ...perMinute(checksPerAddressPerMinute, 'checks of forms'),
    });
    const requestOf = (request: FastifyRequest, data: SurveyPageData, isSwitch = false) => ({
      data,
      proof: isSwitch ? proofOf(request, translation, path) : proofOf(request),
      isBound: isHttps(request),
      visitor: visitorOf(request),
      mayCheck: () => isWithin(countCheck, request),
    });

    const storeProof = (reply: FastifyReply, proof: VisitProof | null): void => {
      storeVisitProof(reply, path, proof);
      const isElsewhere = translation !== path && visitProof(reply.request, translation);
      if (isElsewhere) storeVisitProof(reply, translation, null);
    };

    const take = (isFirst: boolean) => async (request: FastifyRequest, reply: FastifyReply) => {
      const own = requestOf(request, (await shellOf(reply)).data);
      const href = own.visitor.siteOrigin + landingOf(request, survey, publicUrl);
      const outcome = await forms.take({
        ...own,
        fields: postedFields(request.body),
        isFirst,
        href,
        landing: landingOfForm(request, href),
      });
      if (!outcome) return sendProblem(reply, 404, 'no_visit');
      const { goTo, proof } = outcome;
      if (proof !== undefined) storeProof(reply, proof);
      return seeOther(reply, goTo);
    };

    app.post(survey.path, { config, errorHandler }, take(true));
    app.post(survey.path + CONTINUE, { config, errorHandler }, take(false));
    app.get<{ Querystring: { step?: unknown; switch?: unknown } }>(
      survey.path + CONTINUE,
      { config, errorHandler },
      async (request, reply) => {
        const shell = await shellOf(reply);
        const { step, switch: switched } = request.query;
        const own = requestOf(request, shell.data, switched === '1');
        const shown = await forms.show(own, typeof step === 'string' ? step : undefined);
        if (switched === '1') {
          if (shown && own.proof) storeProof(reply, own.proof);
          return seeOther(reply, shown && 'goTo' in shown ? shown.goTo : path);
        }
        if (!shown) return sendProblem(reply, 404, 'no_visit');
        if ('goTo' in shown) return seeOther(reply, shown.goTo);
        const { renderState } = await renderer();
        const content = renderState(shell.data, shown.state, shown.form.visit);
        return sendFormPage(reply, shell, content, ownVisit(shown, own));
      },
    );
  }
};

/** Returns the visit that the page's script may continue; undefined if the visit is over. */
function ownVisit({ form, state }: FormPage, { proof }: Pick<FormRequest, 'proof'>) {
  if (state.phase === 'ended') return undefined;
  const { visit, seq } = form;
  return { visit: { ...visit, secret: proof?.secret, cameBy: 'form and script' }, state, seq };
}

const SURVEY = /<div id="survey"[^>]*>/;
const END_OF_FORM = '</form>';
const NEXT_QUESTION = /<template id="survey-next"[^>]*>[\s\S]*?<\/template>/;
const LATER_SHEETS = /(<link rel="stylesheet" href="[^"]+") disabled>/g;
const OTHER_LANGUAGE = /(href="[^"]*)("[^>]* id="other-language")/;
const DATA = /<script type="application\/json" id="survey-data"[^>]*>([\s\S]*?)<\/script>/;

/** The end of the path at which a visit continues. */
const CONTINUE = '/continue';

type FormShell = ReturnType<typeof formShell>;

/**
 * Splits a survey's page into the parts before and after the current step. @throws if a part is
 * missing
 */
export function formShell(page: PageDocument) {
  const html = page.identity.toString();
  const start = SURVEY.exec(html);
  const json = DATA.exec(html)?.[1];
  const end = start ? html.indexOf(END_OF_FORM, start.index) : -1;
  if (!start || end < 0 || json === undefined)
    throw new Error('A part of the survey page is missing');
  const { etag: _, ...headers } = page.headers;
  return {
    data: JSON.parse(json) as SurveyPageData,
    headers,
    // Without JavaScript, nothing would enable the stylesheet of the later steps.
    before: html
      .slice(0, start.index + start[0].length)
      .replaceAll(LATER_SHEETS, '$1>')
      .replace(OTHER_LANGUAGE, `$1${CONTINUE}?switch=1$2`),
    // Removes the template of the second question, because the visitor may be at another step.
    after: html.slice(end + END_OF_FORM.length).replace(NEXT_QUESTION, ''),
  };
}

/** Returns the visit's data for the page's script, escaped for a `<script>` element. */
function visitScript(visit: object): string {
  const json = JSON.stringify(visit)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `<script type="application/json" id="survey-visit">${json}</script>`;
}

/** Sends the survey's page with a visitor's own content, which must not be cached. */
async function sendFormPage(
  reply: FastifyReply,
  { headers, before, after }: FormShell,
  content: string,
  visit?: object,
): Promise<FastifyReply> {
  reply.headers({
    ...headers,
    'cache-control': 'no-store, private',
    vary: 'cookie, accept-encoding',
    'x-robots-tag': 'noindex, nofollow',
  });
  const rest = visit ? after.replace('</div>', () => `</div>${visitScript(visit)}`) : after;
  const html = before + content + rest;
  const encoding = acceptedEncoding(reply.request.headers['accept-encoding']);
  if (encoding === undefined) return reply.send(html);
  const body = await compressed[encoding](Buffer.from(html));
  return reply.header('content-encoding', encoding).send(body);
}
