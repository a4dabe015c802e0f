/**
 * `npm run budget`: compares the size of each survey's page and of the console's first page with its budget,
 * and fails if one is over.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { scriptSettings } from '../sandbox/environment.ts';
import { surveys } from '../src/model/flows/surveys.ts';
import type { PageLocals } from '../src/model/messages/page-locals.ts';
import { pageDocument } from '../src/server/http/page-document.ts';
import { loadAstroPages } from '../src/server/http/site-renderer.ts';
import { demoSite } from './demo-site.ts';
import { gzipBytes, weighPage } from './page-weight.ts';

/**
 * A survey page's budget before it is idle, in bytes of gzip: React (docs/decisions/0079-react-bytes.md), our own
 * scripts (more if the survey has an additional one, such as the estimator), and the style of its first question
 * with its heading font.
 */
const reactBytes = 64_000;
const ownScriptBytes = 15_600;
const ownScriptBytesWithMore = 17_000;
const cssBytes = 7_700;
/**
 * The scripts loaded once the page is idle (src/web/survey/runner/extensions.ts), or at once before a form, and with
 * the last step. One-to-one consent has more.
 */
const laterBytes = 17_250;
const oneToOneBytes = 1_850;
const laterCssBytes = 3_100;
/** Additional JavaScript with every third-party script: their shared code and each one's own. */
const thirdPartyBytes = 3_150;

/** Scripts and styles that the operators' console loads before its overview is usable. */
const consoleBytes = 250_000;

const dist = join(import.meta.dirname, '..', 'dist');
const { version } = createRequire(import.meta.url)('react/package.json') as { version: string };

/**
 * Compares every survey's page with its budget.
 *
 * @param more additional JavaScript budget, for a page with third-party scripts
 * @returns whether all are within their budgets
 */
async function weighAll(locals: PageLocals, about = '', more = 0): Promise<boolean> {
  const pages = await loadAstroPages(dist, locals);
  let isFine = true;
  for (const survey of locals.surveys) {
    const page = await pageDocument(await pages.render(survey.path), pages.scripts);
    const weight = weighPage(page, pages.scripts);
    // The survey's own script, and with third parties their shared script.
    const usual = more > 0 ? 2 : 1;
    const most =
      reactBytes +
      (weight.entries > usual ? ownScriptBytesWithMore : ownScriptBytes) +
      (weight.later < laterBytes / 2 ? laterBytes : 0) +
      more;
    const mostLater = laterBytes + (survey.buyers ? oneToOneBytes : 0);
    const mostCss = cssBytes + (weight.laterCss === 0 ? laterCssBytes : 0);
    const isWithin =
      weight.javascript <= most &&
      weight.later <= mostLater &&
      weight.css <= mostCss &&
      weight.laterCss <= laterCssBytes &&
      weight.entries >= usual;
    isFine &&= isWithin;
    console.log(
      `${isWithin ? 'ok  ' : 'OVER'} ${survey.path}${about}: JavaScript ${weight.javascript} of ${most}` +
        ` (React ${version} is ${reactBytes} of it), CSS ${weight.css} of ${mostCss}; once idle` +
        ` JavaScript ${weight.later} of ${mostLater}, CSS ${weight.laterCss} of ${laterCssBytes}`,
    );
  }
  return isFine;
}

/** A file in Vite's manifest, by the name of its source. */
type Chunk = {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
};

/** Compares the console's pages with their budget: each one as the first page, with the frame around it. */
function weighConsolePages(): boolean {
  const folder = join(dist, 'console');
  const read = (file: string) => readFileSync(join(folder, file));
  const manifest: Record<string, Chunk> = JSON.parse(read('manifest.json').toString());
  let isFine = true;
  for (const [key, page] of Object.keys(manifest).map((key) => [key, key.split('/')[1]] as const)) {
    if (!/^pages\/[^/]+\/index\.tsx$/.test(key)) continue;
    const files = filesOf(manifest, ['index.html', key]);
    const bytes = files.reduce((sum, file) => sum + gzipBytes(read(file)), 0);
    const isWithin = bytes <= consoleBytes;
    isFine &&= isWithin;
    console.log(
      `${isWithin ? 'ok  ' : 'OVER'} console, ${page} first: JavaScript and CSS ${bytes} of ${consoleBytes}`,
    );
  }
  return isFine;
}

function filesOf(manifest: Readonly<Record<string, Chunk>>, entries: readonly string[]): string[] {
  const seen = new Set<string>();
  const files = new Set<string>();
  const add = (key: string): void => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return;
    seen.add(key);
    files.add(chunk.file);
    for (const sheet of chunk.css ?? []) files.add(sheet);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  for (const entry of entries) add(entry);
  return [...files];
}

const everyScript = scriptSettings('https://scripts.example');
const isFine = [
  await weighAll(demoSite(surveys)),
  await weighAll(demoSite(surveys, everyScript), ' with every script', thirdPartyBytes),
  weighConsolePages(),
];
if (isFine.includes(false)) process.exitCode = 1;
