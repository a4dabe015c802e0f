import { type Answer, type Exchange, refuse, reply, type StandIn } from '../service.ts';

function looksLikeGibberish(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  const odd = words.filter(
    (word) => !/[aeiouyáéíóúü]/.test(word) || /[^aeiouyáéíóúü]{6}/.test(word),
  );
  return odd.length > 0 && odd.length * 2 >= words.length;
}

async function judge({ headers, body }: Exchange): Promise<Answer> {
  const type = headers['content-type'] ?? '';
  const form = await new Response(body, { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined);
  const fields = form ? [...form] : [];
  const [[name, text] = []] = fields;
  if (name !== 'text' || typeof text !== 'string' || fields.length > 1) {
    return refuse('body: expected form data with text', { status: 400, body: {} });
  }
  return reply({ is_gibberish: looksLikeGibberish(text) ? 'yes' : 'no' });
}

/** The stand-in for the gibberish check (docs/specification.md#gibberish-check). */
export const standIns: readonly StandIn[] = [
  {
    name: 'gibberish',
    settings: (url) => ({ GIBBERISH_URL: `${url}/gibberish` }),
    routes: { 'POST /gibberish': judge },
  },
];
