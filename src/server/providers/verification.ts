import type { VerificationFields } from '../accept/verify-lead.ts';
import type { Ask } from '../lookups/ask.ts';
import { jsonObject, readJson } from './answer.ts';
import { postJson, type Service } from './service.ts';

/** The longest answer to keep, in characters. */
const ANSWER_CHARACTERS = 4_000;

/**
 * Creates the verification service: `POST {address}` with five fields as JSON; the answer is a JSON
 * object and is stored unchanged (docs/specification.md#submit-sequence; we chose address and
 * answer).
 */
export function createVerificationService(
  service: Service,
): Ask<VerificationFields, Readonly<Record<string, unknown>>> {
  const read = readJson(jsonObject);
  return (fields) =>
    service.ask(postJson('', fields), (answer) =>
      answer.text.length > ANSWER_CHARACTERS ? undefined : read(answer),
    );
}
