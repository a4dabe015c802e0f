import type { Answers, AskedFieldName } from '../../domain/answers.ts';
import { inputFields, type Step } from '../../flows/engine/flow.ts';

/** Returns the values of a form's inputs, as typed. */
export function readForm(form: HTMLFormElement, step: Step): Answers {
  const data = new FormData(form);
  const values: Partial<Record<AskedFieldName, string>> = {};
  for (const field of inputFields(step)) {
    // Boxes of one name are a list; where none is ticked, that is an answer as well.
    const value = field === 'selected_buyers' ? data.getAll(field).join(',') : data.get(field);
    if (typeof value === 'string') values[field] = value;
  }
  return values;
}
