import { leadSecretHeader } from '../../../model/messages/lead.ts';

export function wait(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}

/** Returns the headers of a JSON request about a lead, with the lead's secret if known. */
export function jsonHeaders(secret: string | undefined): Record<string, string> {
  return {
    'content-type': 'application/json',
    ...(secret && { [leadSecretHeader]: secret }),
  };
}

/** Returns a signal that ends a request after a time. Browsers of 2022 lack `AbortSignal.timeout`. */
export function endAfter(ms: number): AbortSignal {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), ms);
  return abort.signal;
}
