/** The routes to which a browser posts a lead and the steps of a visit. */
import { Type } from '@sinclair/typebox';
import type { FastifyPluginAsync } from 'fastify';
import { leadId } from '../../model/messages/console/requests.ts';
import { leadSecretHeader, postLeadPath } from '../../model/messages/lead.ts';
import { saveDataPath } from '../../model/messages/progress.ts';
import { OverLimitError } from '../platform/errors.ts';
import type { RequestOf } from './add-route.ts';
import { isWithin, perMinute } from './limits.ts';
import { handleError, refusalOf, sendProblem } from './problem.ts';
import type { ApiOptions } from './use-cases.ts';
import { SECRET, storeVisitProof, visitorOf } from './visitor.ts';

/** Maximum number of invalid posts per IP address and minute. */
const NON_LEADS_PER_MINUTE = 60;

const leadSchema = { body: Type.Object({ lead_id: leadId }) };

const saveSchema = {
  body: Type.Object({
    session: Type.Object({ lead_id: leadId, survey: Type.Optional(Type.Unknown()) }),
    // The use case validates each entry, so that one invalid entry does not prevent the others.
    data: Type.Array(Type.Unsafe<{ kind?: unknown } | null>({}), { maxItems: 1000 }),
  }),
};
type SaveRequest = RequestOf<typeof saveSchema>;

/** Matches a survey's path, which becomes part of a cookie's name. */
const SURVEY_PATH = /^(\/[a-z0-9-]{1,40}){1,3}$/;

/**
 * Returns the posted visit if a step has an answer (docs/specification.md#without-javascript).
 */
function answeredVisit({ body, headers }: SaveRequest) {
  const { survey, lead_id } = body.session;
  const { [leadSecretHeader]: secret } = headers;
  if (typeof secret !== 'string' || typeof survey !== 'string') return undefined;
  if (!SURVEY_PATH.test(survey) || !SECRET.test(secret)) return undefined;
  return body.data.some((entry) => entry?.kind === 'answered')
    ? { survey, proof: { leadId: lead_id, secret } }
    : undefined;
}

export const leadRoutes: FastifyPluginAsync<ApiOptions> = async (app, { useCases, settings }) => {
  const countNonLead = app.createRateLimit(perMinute(NON_LEADS_PER_MINUTE, 'posts without a lead'));
  // Answers 200 only after the lead is on disk (docs/specification.md#post-lead).
  app.post<{ Body: Record<string, unknown> }>(
    postLeadPath,
    {
      schema: leadSchema,
      errorHandler: async (error, request, reply) => {
        const isLead = error instanceof OverLimitError || refusalOf(error).status >= 500;
        if (isLead || (await isWithin(countNonLead, request))) {
          return handleError(error, request, reply);
        }
        reply.header('retry-after', 60);
        return sendProblem(reply, 429, 'too_many_requests');
      },
    },
    (request) => useCases.acceptLead(request.body, visitorOf(request)),
  );

  const config = { rateLimit: perMinute(settings.limits.savesPerAddressPerMinute) };
  app.post(saveDataPath, { schema: saveSchema, config }, async (request: SaveRequest, reply) => {
    const saved = await useCases.saveProgress(request.body, visitorOf(request));
    const visit = answeredVisit(request);
    if (visit && saved.userBackupStatus) storeVisitProof(reply, visit.survey, visit.proof);
    return saved;
  });
};
