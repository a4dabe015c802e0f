/** Settings of the operators' console (docs/decisions/0067-console.md). */
import { isLoopback } from '../platform/host-names.ts';
import { checkAccount } from './read-variables.ts';
import type { VariableValues } from './variables.ts';

/** Returns where the console listens and how people sign in; undefined: it is off. Port 0 picks a free port. */
export function consoleSettings(values: VariableValues) {
  const { PORT, CONSOLE_PORT, CONSOLE_HOST: host, CONSOLE_URL: url } = values;
  if (CONSOLE_PORT === undefined) return undefined;
  const { CONSOLE_OIDC_ISSUER: issuer, CONSOLE_OIDC_CLIENT_ID: clientId } = values;
  const { CONSOLE_OIDC_CLIENT_SECRET: clientSecret, CONSOLE_OIDC_DOMAIN: domain } = values;
  const next = PORT === 0 ? 0 : PORT === 65_535 ? PORT - 1 : PORT + 1;
  return {
    host,
    port: CONSOLE_PORT === 'auto' ? next : CONSOLE_PORT,
    /** The origin that operators see. Undefined: the address that the console listens on. */
    url,
    /**
     * An identity provider that knows the operators (OpenID Connect); undefined: only our own links sign in. People
     * with a verified address of `domain` are let in as viewers; undefined: only invited people.
     */
    oidc:
      issuer && clientId && clientSecret ? { issuer, clientId, clientSecret, domain } : undefined,
  };
}

/** Returns a sentence for each setting of the console that needs another one. */
export function consoleProblems(values: Partial<VariableValues>): string[] {
  const { CONSOLE_PORT, CONSOLE_HOST: host, CONSOLE_URL: url, TRUSTED_PROXIES } = values;
  const problems: string[] = [];
  // A container listens for all, and its port may be published on the machine's loopback only.
  const isPublishedHere = url !== undefined && isLoopback(new URL(url).hostname);
  const isOpen =
    CONSOLE_PORT !== undefined && host !== undefined && !isLoopback(host) && !isPublishedHere;
  if (isOpen && (TRUSTED_PROXIES?.length === 0 || !url?.startsWith('https:'))) {
    problems.push(
      `CONSOLE_HOST is "${host}", which other machines can reach: name the proxy that has https in ` +
        'TRUSTED_PROXIES and its address in CONSOLE_URL ("https://…"), or set CONSOLE_HOST to localhost. A container ' +
        'whose port is published on loopback only needs CONSOLE_URL="http://localhost:3001"',
    );
  }
  const account = [
    'CONSOLE_OIDC_ISSUER',
    'CONSOLE_OIDC_CLIENT_ID',
    'CONSOLE_OIDC_CLIENT_SECRET',
  ] as const;
  const why = `sign-in by OpenID Connect needs ${account.join(', ')}`;
  const isGiven = checkAccount(account, values, problems, () => why);
  if (!isGiven && values.CONSOLE_OIDC_DOMAIN !== undefined) {
    problems.push(`CONSOLE_OIDC_ISSUER is missing: ${why}`);
  }
  return problems;
}
