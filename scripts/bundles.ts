import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig, type Plugin } from 'vite';

const root = join(import.meta.dirname, '..');

const shared = { root, configFile: false, publicDir: false, logLevel: 'error' } as const;

/** The oldest browsers that operators may use. */
const consoleTarget = ['chrome125', 'edge125', 'firefox128', 'safari17.5'];

/** Removes react-aria's texts in other languages, because the console is in English. */
const englishOnly: Plugin = {
  name: 'english-only',
  load: {
    filter: { id: /\/react-(?:aria|stately)\/.*\/intl\/.*\/(?!en-US)[a-z]{2}-[A-Z]{2}\.mjs$/ },
    handler: () => 'export default {};',
  },
};

/** Vite's configuration of the console (src/web/console/). */
export const consoleConfig: InlineConfig = {
  ...shared,
  root: join(root, 'src', 'web', 'console'),
  cacheDir: join(root, 'node_modules', '.vite-console'),
  plugins: [react(), englishOnly],
  css: { transformer: 'lightningcss' },
  build: {
    target: consoleTarget,
    cssTarget: consoleTarget,
    // The content security policy forbids `data:` URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: 'manifest.json',
    emptyOutDir: true,
  },
};

/** Builds the console into a folder. */
export async function buildConsole(outDir: string): Promise<void> {
  await build({ ...consoleConfig, build: { ...consoleConfig.build, outDir } });
}

/** Bundles a file with all its imports, and returns the code. */
export async function bundle(
  entry: string,
  file: string,
  target: 'es2022' | 'node20' | 'node24',
): Promise<string> {
  const isForNode = target !== 'es2022';
  await build({
    ...shared,
    define: {
      'process.env.NODE_ENV': '"production"',
      // Replaces `import.meta.main`, which Node before version 24.2 lacks.
      ...(isForNode && { 'import.meta.main': 'true' }),
    },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: isForNode,
      minify: !isForNode,
      target,
      modulePreload: false,
      outDir: dirname(file),
      emptyOutDir: false,
      rolldownOptions: {
        input: join(root, entry),
        output: { format: 'es', entryFileNames: basename(file), codeSplitting: false },
      },
    },
  });
  return readFileSync(file, 'utf8');
}

/** Returns a page with its script inline, as one file that makes no request. */
function asOneFile(page: string, script: string): string {
  const withoutFiles = page
    .replaceAll(/<link\b[^>]*>/g, '')
    .replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/g, '')
    .replaceAll(/@font-face\s*\{[^}]*\}/g, '');
  const code = script.replaceAll(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--');
  const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const styles = [...withoutFiles.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)];
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(code)}`,
    `style-src ${styles.map(([, text = '']) => hashOf(text)).join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return withoutFiles
    .replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace('</body>', () => `<script type="module">${code}</script></body>`);
}

/** Writes both downloads of the evidence verifier: an HTML page and a Node program. */
export async function buildVerifier(dist: string, page: string): Promise<void> {
  const [html, program] = ['verify.html', 'verify.mjs'].map((name) => join(dist, 'evidence', name));
  const script = await bundle('src/web/site/entries/verify.ts', program as string, 'es2022');
  writeFileSync(html as string, asOneFile(page, script));
  await bundle('src/cli/verify.ts', program as string, 'node20');
  for (const file of [html, program] as string[]) {
    copyFileSync(file, join(dist, 'client', basename(file)));
  }
}
