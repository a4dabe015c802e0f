import { describe, expect, test } from 'vitest';
import { rareWords } from '../../../../content/rare-words.ts';
import { askedFields } from '../../../model/fields/asked-fields.ts';
import type { FieldError, FieldRule } from '../../../model/fields/field-rules.ts';
import { languages } from '../../../model/fields/language.ts';
import { type Flow, inputFields } from '../../../model/flows/engine/flow.ts';
import { flowLoaders } from '../../../model/flows/surveys.ts';
import { check } from '../../../model/flows/test-support/check.ts';
import { texts } from './texts.ts';

const flows: Flow[] = await Promise.all(Object.values(flowLoaders).map((load) => load()));

/** The errors that each kind of a field can have. */
const errorsOf: Readonly<Partial<Record<FieldRule['kind'], readonly FieldError[]>>> = {
  choice: ['required', 'invalid'],
  text: ['required', 'too_long'],
  name: ['required', 'too_long', 'doubtful'],
  email: [
    ...(['required', 'invalid', 'no_at', 'has_space', 'several'] as const),
    ...(['too_long', 'not_reachable', 'doubtful'] as const),
  ],
  phone: ['required', 'too_short', 'too_many_digits', 'area_code', 'invalid', 'not_reachable'],
  zip: ['required', 'too_short', 'invalid', 'unknown_zip'],
  month: ['required', 'invalid', 'in_future'],
  year: ['required', 'invalid', 'in_future'],
  day: ['required', 'invalid', 'in_future'],
  number: ['required', 'invalid'],
  description: ['required', 'too_short', 'too_few_words', 'too_long'],
};

/** Returns all strings of a nested object with their paths. */
function leaves(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, each]) => leaves(each, `${path}.${key}`));
}

describe('the texts of the surveys', () => {
  test.each(flows.map((flow) => [flow.id, flow] as const))(
    'are complete for the flow %s',
    (_, flow) => {
      expect(check(flow, texts)).toEqual([]);
    },
  );

  test('have the same keys and placeholders in both languages', () => {
    const shape = (language: 'en' | 'es') =>
      leaves([texts[language], rareWords[language]])
        .map(([path, text]) => [path, ...(text.match(/\{\w+\}/g) ?? []).toSorted()].join(' '))
        .toSorted();
    expect(shape('es')).toEqual(shape('en'));
  });

  test('are translated into Spanish', () => {
    const english = new Map(leaves([texts.en, rareWords.en]));
    for (const [path, text] of leaves([texts.es, rareWords.es])) {
      expect(text.trim(), path).not.toBe('');
      if (text.length > 6 && !path.includes('counter')) {
        expect(text, path).not.toBe(english.get(path));
      }
    }
  });

  test.each(languages)(
    'include a sentence for every error of a field in the language %s',
    (language) => {
      for (const flow of flows) {
        for (const field of Object.values(flow.steps).flatMap((step) => inputFields(step))) {
          const sentences = Object.keys(texts[language].fields[field]?.errors ?? {});
          const { kind, optional } = askedFields[field];
          const errors = errorsOf[kind]?.filter((error) => !(optional && error === 'required'));
          expect(sentences, field).toEqual(expect.arrayContaining(errors ?? []));
        }
      }
    },
  );
});
