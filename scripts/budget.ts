import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defaultCredentials } from '../sandbox/credentials.ts';
import { scriptSettings } from '../sandbox/environment.ts';
import { surveys } from '../src/flows/surveys.ts';
import { loadAstroPages, type PageLocals } from '../src/server/routes/astro-pages.ts';
import { type PageScript, pageDocument } from '../src/server/routes/page-document.ts';
import { demoSite } from './demo-site.ts';

/**
 * What a survey page may weigh, in bytes of gzip: React itself, our own scripts (20.15 kB; 25 kB where the
 * survey has a script beside the one that all have, as one-to-one consent), and the style sheet.
 */
const reactBytes = 68_700;
const ownScriptBytes = 20_150;
const ownScriptBytesWithMore = 25_000;
const cssBytes = 12_000;
/** More, where every script of a third party is set: the frame around them and what each needs. */
const thirdPartyBytes = 3_000;

const dist = join(import.meta.dirname, '..', 'dist');

/** React is one file of the build: the one that carries the renderer. */
function gzipSize(content: Buffer | string): number {
  return gzipSync(content, { level: 9 }).length;
}

/** Every script that a page loads, at once or later: its own and all that they can import. */
function allScripts(html: string, scripts: readonly PageScript[]): string[] {
  const files = new Set<string>();
  const add = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    const text = readFileSync(join(dist, 'client', file), 'utf8');
    const script = scripts.find((candidate) => candidate.file === file);
    for (const imported of script?.imports ?? []) add(imported);
    // Scripts that are loaded on demand.
    for (const match of text.matchAll(/import\(\s*["'`]\.\/([^"'`]+)["'`]\s*\)/g)) {
      add(`/_astro/${match[1]}`);
    }
  };
  for (const match of html.matchAll(/(?:href|src)="(\/_astro\/[^"]+\.js)"/g)) add(match[1] ?? '');
  return [...files];
}

const version = (createRequire(import.meta.url)('react/package.json') as { version: string })
  .version;
let isOver = false;

/**
 * Weighs the page of every survey.
 *
 * @param more what its JavaScript may weigh beyond what a page without third parties may
 */
async function weigh(locals: PageLocals, about = '', more = 0): Promise<void> {
  const pages = await loadAstroPages(dist, locals);
  for (const survey of locals.surveys) {
    const page = await pageDocument(await pages.render(survey.path), pages.scripts);
    const html = page.identity.toString();
    const scripts = allScripts(html, pages.scripts).reduce(
      (sum, file) => sum + gzipSize(readFileSync(join(dist, 'client', file))),
      0,
    );
    const inline = [...html.matchAll(/<script(?![^>]*src=)[^>]*>([\s\S]*?)<\/script>/g)];
    const inlineScripts = inline.filter((match) => !match[0].includes('application/json'));
    const data = inline.filter((match) => match[0].includes('application/json'));
    const javascript =
      scripts + inlineScripts.reduce((sum, match) => sum + gzipSize(match[1] ?? ''), 0);
    const css = gzipSize(
      [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map((m) => m[1]).join(''),
    );
    const texts = data.reduce((sum, match) => sum + gzipSize(match[1] ?? ''), 0);
    // The survey's own script, and with third parties the frame around theirs.
    const usual = more > 0 ? 2 : 1;
    const entries = [...html.matchAll(/<script type="module" src=/g)].length;
    const most = reactBytes + (entries > usual ? ownScriptBytesWithMore : ownScriptBytes) + more;
    const isFine = javascript <= most && css <= cssBytes && entries >= usual;
    isOver ||= !isFine;
    console.log(
      `${isFine ? 'ok  ' : 'OVER'} ${survey.path}${about}: JavaScript ${javascript} of ${most}` +
        ` (React ${version} is ${reactBytes} of it), CSS ${css} of ${cssBytes},` +
        ` texts and settings ${texts}, whole page ${page.br.length} (brotli)`,
    );
  }
}

await weigh(demoSite(surveys));
const everyScript = scriptSettings('https://scripts.example', defaultCredentials);
await weigh(demoSite(surveys, everyScript), ' with every script', thirdPartyBytes);
if (isOver) process.exitCode = 1;
