import type { VerificationFields } from '../accept/verify-lead.ts';
import type { Ask } from '../lookups/ask.ts';
import type { Service } from './service.ts';

/** The longest answer to keep, in characters. */
const ANSWER_CHARACTERS = 4_000;

/**
 * `POST {address}` with five fields as JSON; the answer is a JSON object and is stored unchanged
 * (docs/specification.md#submit-sequence; we chose address and answer).
 */
export function createVerificationService(
  service: Service,
): Ask<VerificationFields, Readonly<Record<string, unknown>>> {
  return (fields) =>
    service.ask(
      {
        method: 'POST',
        path: '',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      },
      ({ status, text, truncated }) => {
        if (status < 200 || status > 299 || truncated || text.length > ANSWER_CHARACTERS) {
          return undefined;
        }
        const said: unknown = JSON.parse(text);
        const isObject = typeof said === 'object' && said !== null && !Array.isArray(said);
        return isObject ? (said as Record<string, unknown>) : undefined;
      },
    );
}
