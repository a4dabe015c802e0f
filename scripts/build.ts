import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { loadAstroPages } from '../src/server/http/site-renderer.ts';
import { missingFilmFiles } from '../src/web/site/film-list.ts';
import { demoSite } from './demo-site.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const stampFile = join(dist, 'build-stamp');

const sources = [
  'astro.config.mjs',
  'package-lock.json',
  'scripts/build.ts',
  'scripts/bundles.ts',
  'scripts/outlines.ts',
  'scripts/react-modules.ts',
  'content',
  'src/cli/verify.ts',
  'src/model',
  'src/web',
];

function sourceStamp(): string {
  const hash = createHash('sha256');
  const paths = sources.map((source) => join(root, source)).filter((path) => existsSync(path));
  const files = paths.flatMap((path) =>
    statSync(path).isFile()
      ? [path]
      : readdirSync(path, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name)),
  );
  for (const file of files.sort()) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function isFresh(): boolean {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sourceStamp();
}

/** Writes a brotli and a gzip copy of every script, style sheet and SVG file. */
function compressClient(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|css|svg|txt|json)$/.test(name)) continue;
    const path = join(folder, name);
    const content = readFileSync(path);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}

async function build(): Promise<void> {
  process.env.ASTRO_TELEMETRY_DISABLED = '1';
  // Test runners set NODE_ENV to `test`, which would select React's slow development version.
  process.env.NODE_ENV = 'production';
  const [astro, { buildConsole, buildVerifier, bundle }] = await Promise.all([
    import('astro'),
    import('./bundles.ts'),
  ]);
  for (const file of missingFilmFiles(globSync('*/*.*', { cwd: join(root, 'content', 'films') }))) {
    console.warn(`The gallery leaves a film out: content/films/${file} is missing`);
  }
  await astro.build({ root, logLevel: 'error' });
  await bundle(
    'src/web/survey/page/render-survey.tsx',
    join(dist, 'forms', 'render.mjs'),
    'node24',
  );
  await buildVerifier(dist, await writeManifest());
  compressClient(join(dist, 'client'));
  await buildConsole(join(dist, 'console'));
  compressClient(join(dist, 'console'));
}

/** Writes the page manifest for the server. Returns the HTML of the verifier's page. */
async function writeManifest(): Promise<string> {
  const { render } = await loadAstroPages(dist, demoSite([]));
  const manifest = JSON.parse((await render('/page-manifest.json')).html);
  writeFileSync(join(dist, 'page-manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return (await render('/verifier-file/')).html;
}

/**
 * Builds the pages and the console into `dist/` unless the sources are unchanged. Throws if the
 * build fails.
 */
export function buildPages(): boolean {
  if (isFresh()) return false;
  execFileSync(process.execPath, [import.meta.filename], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return true;
}

if (import.meta.main) {
  if (isFresh() && !process.argv.includes('--force')) {
    console.log('Pages are up to date.');
  } else {
    const stamp = sourceStamp();
    await build();
    writeFileSync(stampFile, stamp);
    console.log('Pages built.');
  }
}
