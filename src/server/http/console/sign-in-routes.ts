/** Signing in and out, and who is signed in. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Me, SignInWays } from '../../../model/messages/console/people.ts';
import { textOf } from '../../../model/messages/console/requests.ts';
import { addAuditEntry } from '../../people/audit.ts';
import { createOidcProvider, signInByOidc } from '../../people/oidc.ts';
import {
  canHavePasskeys,
  listPasskeys,
  offerSignIn,
  type RelyingParty,
  signInByPasskey,
} from '../../people/passkeys.ts';
import { endSession } from '../../people/sessions.ts';
import { type SignInBrowser, signInByLink } from '../../people/sign-in.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { perMinute } from '../route-options.ts';
import { type ConsoleRoutes, viewer } from './context.ts';
import { ownOrigin } from './guard.ts';
import { readCookie, writeCookie } from './session-cookie.ts';

const OIDC_CALLBACK = '/api/sign-in/oidc/callback';

/** The library checks the parts. */
const passkeyResponse = Type.Unsafe<AuthenticationResponseJSON>(
  Type.Object({
    id: textOf(2_000),
    rawId: textOf(2_000),
    response: Type.Object({}),
    type: textOf(20),
    clientExtensionResults: Type.Object({}),
  }),
);

/** For each address. A secret cannot be guessed; this keeps the work of refusing small. */
const open = { role: 'none', rateLimit: perMinute(20) } as const;

/** The routes of signing in. Those with the role `none` answer to everybody. */
export const signInRoutes: ConsoleRoutes = async (app, { context }) => {
  const { pool, settings, log } = context;
  const publicUrl = settings.console?.url;
  const oidc = settings.console?.oidc;
  const provider = oidc && createOidcProvider(oidc);

  const browserOf = (request: FastifyRequest): SignInBrowser => ({
    userAgent: request.headers['user-agent'] ?? '',
    formerSecret: readCookie('session', request, publicUrl),
  });
  const signedIn = (request: FastifyRequest, reply: FastifyReply, secret: string) => {
    writeCookie('session', secret, { request, reply }, publicUrl);
    return reply.code(204).send();
  };

  app.get(
    '/api/sign-in',
    { config: open },
    async (request): Promise<SignInWays> => ({
      passkey: canHavePasskeys(ownOrigin(request, publicUrl)),
      oidc: oidc ? new URL(oidc.issuer).host : null,
    }),
  );

  app.post(
    '/api/sign-in/link',
    { config: open, schema: { body: Type.Object({ secret: textOf(200) }) } },
    async (request, reply) => {
      const { secret } = request.body;
      return signedIn(request, reply, await signInByLink(pool, secret, browserOf(request)));
    },
  );

  app.post('/api/sign-in/passkey/options', { config: open }, async (request) =>
    offerSignIn(pool, partyOf(request, settings)),
  );

  app.post(
    '/api/sign-in/passkey',
    { config: open, schema: { body: passkeyResponse } },
    async (request, reply) => {
      const party = partyOf(request, settings);
      const secret = await signInByPasskey(pool, party, request.body, browserOf(request));
      return signedIn(request, reply, secret);
    },
  );

  /** The page explains a failure; the provider's answer may quote the address. */
  const explain = (reply: FastifyReply, error: unknown) => {
    const isRefused = error instanceof OperatorError;
    if (!isRefused) log.warn({ err: error }, 'Sign-in at the identity provider failed');
    return reply.redirect(`/sign-in?oidc=${isRefused ? 'refused' : 'failed'}`, 303);
  };

  app.get('/api/sign-in/oidc', { config: open }, async (request, reply) => {
    if (provider === undefined) throw noProvider();
    try {
      const redirectUri = ownOrigin(request, publicUrl) + OIDC_CALLBACK;
      const { address, kept } = await provider.begin(pool, redirectUri);
      writeCookie('oidc', kept, { request, reply }, publicUrl);
      return reply.redirect(address, 303);
    } catch (error) {
      return explain(reply, error);
    }
  });

  app.get(OIDC_CALLBACK, { config: open }, async (request, reply) => {
    if (provider === undefined) throw noProvider();
    const at = { request, reply };
    const kept = readCookie('oidc', request, publicUrl);
    writeCookie('oidc', null, at, publicUrl);
    const address = new URL(request.url, ownOrigin(request, publicUrl));
    try {
      const identity = await provider.finish(pool, { address, kept });
      const secret = await signInByOidc(pool, identity, oidc?.domain, browserOf(request));
      writeCookie('session', secret, at, publicUrl);
      return reply.redirect('/', 303);
    } catch (error) {
      return explain(reply, error);
    }
  });

  app.post('/api/sign-out', viewer(), async (request, reply) => {
    const { email } = request.operator;
    const secret = readCookie('session', request, publicUrl);
    if (secret !== undefined) await endSession(pool, secret);
    await addAuditEntry(pool, { actor: email, action: 'session.ended', subject: email });
    writeCookie('session', null, { request, reply }, publicUrl);
    return reply.code(204).send();
  });

  app.get('/api/me', viewer(), async (request): Promise<Me> => {
    const { operator, session } = request;
    const passkeys = await listPasskeys(pool, operator.id);
    return {
      ...operator,
      timeZone: settings.operatorsTimeZone,
      company: settings.site.companyName,
      hasPasskey: passkeys.length > 0,
      sessionEndsAt: session.endsAt.toISOString(),
    };
  });
};

function noProvider(): OperatorError {
  return new OperatorError('not_found', 'There is no such sign-in.');
}

/** Returns the site to which passkeys of this request belong. @throws OperatorError where there can be none */
export function partyOf(
  request: FastifyRequest,
  {
    console: own,
    site,
  }: { console: { url: string | undefined } | undefined; site: { companyName: string } },
): RelyingParty {
  const origin = ownOrigin(request, own?.url);
  if (canHavePasskeys(origin)) return { origin, name: `${site.companyName} console` };
  throw new OperatorError('refused', 'Passkeys need a name in the address, such as localhost.');
}
