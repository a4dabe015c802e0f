/** Routes for signing in and out, and for reading the signed-in person. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Me, SignInWays } from '../../../model/messages/console/people.ts';
import { textOf } from '../../../model/messages/console/requests.ts';
import * as people from '../../people/index.ts';
import { notFound, OperatorError } from '../../platform/operator-error.ts';
import { ownOrigin, partyOf, readCookie, writeCookie } from './access.ts';
import { type Area, anyone, viewer } from './route.ts';

const OIDC_CALLBACK = '/api/sign-in/oidc/callback';

/** Checks only the shape, because @simplewebauthn/server validates the values. */
const passkeyResponse = Type.Unsafe<AuthenticationResponseJSON>(
  Type.Object({
    id: textOf(2_000),
    rawId: textOf(2_000),
    response: Type.Object({}),
    type: textOf(20),
    clientExtensionResults: Type.Object({}),
  }),
);

export const signInArea: Area = ({ pool, settings, log }) => {
  const { companyName } = settings.site;
  const oidc = settings.console?.oidc;
  const provider = oidc && people.createOidcProvider(oidc);
  const providerOrThrow = () => {
    if (provider) return provider;
    throw notFound('There is no such sign-in.');
  };

  const browserOf = (request: FastifyRequest): people.SignInBrowser => ({
    userAgent: request.headers['user-agent'] ?? '',
    formerSecret: readCookie('session', request),
  });
  const signedIn = (reply: FastifyReply, secret: string) => {
    writeCookie('session', secret, reply);
    return reply.code(204).send();
  };
  /** Redirects to the page that explains a failed sign-in. */
  const explain = (reply: FastifyReply, error: unknown) => {
    const isRefused = error instanceof OperatorError;
    if (!isRefused) log.warn({ err: error }, 'Sign-in at the identity provider failed');
    return reply.redirect(`/sign-in?oidc=${isRefused ? 'refused' : 'failed'}`, 303);
  };

  return {
    'GET /api/sign-in': anyone({}, async (request): Promise<SignInWays> => {
      const passkey = people.canHavePasskeys(ownOrigin(request));
      return { passkey, oidc: oidc ? new URL(oidc.issuer).host : null };
    }),

    'POST /api/sign-in/link': anyone(
      { body: Type.Object({ secret: textOf(200) }) },
      async (request, reply) => {
        const { secret } = request.body;
        return signedIn(reply, await people.signInByLink(pool, secret, browserOf(request)));
      },
    ),

    'POST /api/sign-in/passkey/options': anyone({}, async (request) =>
      people.offerSignIn(pool, partyOf(request, companyName)),
    ),

    'POST /api/sign-in/passkey': anyone({ body: passkeyResponse }, async (request, reply) => {
      const party = partyOf(request, companyName);
      const secret = await people.signInByPasskey(pool, party, request.body, browserOf(request));
      return signedIn(reply, secret);
    }),

    'GET /api/sign-in/oidc': anyone({}, async (request, reply) => {
      const { begin } = providerOrThrow();
      try {
        const { address, cookie } = await begin(pool, ownOrigin(request) + OIDC_CALLBACK);
        writeCookie('oidc', cookie, reply);
        return reply.redirect(address, 303);
      } catch (error) {
        return explain(reply, error);
      }
    }),

    [`GET ${OIDC_CALLBACK}`]: anyone({}, async (request, reply) => {
      const { finish } = providerOrThrow();
      const cookie = readCookie('oidc', request);
      writeCookie('oidc', null, reply);
      const address = new URL(request.url, ownOrigin(request));
      try {
        const identity = await finish(pool, { address, cookie });
        const secret = await people.signInByOidc(pool, identity, browserOf(request));
        writeCookie('session', secret, reply);
        return reply.redirect('/', 303);
      } catch (error) {
        return explain(reply, error);
      }
    }),

    'POST /api/sign-out': viewer({}, async (request, reply) => {
      const secret = readCookie('session', request);
      if (secret !== undefined) await people.endSession(pool, secret);
      await request.audit('session.ended', request.operator.email);
      writeCookie('session', null, reply);
      return reply.code(204).send();
    }),

    'GET /api/me': viewer(
      {},
      async ({ operator, session }): Promise<Me> => ({
        ...operator,
        timeZone: settings.operatorsTimeZone,
        company: companyName,
        sessionEndsAt: session.endsAt.toISOString(),
      }),
    ),
  };
};
