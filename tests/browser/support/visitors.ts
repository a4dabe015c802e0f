import { randomUUID } from 'node:crypto';
import type { Answers } from '../../../src/model/fields/answers.ts';
import type { FlowPath } from '../../../src/model/flows/test-support/paths.ts';

/** Area codes whose numbers 555-0100 to 555-0199 are reserved for fiction. */
const areaCodes = ['212', '213', '312', '415', '512', '602', '702', '713', '818', '917'];

/** Returns a different fictional phone number for each `index` from 0 to 999. */
export function fictionalPhone(index: number): string {
  const area = areaCodes[Math.floor(index / 100) % areaCodes.length];
  return `${area}55501${String(index % 100).padStart(2, '0')}`;
}

/** Returns the path with the phone number and the e-mail address of visitor number `index`. */
export function asVisitor({ steps, answers }: FlowPath, index: number): FlowPath {
  const phone = fictionalPhone(index);
  const email = `visitor.${index}.${randomUUID().slice(0, 8)}@example.com`;
  const own = Object.entries(answers).map(([step, given]): [string, Answers] => [
    step,
    { ...given, ...(given.phone && { phone }), ...(given.email && { email }) },
  ]);
  return { steps, answers: Object.fromEntries(own) };
}
