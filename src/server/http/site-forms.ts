/** Handles the posted forms of the site's pages (`model/messages/page-manifest.ts`). */
import type { FastifyRequest } from 'fastify';
import { suggestEmail } from '../../model/fields/typos.ts';
import type { PageForm } from '../../model/messages/page-manifest.ts';
import type { TakeContactForm } from '../leads/index.ts';
import { StoreUnavailableError } from '../platform/errors.ts';
import type { TakeOptOut } from '../privacy/index.ts';
import { formFields } from './form-post.ts';
import { siteClick } from './site-click.ts';
import type { UseCases } from './use-cases.ts';
import { visitorOf } from './visitor.ts';

type FormAnswer =
  | { readonly query: string }
  | { readonly status: 200 | 422 | 503; readonly places: Readonly<Record<string, string>> };

type Typed = Readonly<Record<string, string>>;

/** Handles a posted form. After a failure, the page shows the typed values again. */
export async function takeSiteForm(
  { takeContactForm, takeOptOut }: Pick<UseCases, 'takeContactForm' | 'takeOptOut'>,
  { name, language }: PageForm,
  request: FastifyRequest,
): Promise<FormAnswer> {
  const typed = formFields(request.body);
  const visitor = visitorOf(request);
  try {
    return name === 'contact'
      ? contactAnswer(typed, await takeContactForm(typed, language, visitor, siteClick(request)))
      : optOutAnswer(typed, await takeOptOut(typed, language, visitor));
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    return { status: 503, places: { ...typed, unsaved: 'yes' } };
  }
}

function contactAnswer(
  typed: Typed,
  { wrong, doubtful, asked, lead }: Awaited<ReturnType<TakeContactForm>>,
): FormAnswer {
  if (wrong.length + doubtful.length === 0) return { query: 'sent=1' };
  const proof = { lead_id: lead.id, lead_secret: lead.secret, asked };
  const meant = { 'email:meant': suggestEmail(typed.email ?? '') ?? '' };
  const doubts = { ...meant, ...saidPlaces(doubtful, 'doubt') };
  return { status: 422, places: { ...typed, ...proof, ...doubts, ...wrongPlaces(wrong) } };
}

/** Answers with the page itself, because a redirect's URL must not contain the result. */
function optOutAnswer(typed: Typed, taken: Awaited<ReturnType<TakeOptOut>>): FormAnswer {
  if (!('reference' in taken)) {
    return { status: 422, places: { ...typed, ...wrongPlaces(taken.wrong) } };
  }
  const { reference, at, outcome } = taken;
  const given = [typed.email, typed.phone].filter((each) => each?.trim()).join(', ');
  const day = at.toISOString().slice(0, 10);
  return { status: 200, places: { done: 'yes', [outcome]: 'yes', reference, at: day, given } };
}

function wrongPlaces(wrong: readonly string[]): Record<string, string> {
  return {
    refused: 'yes',
    ...Object.fromEntries(wrong.map((name) => [`${name}:wrong`, 'true'])),
    ...saidPlaces(wrong, 'error'),
  };
}

function saidPlaces(names: readonly string[], by: 'error' | 'doubt'): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => [
      [`${name}:${by}`, 'yes'],
      [`${name}:said-by`, `${name}-${by}`],
    ]),
  );
}
