import { createPrivateKey, createPublicKey } from 'node:crypto';
import { jwtVerify } from 'jose';
import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import { read } from '../requests.ts';
import { act, refuse, type StandIn, takes } from '../service.ts';

const TOKEN_SECONDS = 3_600;
const privateKey = createPrivateKey(credentials.googlePrivateKey);

const jwtForm = v.strictObject({
  grant_type: v.literal('urn:ietf:params:oauth:grant-type:jwt-bearer'),
  assertion: v.string(),
});

const refreshForm = v.strictObject({
  grant_type: v.literal('refresh_token'),
  client_id: v.literal(credentials.microsoftClientId),
  client_secret: v.literal(credentials.microsoftClientSecret),
  refresh_token: v.string(),
  scope: v.literal('https://ads.microsoft.com/msads.manage offline_access'),
});

/** Returns whether the authorization is a token that the stand-in gives for an ad platform. */
export const isTokenOf = (platform: string, authorization: string | undefined): boolean =>
  /^Bearer (\S+)-token-\d+$/.exec(authorization ?? '')?.[1] === platform;

const grantRefusal = { status: 400, body: { error: 'invalid_grant' } };

/** The stand-in for the services that give access tokens for Google's and Microsoft's APIs. */
export const standIns: readonly StandIn[] = [
  ({ now, memory }) => {
    const refreshTokens = memory<true>();
    let given = 0;
    const grant = (platform: string, more: Record<string, string> = {}) => {
      given += 1;
      const access_token = `${platform}-token-${given}`;
      const body = { token_type: 'Bearer', access_token, expires_in: TOKEN_SECONDS, ...more };
      return { status: 200, body };
    };

    return {
      name: 'oauth',
      routes: {
        async 'POST /oauth/google/token'(exchange) {
          const form = read('form', jwtForm, exchange);
          if (!form.ok) return refuse(form.violations, grantRefusal);
          try {
            await jwtVerify(form.value.assertion, createPublicKey(privateKey), {
              algorithms: ['RS256'],
              issuer: credentials.googleServiceAccount,
              audience: `http://${exchange.headers.host}/oauth/google/token`,
              maxTokenAge: TOKEN_SECONDS,
              currentDate: now(),
              requiredClaims: ['iat', 'exp', 'scope'],
            });
          } catch (error) {
            return refuse(`assertion: ${(error as Error).message}`, grantRefusal);
          }
          return act(() => grant('google'));
        },
        'POST /oauth/microsoft/token': takes(
          'form',
          refreshForm,
          ({ refresh_token: used }) => {
            if (used !== credentials.microsoftRefreshToken && !refreshTokens.get(used)) {
              return refuse('refresh_token: unknown', grantRefusal);
            }
            return act(() => {
              // Each use gives a new refresh token. The old one stays valid.
              const refresh_token = `sandbox-microsoft-refresh-${given + 1}`;
              refreshTokens.set(refresh_token, true);
              return grant('microsoft', { refresh_token });
            });
          },
          () => grantRefusal,
        ),
      },
    };
  },
];
