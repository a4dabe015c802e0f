import * as v from 'valibot';
import { type Exchange, judge, reply, type Service, type StandIn } from '../service.ts';
import { type Checked, check, mediaType, pairs, readForm } from '../strict-body.ts';

const schema = v.strictObject({ text: v.string() });

/** Reads form data as a browser's FormData sends it: multipart, text parts only. */
async function readMultipart(exchange: Exchange): Promise<Checked<{ text: string }>> {
  let form: FormData;
  try {
    const headers = { 'content-type': exchange.headers['content-type'] ?? '' };
    form = (await new Response(exchange.body, { headers }).formData()) as FormData;
  } catch {
    return { ok: false, violations: ['body: not valid form data'] };
  }
  const parts: [string, string][] = [];
  for (const [name, value] of form) {
    if (typeof value !== 'string') return { ok: false, violations: [`${name}: a file`] };
    parts.push([name, value]);
  }
  const fields = pairs(new URLSearchParams(parts));
  return fields.ok ? check(schema, fields.value) : fields;
}

/** Applies a crude rule: half of the long words have no vowel or a long run of consonants. */
function looksLikeGibberish(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  const odd = words.filter(
    (word) => !/[aeiouyáéíóúü]/.test(word) || /[^aeiouyáéíóúü]{6}/.test(word),
  );
  return odd.length > 0 && odd.length * 2 >= words.length;
}

/**
 * Imitates the gibberish check: `POST /gibberish`, form data `text` (multipart or URL-encoded);
 * answers `{is_gibberish: "yes" | "no"}` (docs/specification.md#gibberish-check; the path and
 * envelope are ours).
 */
function gibberishService(): Service {
  const answer = ({ text }: { text: string }) =>
    reply({ is_gibberish: looksLikeGibberish(text) ? 'yes' : 'no' });

  return {
    name: 'gibberish',
    title: 'Gibberish check',
    settings: (url) => ({ GIBBERISH_URL: `${url}/gibberish` }),
    routes: [
      {
        method: 'POST',
        path: '/gibberish',
        async handle(exchange) {
          const multipart = mediaType(exchange.headers) === 'multipart/form-data';
          const read = multipart ? await readMultipart(exchange) : readForm(schema, exchange);
          return judge(() => read, answer)(exchange);
        },
      },
    ],
  };
}

export const standIns: readonly StandIn[] = [gibberishService];
