/** `npm run budget`: fails if a survey or console page exceeds its budget, in bytes of gzip. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptSettings } from '../sandbox/environment.ts';
import { surveys } from '../src/model/flows/surveys.ts';
import type { PageLocals } from '../src/model/messages/site-settings.ts';
import { pageDocument } from '../src/server/http/page-document.ts';
import { loadAstroPages } from '../src/server/http/site-renderer.ts';
import { demoSite } from './demo-site.ts';
import { sizeOf, weighPage } from './page-weight.ts';

/** The limits for files that a survey page loads at once, in bytes of gzip. */
const reactBytes = 64_000;
const ownScriptBytes = 15_350;
const cssBytes = 7_700;
/** The limits for files that a survey page loads when it is idle, in bytes of gzip. */
const laterBytes = 17_625;
/** The page's speed measurement with the library web-vitals. */
const speedBytes = 3_600;
const oneToOneBytes = 1_950;
const worthBytes = 1_300;
const descriptionBytes = 4_300;
const codeBytes = 2_150;
const laterCssBytes = 3_575;
/** The limits for code that third-party scripts add to a survey page, in bytes of gzip. */
const shownNumberBytes = 650;
const thirdPartyBytes = 2_800;
/** The limit for the first console page that an operator opens, in bytes of gzip. */
const consoleBytes = 250_000;

const dist = join(import.meta.dirname, '..', 'dist');

type Sizes = Readonly<Record<string, readonly [bytes: number, most: number]>>;

/** Prints a page's sizes and limits. Returns true if no size is over its limit. */
function compare(page: string, sizes: Sizes): boolean {
  const isFine = Object.values(sizes).every(([bytes, most]) => bytes <= most);
  const texts = Object.entries(sizes).map(([what, [bytes, most]]) => `${what} ${bytes} of ${most}`);
  console.log(`${isFine ? 'ok  ' : 'OVER'} ${page}: ${texts.join(', ')}`);
  return isFine;
}

async function compareSurveys(
  locals: PageLocals,
  about = '',
  hasThirdParties = false,
): Promise<boolean[]> {
  const pages = await loadAstroPages(dist, locals);
  const compared = locals.surveys.map(async (survey) => {
    const page = await pageDocument(await pages.render(survey.path), pages.scripts);
    const weight = weighPage(page, pages.scripts);
    const startsWithForm = weight.later < laterBytes;
    const most =
      reactBytes +
      ownScriptBytes +
      (startsWithForm ? laterBytes : 0) +
      (hasThirdParties ? shownNumberBytes : 0);
    const mostLater =
      laterBytes +
      speedBytes +
      (hasThirdParties ? thirdPartyBytes : 0) +
      (survey.buyers ? oneToOneBytes : 0) +
      (weight.hasWorth ? worthBytes : 0) +
      (weight.hasDescription ? descriptionBytes : 0) +
      (survey.verifiesPhone ? codeBytes : 0);
    const isFine = compare(survey.path + about, {
      JavaScript: [weight.javascript, most],
      CSS: [weight.css, cssBytes + (weight.laterCss === 0 ? laterCssBytes : 0)],
      'JavaScript once idle': [weight.later, mostLater],
      'CSS once idle': [weight.laterCss, laterCssBytes],
    });
    return isFine && weight.entries === 1;
  });
  return Promise.all(compared);
}

type Chunk = {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
};

function compareConsole(): boolean[] {
  const read = (file: string) => readFileSync(join(dist, 'console', file));
  const manifest: Record<string, Chunk> = JSON.parse(read('manifest.json').toString());
  const add = (key: string, files: Set<string>): Set<string> => {
    const { file = '', css = [], imports = [] } = manifest[key] ?? {};
    if (file === '' || files.has(file)) return files;
    for (const each of [file, ...css]) files.add(each);
    for (const imported of imports) add(imported, files);
    return files;
  };
  const keys = Object.keys(manifest).filter((key) => /^pages\/[^/]+\/index\.tsx$/.test(key));
  return keys.map((key) => {
    const files = add(key, add('index.html', new Set()));
    const bytes = sizeOf([...files].map(read));
    return compare(`console, ${key.split('/')[1]} first`, {
      'JavaScript and CSS': [bytes, consoleBytes],
    });
  });
}

const everyScript = demoSite(surveys, scriptSettings('https://scripts.example'));
const isFine = [
  ...(await compareSurveys(demoSite(surveys))),
  ...(await compareSurveys(everyScript, ' with every script', true)),
  ...compareConsole(),
];
if (isFine.includes(false)) process.exitCode = 1;
