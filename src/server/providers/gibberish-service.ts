import * as v from 'valibot';
import type { Ask } from '../lookups/ask.ts';
import { readJson } from './answer.ts';
import type { Service } from './service.ts';

const yesOrNo = v.pipe(
  v.union([v.boolean(), v.pipe(v.string(), v.trim(), v.toLowerCase(), v.picklist(['yes', 'no']))]),
  v.transform((said): 'yes' | 'no' => (said === true || said === 'yes' ? 'yes' : 'no')),
);
const schema = v.object({ is_gibberish: yesOrNo });

/**
 * Creates the gibberish check of a service: `POST {address}` with the form field `text`; answers
 * `is_gibberish` yes or no (docs/specification.md#gibberish-check; we chose the name in the
 * answer).
 */
export function createGibberishService(service: Service): Ask<string, 'yes' | 'no'> {
  const read = readJson(schema);
  return async (text) => {
    const form = new FormData();
    form.set('text', text);
    const encoded = new Response(form);
    return service.ask(
      {
        method: 'POST',
        path: '',
        headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
        body: await encoded.text(),
      },
      (answer) => read(answer)?.is_gibberish,
    );
  };
}
