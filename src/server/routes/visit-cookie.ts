/** The cookie that says whose visit it is, where a survey is answered by forms. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VisitProof } from '../visits/form-taking.ts';
import { leadIdSchema } from './schemas.ts';
import { setSiteCookie, siteCookie } from './site-cookie.ts';

/** As long as a visit is taken up again. */
const LIFETIME_SECONDS = 24 * 60 * 60;

const LEAD_ID = new RegExp(leadIdSchema.pattern);
/** The shape of a lead's secret. */
export const SECRET = /^[0-9a-f]{32}$/;

/** Returns a name of the survey's own: the visits of two surveys are kept beside each other. */
function nameOf(survey: string): string {
  return `visit${survey.replaceAll('/', '_')}`;
}

/** Whose visit of a survey the request says it is; undefined: it does not, or not so that we understand. */
export function visitProof(request: FastifyRequest, survey: string): VisitProof | undefined {
  const [leadId = '', secret = ''] = siteCookie(request, nameOf(survey)).split('.');
  return LEAD_ID.test(leadId) && SECRET.test(secret)
    ? { leadId: leadId.toLowerCase(), secret }
    : undefined;
}

/** Gives the visitor's browser the proof that a visit is its own. Null: takes it back. */
export function keepVisitProof(
  request: FastifyRequest,
  reply: FastifyReply,
  survey: string,
  proof: VisitProof | null,
): void {
  setSiteCookie(request, reply, {
    name: nameOf(survey),
    value: proof ? `${proof.leadId}.${proof.secret}` : '',
    maxAgeSeconds: proof ? LIFETIME_SECONDS : 0,
  });
}
