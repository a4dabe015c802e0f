import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { leadSecretHeader } from '../../model/messages/lead.ts';
import { saveDataPath } from '../../model/messages/progress.ts';
import { leadIdSchema, objectOf, perMinute } from './limits.ts';
import type { UseCases } from './use-cases.ts';
import { keepVisitProof, SECRET } from './visit-cookie.ts';
import { visitorOf } from './visitor.ts';

/** Paths that are safe in a cookie. */
const SURVEY_PATH = /^(\/[a-z0-9-]{1,40}){1,3}$/;

const boolean = { type: 'boolean' };
const schema = {
  body: objectOf({
    session: objectOf({ lead_id: leadIdSchema }),
    // The use case reads entries one by one, so that a bad one does not lose the good ones.
    data: { type: 'array', maxItems: 1000 },
  }),
  response: { 200: objectOf({ userBackupStatus: boolean, userProgressionStatus: boolean }) },
};

/**
 * Returns the visit and its proof if a save contains an answer. If the page's script is lost later, the visit
 * can continue with posted forms (docs/specification.md#without-javascript).
 */
function answeredVisit(request: FastifyRequest) {
  const { session, data } = request.body as {
    session: { lead_id: string; survey?: unknown };
    data: readonly { readonly kind?: unknown }[];
  };
  const { [leadSecretHeader]: secret } = request.headers;
  const { survey, lead_id: leadId } = session;
  if (typeof secret !== 'string' || typeof survey !== 'string') return undefined;
  if (!SURVEY_PATH.test(survey) || !SECRET.test(secret)) return undefined;
  return data.some((entry) => entry?.kind === 'answered')
    ? { survey, proof: { leadId, secret } }
    : undefined;
}

/** `POST /api/save-data` (docs/specification.md#saving-progress): stores the visitor's steps. */
export const saveDataRoute: FastifyPluginAsync<{
  saveProgress: UseCases['saveProgress'];
  savesPerAddressPerMinute: number;
}> = async (app, { saveProgress, savesPerAddressPerMinute }) => {
  app.post(
    saveDataPath,
    { schema, config: { rateLimit: perMinute(savesPerAddressPerMinute) } },
    async (request, reply) => {
      const saved = await saveProgress(request.body as Record<string, unknown>, visitorOf(request));
      const visit = answeredVisit(request);
      if (visit && saved.userBackupStatus) {
        keepVisitProof(request, reply, visit.survey, visit.proof);
      }
      return saved;
    },
  );
};
