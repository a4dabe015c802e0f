import { leadSecretHeader } from '../../contract/lead.ts';

/** Returns the headers of a JSON request about a lead, with the lead's secret if known. */
export function jsonHeaders(secret: string | undefined): Record<string, string> {
  return {
    'content-type': 'application/json',
    ...(secret && { [leadSecretHeader]: secret }),
  };
}
