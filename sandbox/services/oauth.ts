import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import { matching, reply, type StandIn, takes } from '../service.ts';

const { microsoft } = credentials;
const firstToken = microsoft.MICROSOFT_ADS_REFRESH_TOKEN;
const nextToken = `${firstToken}-2`;

const jwtForm = v.strictObject({
  grant_type: v.literal('urn:ietf:params:oauth:grant-type:jwt-bearer'),
  assertion: matching(/^[\w-]+\.[\w-]+\.[\w-]+$/, 'a signed JWT'),
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

/** Creates a handler that gives an access token for a valid form. It checks no signature. */
const gives = (form: v.GenericSchema, access_token: string, refresh_token?: string) =>
  takes(
    'form',
    form,
    () => reply({ token_type: 'Bearer', access_token, expires_in: 3_600, refresh_token }),
    () => ({ status: 400, body: { error: 'invalid_grant' } }),
  );

/** The stand-in for the services that give access tokens for Google's and Microsoft's APIs. */
export const standIns: readonly StandIn[] = [
  {
    name: 'oauth',
    routes: {
      'POST /oauth/google/token': gives(jwtForm, accessTokens.google),
      'POST /oauth/microsoft/token': gives(refreshForm, accessTokens.microsoft, nextToken),
    },
  },
];
