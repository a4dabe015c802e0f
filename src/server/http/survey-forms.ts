/**
 * Surveys without JavaScript (docs/specification.md#without-javascript): takes posted forms and shows the
 * steps of a visit. Each post redirects, so that reload and back do not post again.
 */
import underPressure from '@fastify/under-pressure';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Survey } from '../../model/flows/surveys.ts';
import type { FormProblemReason } from '../../model/visit/posted-form.ts';
import type { FormPage, FormRequest, SurveyForms, VisitProof } from '../leads/index.ts';
import { isHttps } from '../platform/site-cookie.ts';
import {
  CONTINUE,
  type FormRenderer,
  type FormShell,
  formPage,
  formShell,
  sendFormPage,
} from './form-pages.ts';
import { postedFields, postingPage, seeOther, takePostedForms } from './form-post.ts';
import { loadLimit, lookUpLimit, perMinute, perMinuteOf } from './limits.ts';
import type { PageDocument } from './page-document.ts';
import { toldRefusal } from './problem.ts';
import { landingOfForm } from './site-click.ts';
import { keepVisitProof, visitProof } from './visit-cookie.ts';
import { stateOf, visitorOf } from './visitor.ts';

export type SurveyFormOptions = {
  readonly surveys: readonly Survey[];
  /** Returns a survey's page, which is the same for all visitors with the same variants. */
  readonly pageOf: (
    survey: Survey,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<PageDocument>;
  readonly forms: SurveyForms;
  readonly renderer: () => Promise<FormRenderer>;
  readonly publicUrl: string | undefined;
  /** The header in which a trusted proxy passes the visitor's state; undefined: none. */
  readonly visitorStateHeader: string | undefined;
  readonly checksPerAddressPerMinute: number;
  readonly savesPerAddressPerMinute: number;
};

/** Returns the reason shown to the visitor for the status of a failed form. */
function problemOf(status: number): FormProblemReason {
  if (status === 403) return 'foreign_page';
  if (status === 429) return 'too_many';
  return status >= 500 ? 'unavailable' : 'unreadable';
}

/**
 * Returns path and query of the visit's landing page: the survey's page, or another of our pages that
 * contains the survey's first question, such as the home page (docs/decisions/0038-without-javascript.md).
 */
function landingOf(
  request: FastifyRequest,
  survey: Pick<Survey, 'path'>,
  publicUrl: string | undefined,
): string {
  const page = request.url.includes('?') ? undefined : postingPage(request, publicUrl);
  const isOfSurvey = page && `${page.path}/`.startsWith(`${survey.path}/`);
  return page && !isOfSurvey ? page.path + page.search : request.url;
}

export const surveyFormRoutes: FastifyPluginAsync<SurveyFormOptions> = async (app, options) => {
  const { surveys, pageOf, forms, renderer, publicUrl, visitorStateHeader } = options;
  const { checksPerAddressPerMinute, savesPerAddressPerMinute } = options;
  await app.register(underPressure, loadLimit);
  await takePostedForms(app, publicUrl);
  const config = { rateLimit: perMinute(savesPerAddressPerMinute) };

  for (const survey of surveys) {
    const shellOf = async (request: FastifyRequest, reply: FastifyReply) =>
      formShell(await pageOf(survey, request, reply));

    const sendProblem = async (
      request: FastifyRequest,
      reply: FastifyReply,
      status: number,
      reason: FormProblemReason,
    ) => {
      const shell = await shellOf(request, reply);
      const { renderFormProblem } = await renderer();
      const content = renderFormProblem(survey, shell.data.settings, reason);
      return sendFormPage(request, reply, shell, status, formPage(shell, content));
    };
    const errorHandler = async (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const { status } = toldRefusal(error, request, reply);
      return sendProblem(request, reply, status, problemOf(status));
    };
    const { path, translation = path } = survey;
    // One person is one lead, so a visit in the other language continues here.
    const proofOf = (request: FastifyRequest, first = path, second = translation) =>
      visitProof(request, first) ?? visitProof(request, second);
    const countLookUp = app.createRateLimit({
      ...lookUpLimit(
        app,
        checksPerAddressPerMinute,
        // The shared first page's form has no visit yet.
        (request) => proofOf(request)?.leadId ?? request.id,
      ),
      ...perMinuteOf('look-ups of forms', checksPerAddressPerMinute),
    });
    const requestOf = (
      request: FastifyRequest,
      { data }: FormShell,
      isSwitch = false,
    ): FormRequest => ({
      data,
      proof: isSwitch ? proofOf(request, translation, path) : proofOf(request),
      isBound: isHttps(request),
      visitor: visitorOf(request),
      mayCheck: async () => {
        const count = await countLookUp(request);
        return count.isAllowed || !count.isExceeded;
      },
    });

    const keepProof = (
      request: FastifyRequest,
      reply: FastifyReply,
      proof: VisitProof | null,
    ): void => {
      keepVisitProof(request, reply, path, proof);
      const isElsewhere = translation !== path && visitProof(request, translation);
      if (isElsewhere) keepVisitProof(request, reply, translation, null);
    };

    const take = (isFirst: boolean) => async (request: FastifyRequest, reply: FastifyReply) => {
      const own = requestOf(request, await shellOf(request, reply));
      const href = own.visitor.siteOrigin + landingOf(request, survey, publicUrl);
      const outcome = await forms.take({
        ...own,
        fields: postedFields(request.body),
        isFirst,
        href,
        landing: landingOfForm(request, href),
        proxyState: visitorStateHeader === undefined ? '' : stateOf(request, visitorStateHeader),
      });
      if (!outcome) return sendProblem(request, reply, 404, 'no_visit');
      const { goTo, proof } = outcome;
      if (proof !== undefined) keepProof(request, reply, proof);
      return seeOther(reply, goTo);
    };

    app.post(survey.path, { config, errorHandler }, take(true));
    app.post(survey.path + CONTINUE, { config, errorHandler }, take(false));
    app.get<{ Querystring: { step?: unknown; switch?: unknown } }>(
      survey.path + CONTINUE,
      { config, errorHandler },
      async (request, reply) => {
        const shell = await shellOf(request, reply);
        const { step, switch: switched } = request.query;
        const own = requestOf(request, shell, switched === '1');
        const shown = await forms.show(own, typeof step === 'string' ? step : undefined);
        if (switched === '1') {
          if (shown && own.proof) keepProof(request, reply, own.proof);
          return seeOther(reply, shown && 'goTo' in shown ? shown.goTo : path);
        }
        if (!shown) return sendProblem(request, reply, 404, 'no_visit');
        if ('goTo' in shown) return seeOther(reply, shown.goTo);
        const { renderState } = await renderer();
        const content = renderState(shell.data, shown.state);
        const html = formPage(shell, content, ownVisit(shown, own));
        return sendFormPage(request, reply, shell, 200, html);
      },
    );
  }
};

/** Returns the visit for the page's script to continue, or undefined at its end. */
function ownVisit({ form, state }: FormPage, { proof }: FormRequest) {
  if (state.phase === 'ended') return undefined;
  const { visit, seq } = form;
  return { visit: { ...visit, secret: proof?.secret, cameBy: 'form and script' }, state, seq };
}
