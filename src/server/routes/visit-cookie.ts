/** The cookie that says whose visit it is, where a survey is answered by forms. */
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VisitProof } from '../leads/form-taking.ts';
import { leadIdSchema } from './schemas.ts';

/** As long as a visit is taken up again. */
const LIFETIME_SECONDS = 24 * 60 * 60;

const LEAD_ID = new RegExp(leadIdSchema.pattern);
/** The shape of a lead's secret. */
export const SECRET = /^[0-9a-f]{32}$/;

/** Of the survey in the name: the path of a survey may be the beginning of another's. */
function nameOf(survey: string): string {
  return `visit${survey.replaceAll('/', '_')}`;
}

/** Whose visit of a survey the request says it is; undefined: it does not, or not so that we understand. */
export function visitProof(request: FastifyRequest, survey: string): VisitProof | undefined {
  const given = parseCookie(request.headers.cookie ?? '')[nameOf(survey)] ?? '';
  const [leadId = '', secret = ''] = given.split('.');
  return LEAD_ID.test(leadId) && SECRET.test(secret)
    ? { leadId: leadId.toLowerCase(), secret }
    : undefined;
}

/**
 * Gives the visitor's browser the proof that a visit is its own, for the addresses of that survey only; no
 * script reads it. Null: takes it back.
 */
export function keepVisitProof(
  request: FastifyRequest,
  reply: FastifyReply,
  survey: string,
  proof: VisitProof | null,
  publicUrl: string | undefined,
): void {
  reply.header(
    'set-cookie',
    stringifySetCookie({
      name: nameOf(survey),
      value: proof ? `${proof.leadId}.${proof.secret}` : '',
      path: survey,
      maxAge: proof ? LIFETIME_SECONDS : 0,
      httpOnly: true,
      sameSite: 'lax',
      // A proxy that is not trusted with the protocol still stands on an address of https.
      secure: request.protocol === 'https' || (publicUrl?.startsWith('https:') ?? false),
    }),
  );
}
