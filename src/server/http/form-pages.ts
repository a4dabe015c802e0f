/** Pages of a single visitor's visit: the survey's cached page as a shell, with the visitor's step in it. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Survey } from '../../model/flows/surveys.ts';
import type { SiteSettings } from '../../model/messages/site-settings.ts';
import type { FormProblemReason } from '../../model/visit/posted-form.ts';
import type { SurveyPageData } from '../../web/survey/screens/screen-props.ts';
import type { FormPage } from '../leads/index.ts';
import { acceptedEncoding, compressed, type PageDocument } from './page-document.ts';

/** The built module of `src/web/survey/page/render-survey.tsx`. */
export type FormRenderer = {
  renderState(data: SurveyPageData, state: FormPage['state']): string;
  renderFormProblem(
    survey: Pick<Survey, 'path' | 'language'>,
    settings: Pick<SiteSettings, 'phoneDisplay' | 'phoneHref'>,
    reason: FormProblemReason,
  ): string;
};

/**
 * Returns a function that loads the renderer on the first call. The renderer takes 10 MiB, which a server
 * without form visitors never needs.
 *
 * @param dist absolute path of the build's folder
 */
export function formRenderer(dist: string): () => Promise<FormRenderer> {
  let loading: Promise<FormRenderer> | undefined;
  return () => {
    loading ??= import(pathToFileURL(join(dist, 'forms', 'render.mjs')).href);
    return loading;
  };
}

/** The parts of a survey's page that are the same for every visitor. */
export type FormShell = {
  readonly data: SurveyPageData;
  /** The page's headers, without the ETag. */
  readonly headers: Readonly<Record<string, string>>;
  /** The HTML before the survey; the visit goes between `before` and `after`. */
  readonly before: string;
  readonly after: string;
};

const SURVEY = /<div id="survey"[^>]*>/;
const END_OF_FORM = '</form>';
const NEXT_QUESTION = /<template id="survey-next"[^>]*>[\s\S]*?<\/template>/;
const LATER_SHEETS = /(<link rel="stylesheet" href="[^"]+") disabled>/g;
const OTHER_LANGUAGE = /(href="[^"]*)("[^>]* id="other-language")/;
const DATA = /<script type="application\/json" id="survey-data"[^>]*>([\s\S]*?)<\/script>/;

/** The suffix of the address of a visit's pages. */
export const CONTINUE = '/continue';

const shells = new WeakMap<PageDocument, FormShell>();

/** Splits a survey's page into its parts, once per page. @throws if a part is missing */
export function formShell(page: PageDocument): FormShell {
  const known = shells.get(page);
  if (known) return known;
  const html = page.identity.toString();
  const start = SURVEY.exec(html);
  const json = DATA.exec(html)?.[1];
  const end = start ? html.indexOf(END_OF_FORM, start.index) : -1;
  if (!start || end < 0 || json === undefined)
    throw new Error('A part of the survey page is missing');
  const { etag: _, ...headers } = page.headers;
  const shell = {
    data: JSON.parse(json) as SurveyPageData,
    headers,
    // Without a script nothing would fetch the rest of the style, and any step may be shown.
    before: html
      .slice(0, start.index + start[0].length)
      .replaceAll(LATER_SHEETS, '$1>')
      .replace(OTHER_LANGUAGE, `$1${CONTINUE}?switch=1$2`),
    // The template of the second question does not belong to a visit's current step.
    after: html.slice(end + END_OF_FORM.length).replace(NEXT_QUESTION, ''),
  };
  shells.set(page, shell);
  return shell;
}

/** Returns the visit's data for the page's script, escaped for a `<script>` element. */
function visitScript(visit: unknown): string {
  const json = JSON.stringify(visit)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `<script type="application/json" id="survey-visit">${json}</script>`;
}

/** Returns the page with `content` as the survey. The page's script continues from `visit`. */
export function formPage({ before, after }: FormShell, content: string, visit?: unknown): string {
  // The script element goes after the survey's element, and before the scripts that read it.
  const rest =
    visit === undefined ? after : after.replace('</div>', () => `</div>${visitScript(visit)}`);
  return before + content + rest;
}

/** Sends a visitor's own page, which must not be cached or indexed. */
export async function sendFormPage(
  request: FastifyRequest,
  reply: FastifyReply,
  shell: FormShell,
  status: number,
  html: string,
): Promise<FastifyReply> {
  reply.code(status).headers({
    ...shell.headers,
    'cache-control': 'no-store, private',
    vary: 'cookie, accept-encoding',
    'x-robots-tag': 'noindex, nofollow',
  });
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  if (encoding === undefined) return reply.send(html);
  const body = await compressed[encoding](Buffer.from(html));
  return reply.header('content-encoding', encoding).send(body);
}
