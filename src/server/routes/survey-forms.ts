/**
 * Surveys without JavaScript (docs/specification.md#without-javascript): takes the forms of a survey's pages
 * and shows the steps of a visit. What is taken is never shown in the answer to the post: that leads on to an
 * address of its own, so that reload and back send nothing again.
 */
import underPressure from '@fastify/under-pressure';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Survey } from '../../flows/surveys.ts';
import type { FormProblemReason } from '../../journey/form-problem.ts';
import type { FormRequest, VisitProof } from '../visits/form-taking.ts';
import type { FormPage, SurveyForms } from '../visits/survey-forms.ts';
import { toldRefusal } from './errors.ts';
import {
  CONTINUE,
  type FormRenderer,
  type FormShell,
  formPage,
  formShell,
  sendFormPage,
} from './form-pages.ts';
import { isFromOwnPage, postingPage, seeOther, takePostedForms } from './form-post.ts';
import type { PageDocument } from './page-document.ts';
import { keepVisitProof, visitProof } from './visit-cookie.ts';
import { visitorOf } from './visitor.ts';
import { stateOf } from './visitor-state.ts';

export type SurveyFormOptions = {
  readonly surveys: readonly Survey[];
  /** The page of a survey that is the same for all who see the visitor's variants. */
  readonly pageOf: (
    survey: Survey,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<PageDocument>;
  readonly forms: SurveyForms;
  readonly renderer: () => Promise<FormRenderer>;
  readonly publicUrl: string | undefined;
  /** The header in which a trusted proxy says the visitor's state; undefined: none does. */
  readonly visitorStateHeader: string | undefined;
  readonly checksPerAddressPerMinute: number;
  readonly savesPerAddressPerMinute: number;
};

/** Above this delay of the event loop new forms are put off, as other posts are. */
const MAX_EVENT_LOOP_DELAY_MS = 2_000;

/** What a form that cannot be taken is answered with, by the fixed word of its refusal. */
function problemOf(status: number): FormProblemReason {
  if (status === 403) return 'foreign_page';
  if (status === 429) return 'too_many';
  return status >= 500 ? 'unavailable' : 'unreadable';
}

/**
 * Path and query by which the visitor came to the survey's first form: its own page, or another of ours that
 * has its first question, as the home page (docs/decisions/0038-without-javascript.md).
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

/** The names and values of a posted form. */
function postedFields(body: unknown): [string, string][] {
  return Object.entries((body ?? {}) as Record<string, unknown>).flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((each): [string, string][] => (typeof each === 'string' ? [[name, each]] : [])),
  );
}

export const surveyFormRoutes: FastifyPluginAsync<SurveyFormOptions> = async (app, options) => {
  const { surveys, pageOf, forms, renderer, publicUrl, visitorStateHeader } = options;
  const { checksPerAddressPerMinute, savesPerAddressPerMinute } = options;
  await app.register(underPressure, { maxEventLoopDelay: MAX_EVENT_LOOP_DELAY_MS });
  // Refused by a page, and so before it would be by a word for programs.
  app.addHook('onRequest', async (request) => {
    if (request.method === 'POST' && !isFromOwnPage(request, publicUrl)) {
      throw Object.assign(new Error('A form of another site'), { statusCode: 403 });
    }
  });
  await takePostedForms(app, publicUrl);
  const countLookUp = app.createRateLimit({ max: checksPerAddressPerMinute, timeWindow: 60_000 });
  const config = { rateLimit: { max: savesPerAddressPerMinute, timeWindow: 60_000 } };

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
    const requestOf = (
      request: FastifyRequest,
      { data }: FormShell,
      isSwitch = false,
    ): FormRequest => ({
      data,
      // One person is one lead: a visit of the other language goes on here.
      proof: isSwitch
        ? (visitProof(request, translation) ?? visitProof(request, path))
        : (visitProof(request, path) ?? visitProof(request, translation)),
      visitor: visitorOf(request),
      mayLookUp: async () => {
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
      const outcome = await forms.take({
        ...own,
        fields: postedFields(request.body),
        isFirst,
        href: own.visitor.siteOrigin + landingOf(request, survey, publicUrl),
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

/** The visit as the page's script takes it up, where it comes; an end has nothing to go on with. */
function ownVisit({ form, state }: FormPage, { proof }: FormRequest) {
  if (state.phase === 'ended') return undefined;
  const { visit, seq } = form;
  return { visit: { ...visit, secret: proof?.secret, cameBy: 'form and script' }, state, seq };
}
