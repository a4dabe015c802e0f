/** The cookie that proves who owns a visit, for surveys answered by posted forms. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VisitProof } from '../leads/index.ts';
import { setSiteCookie, siteCookie } from '../platform/site-cookie.ts';
import { LEAD_ID } from './limits.ts';

/** As long as a visit can be resumed. */
const LIFETIME_SECONDS = 24 * 60 * 60;

/** Matches a lead's secret. */
export const SECRET = /^[0-9a-f]{32}$/;

/** Returns the cookie's name for a survey, so that visits of several surveys can coexist. */
function nameOf(survey: string): string {
  return `visit${survey.replaceAll('/', '_')}`;
}

/** Returns the visit that the request's cookie proves, or undefined if it is missing or invalid. */
export function visitProof(request: FastifyRequest, survey: string): VisitProof | undefined {
  const [leadId = '', secret = ''] = siteCookie(request, nameOf(survey)).split('.');
  return LEAD_ID.test(leadId) && SECRET.test(secret)
    ? { leadId: leadId.toLowerCase(), secret }
    : undefined;
}

/** Stores the proof of a visit in the visitor's browser; null deletes it. */
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
