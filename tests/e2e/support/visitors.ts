import { randomUUID } from 'node:crypto';
import type { Answers } from '../../../src/domain/answers.ts';
import type { FlowPath } from '../../../src/flows/engine/paths.ts';

/** Area codes whose numbers 555-0100 to 555-0199 are reserved for fiction. */
const areaCodes = ['212', '213', '312', '415', '512', '602', '702', '713', '818', '917'];

/** Returns a fictional phone number, a different one for every `index` from 0 to 999. */
export function fictionalPhone(index: number): string {
  const area = areaCodes[Math.floor(index / 100) % areaCodes.length];
  return `${area}55501${String(index % 100).padStart(2, '0')}`;
}

/** Returns the path as another visitor: an ingest service identifies visitors by phone and e-mail. */
export function asVisitor(path: FlowPath, index: number): FlowPath {
  const own: Answers = {
    phone: fictionalPhone(index),
    email: `visitor.${index}.${randomUUID().slice(0, 8)}@example.com`,
  };
  const answers = Object.fromEntries(
    Object.entries(path.answers).map(([step, given]) => [
      step,
      Object.fromEntries(
        Object.entries(given).map(([field, value]) => [
          field,
          own[field as keyof Answers] ?? value,
        ]),
      ),
    ]),
  );
  return { steps: path.steps, answers };
}
