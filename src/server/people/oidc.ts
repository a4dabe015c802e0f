/** Signs people in by OpenID Connect. */
import * as client from 'openid-client';
import type pg from 'pg';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { refused } from '../platform/operator-error.ts';
import type { Settings } from '../settings/settings.ts';
import { emailOf } from './people.ts';
import { consumeSecret, makeSecret } from './secrets.ts';
import { openSession, type SignInBrowser } from './sign-in.ts';

const STATE_MINUTES = 10;
/** Separates the values in the cookie. The values are base64url, which has no dots. */
const SEPARATOR = '.';

type OidcIdentity = {
  readonly subject: string;
  /** The e-mail address that the provider has verified. */
  readonly email: string;
};

type OidcSettings = NonNullable<NonNullable<Settings['console']>['oidc']>;

/** Creates a client that contacts the identity provider only when a person signs in. */
export function createOidcProvider({ issuer, clientId, clientSecret }: OidcSettings) {
  // Plain HTTP is safe here, because the settings accept an http issuer only on loopback.
  const execute = [
    client.enableNonRepudiationChecks,
    ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
  ];
  let found: Promise<client.Configuration> | undefined;
  const provider = () => {
    found ??= client
      .discovery(new URL(issuer), clientId, clientSecret, undefined, { execute })
      .catch((error: unknown) => {
        found = undefined;
        throw error;
      });
    return found;
  };
  return {
    /** Starts a sign-in. Returns the URL of the provider's sign-in page and a cookie. */
    async begin(db: Queryable, redirectUri: string): Promise<{ address: string; cookie: string }> {
      const configuration = await provider();
      const [verifier, nonce] = [client.randomPKCECodeVerifier(), client.randomNonce()];
      const { secret: state } = await makeSecret(db, { kind: 'oidc', minutes: STATE_MINUTES });
      const address = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { address: address.href, cookie: [state, verifier, nonce].join(SEPARATOR) };
    },
    /**
     * Ends a sign-in, and returns the person.
     * @throws OperatorError if the sign-in was started in another browser
     */
    async finish(
      db: Queryable,
      { address, cookie = '' }: { readonly address: URL; readonly cookie: string | undefined },
    ): Promise<OidcIdentity> {
      const [state = '', verifier = '', nonce = ''] = cookie.split(SEPARATOR);
      const isStarted = verifier !== '' && nonce !== '';
      if (!isStarted || !(await consumeSecret(db, 'oidc', state))) {
        throw refused('The sign-in took too long or began in another browser. Try again.');
      }
      const configuration = await provider();
      const tokens = await client.authorizationCodeGrant(configuration, address, {
        pkceCodeVerifier: verifier,
        expectedNonce: nonce,
        expectedState: state,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (typeof claims?.email !== 'string' || claims.email_verified !== true) {
        throw refused(
          'The identity provider does not say that it has verified your e-mail address.',
        );
      }
      return { subject: claims.sub, email: claims.email };
    },
  };
}

/** Signs in the person with this e-mail address, and returns the new session's secret. */
export function signInByOidc(
  pool: pg.Pool,
  { subject, email: given }: OidcIdentity,
  browser: SignInBrowser,
): Promise<string> {
  const email = emailOf(given);
  return inTransaction(pool, async (db) => {
    const { rows } = await db.query<{ id: string }>(
      `update operators set oidc_subject = $2
       where email = $1 and disabled_at is null and (oidc_subject is null or oidc_subject = $2)
       returning id`,
      [email, subject],
    );
    const [person] = rows;
    if (person === undefined) throw refused('You have no access. Ask an admin to invite you.');
    return openSession(db, { operatorId: person.id, way: 'oidc' }, browser);
  });
}
