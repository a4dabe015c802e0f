/** Reads the visitor and the visitor's visit from a request. */
import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import { parseCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { askedFields } from '../../model/fields/asked-fields.ts';
import { adCookieNames } from '../../model/fields/tracking.ts';
import { assignmentText, type Experiment, readAssignment } from '../../model/flows/experiments.ts';
import type { Visitor } from '../../model/lead/context.ts';
import { leadId } from '../../model/messages/console/requests.ts';
import { leadSecretHeader } from '../../model/messages/lead.ts';
import type { VisitProof } from '../leads/index.ts';
import type { OwnedLead } from '../platform/owned-lead.ts';
import { setSiteCookie, siteCookie } from '../platform/site-cookie.ts';

declare module 'fastify' {
  interface FastifyInstance {
    experiments?: readonly Experiment[];
    /**
     * The header in which the content delivery network sends the visitor's IP address
     * (docs/specification.md#visitors-address).
     */
    visitorAddressHeader?: string | undefined;
    visitorStateHeader?: string | undefined;
  }
}

/** Maximum length of the stored `User-Agent`. Longer values are cut. */
const USER_AGENT_CHARACTERS = 500;

/** Returns the visitor who sent a request. */
export function visitorOf(request: FastifyRequest): Visitor {
  const { headers, server } = request;
  const header = proxyHeader(request, server.visitorAddressHeader);
  const given = [header, request.ip, request.socket.remoteAddress];
  const address = given.map(plainAddress).find((each) => each !== undefined) ?? '';
  return {
    address,
    addressKey: normalizeIP(address, 64),
    networkKey: normalizeIP(address, 48),
    state: stateOf(request),
    userAgent: (headers['user-agent'] ?? '').slice(0, USER_AGENT_CHARACTERS),
    ...signalOrAdCookies(request),
    variants: variantsOf(request),
    secretSha256: secretSha256(request),
    page: withoutQuery(headers.referer),
    siteOrigin: siteOriginOf(request),
  };
}

/** The name of the first-party cookie with a visitor's experiment variants. */
export const VARIANTS_COOKIE = 'variants';

/** Returns the visitor's variants of running experiments as text; '' if there are none. */
export function variantsOf(request: FastifyRequest): string {
  const running = (request.server.experiments ?? []).filter(({ surveys }) => surveys.length > 0);
  return assignmentText(readAssignment(siteCookie(request, VARIANTS_COOKIE), running));
}

/** Maximum length of an advertising cookie. Longer cookies are ignored. */
const AD_COOKIE_CHARACTERS = 500;

/** Returns the opt-out signal (Sec-GPC) if the browser sends it, else the advertising cookies. */
function signalOrAdCookies({ headers }: FastifyRequest): Pick<Visitor, 'secGpc' | 'adCookies'> {
  if (headers['sec-gpc'] === '1') return { secGpc: true };
  if (!headers.cookie) return { secGpc: false };
  const cookies = parseCookie(headers.cookie);
  const adCookies = Object.fromEntries(
    adCookieNames.flatMap((name) => {
      const value = cookies[name] ?? '';
      return value === '' || value.length > AD_COOKIE_CHARACTERS ? [] : [[name, value]];
    }),
  );
  return { secGpc: false, adCookies };
}

/** Returns the site's origin as the browser sees it; localhost if the `Host` header is invalid. */
export function siteOriginOf(request: FastifyRequest): string {
  // A proxy may send any text as the protocol.
  const scheme = request.protocol.toLowerCase() === 'https' ? 'https' : 'http';
  return URL.parse(`${scheme}://${request.host}`)?.origin ?? `${scheme}://localhost`;
}

/** Returns the lead id with the hash of the browser's secret; undefined without a lead id. */
export function leadOf(request: FastifyRequest, leadId: string | undefined): OwnedLead | undefined {
  return leadId === undefined
    ? undefined
    : { leadId: leadId.toLowerCase(), secretSha256: secretSha256(request) };
}

function secretSha256({ headers: { [leadSecretHeader]: secret } }: FastifyRequest): string | null {
  return secret ? hash('sha256', String(secret), 'base64url') : null;
}

function withoutQuery(address = ''): string {
  const url = URL.parse(address);
  return url ? url.origin + url.pathname : '';
}

const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Returns an IP address in the form that buyers accept, such as IPv4 without a port. */
export function plainAddress(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const [, bracketed, dotted] = WITH_PORT.exec(given.trim()) ?? [];
  const bare = (bracketed ?? dotted ?? given.trim()).replace(/%.*$/, '');
  const address = MAPPED.exec(bare)?.[1] ?? bare;
  return isIP(address) === 0 ? undefined : address;
}

/** Returns a header of a trusted proxy's request, because visitors could forge the header. */
function proxyHeader(request: FastifyRequest, name = ''): string | undefined {
  // If a trusted proxy sent the request, `ips` has at least two IP addresses: proxy and visitor.
  const isThroughProxy = (request.ips?.length ?? 0) > 1;
  const given = request.headers[name];
  return isThroughProxy && typeof given === 'string' ? given : undefined;
}

/** Returns the US state in a trusted proxy's header (`AL` or `US-AL`); '' if there is none. */
function stateOf(request: FastifyRequest): string {
  const header = proxyHeader(request, request.server.visitorStateHeader);
  const code = header?.trim().toUpperCase().replace(/^US-/, '') ?? '';
  return askedFields.state.values?.includes(code) ? code : '';
}

/** The lifetime of a visit's cookie. The visitor can resume the visit during this time. */
const PROOF_SECONDS = 24 * 60 * 60;

export const LEAD_ID = new RegExp(leadId.pattern ?? '');
export const SECRET = /^[0-9a-f]{32}$/;

/** Returns the name of a survey's cookie. */
function nameOf(survey: string): string {
  return `visit${survey.replaceAll('/', '_')}`;
}

/** Returns the visit's id and secret from its cookie; undefined if the cookie is invalid. */
export function visitProof(request: FastifyRequest, survey: string): VisitProof | undefined {
  const [leadId = '', secret = ''] = siteCookie(request, nameOf(survey)).split('.');
  return LEAD_ID.test(leadId) && SECRET.test(secret)
    ? { leadId: leadId.toLowerCase(), secret }
    : undefined;
}

/** Stores the visit's id and secret in a cookie. Null deletes the cookie. */
export function storeVisitProof(
  reply: FastifyReply,
  survey: string,
  proof: VisitProof | null,
): void {
  setSiteCookie(reply, {
    name: nameOf(survey),
    value: proof ? `${proof.leadId}.${proof.secret}` : '',
    maxAgeSeconds: proof ? PROOF_SECONDS : 0,
  });
}
