import { leadSecretHeader } from '../../contract/lead.ts';

/** The headers of a JSON request about a lead: with the lead's secret, where its visit has one. */
export function jsonHeaders(secret: string | undefined): Record<string, string> {
  return {
    'content-type': 'application/json',
    ...(secret && { [leadSecretHeader]: secret }),
  };
}
