/** Builds the verifier as one HTML file and as one program for Node, for packs and for readers. */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Bundles a file with all its imports. @returns the code */
async function bundle(
  entry: string,
  outDir: string,
  platform: 'browser' | 'node',
): Promise<string> {
  const vite = await import('vite');
  await vite.build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    // Node before 24.2 has no `import.meta.main`.
    ...(platform === 'node' && {
      define: { 'import.meta.main': 'true' },
      ssr: { noExternal: true, target: 'node' },
    }),
    build: {
      ...(platform === 'node' && { ssr: true }),
      minify: platform === 'browser',
      target: platform === 'node' ? 'node20' : 'es2022',
      modulePreload: false,
      outDir,
      emptyOutDir: false,
      rolldownOptions: {
        input: join(root, entry),
        output: { format: 'es', entryFileNames: 'verify.mjs', codeSplitting: false },
      },
    },
  });
  return readFileSync(join(outDir, 'verify.mjs'), 'utf8');
}

/**
 * Returns a page as one file: its own script inside, no link to another file, and a policy that forbids every
 * request.
 */
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

/**
 * Writes `evidence/verify.html` and `evidence/verify.mjs`, and copies for readers to download.
 *
 * @param dist the build's folder
 * @param page the rendered page `/verifier-file/`
 */
export async function buildVerifier(dist: string, page: string): Promise<void> {
  const folder = join(dist, 'evidence');
  mkdirSync(folder, { recursive: true });
  const script = await bundle('src/site/entries/verify.ts', folder, 'browser');
  writeFileSync(join(folder, 'verify.html'), asOneFile(page, script));
  await bundle('src/cli/verify.ts', folder, 'node');
  for (const name of ['verify.html', 'verify.mjs']) {
    copyFileSync(join(folder, name), join(dist, 'client', name));
  }
}
