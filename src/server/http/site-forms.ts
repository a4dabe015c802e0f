/** Handles the posted forms of the site's pages (`model/messages/page-manifest.ts`). */
import type { FastifyRequest } from 'fastify';
import { suggestEmail } from '../../model/fields/typos.ts';
import type { PageForm } from '../../model/messages/page-manifest.ts';
import { StoreUnavailableError } from '../platform/errors.ts';
import { formFields } from './form-post.ts';
import { siteClick } from './site-click.ts';
import type { UseCases } from './use-cases.ts';
import { visitorOf } from './visitor.ts';

/** The answer to a posted form: a redirect with `query`, or the page with texts inserted at its marks. */
export type FormAnswer =
  | { readonly query: string }
  | { readonly status: 200 | 422 | 503; readonly places: Readonly<Record<string, string>> };

export type SiteForms = Readonly<
  Record<
    PageForm['name'],
    (request: FastifyRequest, language: PageForm['language']) => Promise<FormAnswer>
  >
>;

/** Returns the handler of each form by name. */
export function createSiteForms({
  takeContactForm,
  takeOptOut,
}: Pick<UseCases, 'takeContactForm' | 'takeOptOut'>): SiteForms {
  return {
    async contact(request, language) {
      const typed = formFields(request.body);
      return whereStored(typed, async () => {
        const { wrong, doubtful, asked, lead } = await takeContactForm(
          typed,
          language,
          visitorOf(request),
          siteClick(request),
        );
        if (wrong.length + doubtful.length === 0) return { query: 'sent=1' };
        const proof = { lead_id: lead.id, lead_secret: lead.secret, asked };
        const meant = { 'email:meant': suggestEmail(typed.email ?? '') ?? '' };
        const doubts = { ...meant, ...saidPlaces(doubtful, 'doubt') };
        return { status: 422, places: { ...typed, ...proof, ...doubts, ...wrongPlaces(wrong) } };
      });
    },
    async 'do-not-sell'(request, language) {
      const typed = formFields(request.body);
      const visitor = visitorOf(request);
      return whereStored(typed, async () => {
        const taken = await takeOptOut(typed, language, visitor);
        if (!('reference' in taken)) {
          return { status: 422, places: { ...typed, ...wrongPlaces(taken.wrong) } };
        }
        const { reference, at, outcome } = taken;
        // Answers with the page, because the address of a redirect must not contain the result. A
        // reload that posts again changes nothing.
        return {
          status: 200,
          places: {
            done: 'yes',
            [outcome]: 'yes',
            reference,
            at: at.toISOString().slice(0, 10),
            given: [typed.email, typed.phone].filter((each) => each?.trim()).join(', '),
          },
        };
      });
    },
  };
}

function wrongPlaces(wrong: readonly string[]): Record<string, string> {
  return {
    refused: 'yes',
    ...Object.fromEntries(wrong.map((name) => [`${name}:wrong`, 'true'])),
    ...saidPlaces(wrong, 'error'),
  };
}

/** Returns the texts that mark fields as wrong or doubtful, and the id of the element with the message. */
function saidPlaces(names: readonly string[], by: 'error' | 'doubt'): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => [
      [`${name}:${by}`, 'yes'],
      [`${name}:said-by`, `${name}-${by}`],
    ]),
  );
}

/** Answers 503 with the typed values if they could not be stored, so that the visitor can post them again. */
async function whereStored(
  typed: Readonly<Record<string, string>>,
  take: () => Promise<FormAnswer>,
): Promise<FormAnswer> {
  try {
    return await take();
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    return { status: 503, places: { ...typed, unsaved: 'yes' } };
  }
}
