import { createPublicKey } from 'node:crypto';
import { jwtVerify } from 'jose';
import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import { act, refuse, type StandIn, takes } from '../service.ts';

const TOKEN_SECONDS = 3_600;
const { MICROSOFT_ADS_REFRESH_TOKEN: firstToken, ...microsoft } = credentials.microsoft;
const nextToken = `${firstToken}-2`;

const jwtForm = v.strictObject({
  grant_type: v.literal('urn:ietf:params:oauth:grant-type:jwt-bearer'),
  assertion: v.string(),
});

const refreshForm = v.strictObject({
  grant_type: v.literal('refresh_token'),
  client_id: v.literal(microsoft.MICROSOFT_ADS_CLIENT_ID),
  client_secret: v.literal(microsoft.MICROSOFT_ADS_CLIENT_SECRET),
  // Each use gives a new refresh token. The old one stays valid.
  refresh_token: v.picklist([firstToken, nextToken]),
  scope: v.literal('https://ads.microsoft.com/msads.manage offline_access'),
});

/** The access tokens that the stand-in gives for the APIs of the ad platforms. */
export const accessTokens = {
  google: 'sandbox-google-token',
  microsoft: 'sandbox-microsoft-token',
};

const grant = (access_token: string, refresh_token?: string) => ({
  status: 200,
  body: { token_type: 'Bearer', access_token, expires_in: TOKEN_SECONDS, refresh_token },
});
const refusal = { status: 400, body: { error: 'invalid_grant' } };

/** The stand-in for the services that give access tokens for Google's and Microsoft's APIs. */
export const standIns: readonly StandIn[] = [
  ({ now }) => {
    const publicKey = createPublicKey(credentials.googlePrivateKey);
    return {
      name: 'oauth',
      routes: {
        'POST /oauth/google/token': takes(
          'form',
          jwtForm,
          async ({ assertion }, { headers }) => {
            try {
              await jwtVerify(assertion, publicKey, {
                algorithms: ['RS256'],
                issuer: credentials.googleServiceAccount,
                audience: `http://${headers.host}/oauth/google/token`,
                maxTokenAge: TOKEN_SECONDS,
                currentDate: now(),
                requiredClaims: ['iat', 'exp', 'scope'],
              });
            } catch (error) {
              return refuse(`assertion: ${(error as Error).message}`, refusal);
            }
            return act(() => grant(accessTokens.google));
          },
          () => refusal,
        ),
        'POST /oauth/microsoft/token': takes(
          'form',
          refreshForm,
          () => act(() => grant(accessTokens.microsoft, nextToken)),
          () => refusal,
        ),
      },
    };
  },
];
