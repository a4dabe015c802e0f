import { leadSecretHeader } from '../../../model/messages/lead.ts';

export function wait(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}

/** Returns the headers of a JSON request about a lead, with the lead's secret if any. */
export function jsonHeaders(secret: string | undefined): Record<string, string> {
  return {
    'content-type': 'application/json',
    ...(secret && { [leadSecretHeader]: secret }),
  };
}

/** Returns a signal that aborts after `ms`. The browsers of 2022 have no `AbortSignal.timeout`. */
export function endAfter(ms: number): AbortSignal {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), ms);
  return abort.signal;
}

type PostOptions = {
  readonly secret: string | undefined;
  readonly waitMs: number;
  readonly keepalive?: boolean;
};

/** Posts JSON about a lead to our server. */
export function postJson(
  path: string,
  body: string,
  { secret, waitMs, keepalive = false }: PostOptions,
): Promise<Response> {
  const headers = jsonHeaders(secret);
  return fetch(path, { method: 'POST', headers, body, keepalive, signal: endAfter(waitMs) });
}

/** Posts JSON about a lead and returns our server's answer. Rejects if the request fails. */
export async function askServer<Answer>(
  path: string,
  body: object,
  options: PostOptions,
): Promise<Answer> {
  const response = await postJson(path, JSON.stringify(body), options);
  if (!response.ok) throw new Error();
  return response.json();
}
