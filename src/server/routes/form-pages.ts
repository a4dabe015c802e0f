/** Pages of one visitor's own visit: the shell of the page that is the same for all, with their step in it. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SiteSettings } from '../../contract/site-settings.ts';
import type { Survey } from '../../flows/surveys.ts';
import type { FormProblemReason } from '../../journey/form-problem.ts';
import type { SurveyPageData } from '../../survey/screens/page-data.ts';
import type { FormPage } from '../visits/survey-forms.ts';
import type { PageDocument } from './page-document.ts';

/** What `src/survey/page/render-forms.tsx` renders, as it is built. */
export type FormRenderer = {
  renderState(data: SurveyPageData, state: FormPage['state']): string;
  renderFormProblem(
    survey: Pick<Survey, 'path' | 'language'>,
    settings: Pick<SiteSettings, 'phoneDisplay' | 'phoneHref'>,
    reason: FormProblemReason,
  ): string;
};

/**
 * Loads the renderer when the first form is posted: until then, and where all visitors have scripts, the
 * server does without its 10 MiB.
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

/** A survey's page in the parts that stay the same for every visitor. */
export type FormShell = {
  readonly data: SurveyPageData;
  /** Of the page, without what belongs to its bytes. */
  readonly headers: Readonly<Record<string, string>>;
  /** Everything before the survey, everything after it, and the place for a visit between the two. */
  readonly before: string;
  readonly after: string;
};

const SURVEY = /<div id="survey"[^>]*>/;
const END_OF_FORM = '</form>';
const NEXT_QUESTION = /<template id="survey-next"[^>]*>[\s\S]*?<\/template>/;
const LATER_SHEET = /(<link rel="stylesheet" href="[^"]+") disabled>/;
const OTHER_LANGUAGE = /(href="[^"]*)("[^>]* id="other-language")/;
const DATA = /<script type="application\/json" id="survey-data"[^>]*>([\s\S]*?)<\/script>/;

/** The end of the address of a visit's own pages. */
export const CONTINUE = '/continue';

const shells = new WeakMap<PageDocument, FormShell>();

/** Takes a survey's page apart, once. @throws when it is none, which the build's tests would show */
export function formShell(page: PageDocument): FormShell {
  const known = shells.get(page);
  if (known) return known;
  const html = page.identity.toString();
  const start = SURVEY.exec(html);
  const json = DATA.exec(html)?.[1];
  const end = start ? html.indexOf(END_OF_FORM, start.index) : -1;
  if (!start || end < 0 || json === undefined) throw new Error('A survey page without its parts');
  const { etag: _, ...headers } = page.headers;
  const shell = {
    data: JSON.parse(json) as SurveyPageData,
    headers,
    // Any step may be on it, and no script may come that would fetch the rest of the style.
    before: html
      .slice(0, start.index + start[0].length)
      .replace(LATER_SHEET, '$1>')
      .replace(OTHER_LANGUAGE, `$1${CONTINUE}?switch=1$2`),
    // The next question of the first screen is nobody's in the middle of a visit.
    after: html.slice(end + END_OF_FORM.length).replace(NEXT_QUESTION, ''),
  };
  shells.set(page, shell);
  return shell;
}

/** Data for the page's script, safe inside a `<script>` element. */
function visitScript(visit: unknown): string {
  const json = JSON.stringify(visit)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `<script type="application/json" id="survey-visit">${json}</script>`;
}

/** The page with `content` in the survey's place; `visit` is what the page's script takes up. */
export function formPage({ before, after }: FormShell, content: string, visit?: unknown): string {
  // After the survey's own element closes, and before any script that reads it.
  const rest =
    visit === undefined ? after : after.replace('</div>', () => `</div>${visitScript(visit)}`);
  return before + content + rest;
}

/** Compressing as a visitor waits for it: a third more bytes than a kept page, in a millisecond. */
const BROTLI_QUALITY = 4;

/** Sends a page that is one visitor's own: nobody keeps it, and no search finds it. */
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
  const accepted = request.headers['accept-encoding'] ?? '';
  if (/\bbr\b/.test(accepted)) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
    const body = await promisify(brotliCompress)(html, { params });
    return reply.header('content-encoding', 'br').send(body);
  }
  if (/\bgzip\b/.test(accepted)) {
    return reply.header('content-encoding', 'gzip').send(await promisify(gzip)(html));
  }
  return reply.send(html);
}
