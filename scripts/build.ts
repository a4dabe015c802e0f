import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { loadAstroPages } from '../src/server/routes/astro-pages.ts';
import { laterParts, sheetAddress } from '../src/site/sheet-address.ts';
import { demoSite } from './demo-site.ts';
import { buildVerifier } from './verifier-build.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** What is built, each from its own sources and with its own stamp. */
type Product = {
  readonly stampFile: string;
  readonly sources: readonly string[];
  build(): Promise<void>;
};

const products: readonly Product[] = [
  {
    stampFile: join(dist, 'build-stamp'),
    sources: [
      'astro.config.mjs',
      'package-lock.json',
      'scripts/build.ts',
      'scripts/react-modules.ts',
      'scripts/verifier-build.ts',
      'content',
      'src/cli/verify.ts',
      'src/contract',
      'src/domain',
      'src/evidence',
      'src/flows',
      'src/journey',
      'src/site',
      'src/survey',
    ],
    build: buildSite,
  },
  {
    stampFile: join(dist, 'console-stamp'),
    sources: [
      'package-lock.json',
      'scripts/console-build.ts',
      'src/console',
      'src/contract',
      'src/domain',
      'src/flows',
      'src/survey/texts',
    ],
    build: async () => {
      const { buildConsole } = await import('./console-build.ts');
      await buildConsole(join(dist, 'console'));
      compressClient(join(dist, 'console'));
    },
  },
];

function sourceStamp(sources: readonly string[]): string {
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

/** Writes a brotli and a gzip copy of every script, style and drawing, for the static server. */
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

/** Returns the stamp of a product's sources if it was built from other ones. */
function staleStamp({ sources, stampFile }: Product): string | undefined {
  const stamp = sourceStamp(sources);
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp ? undefined : stamp;
}

/** Builds screens for the server's own use into one file without Astro, which is loaded when it is needed. */
async function buildModule(entry: string, name: string): Promise<void> {
  const vite = await import('vite');
  await vite.build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: entry,
      outDir: join(dist, 'forms'),
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: name, codeSplitting: false } },
    },
  });
}

async function buildSite(): Promise<void> {
  process.env.ASTRO_TELEMETRY_DISABLED = '1';
  const astro = await import('astro');
  await astro.build({ root, logLevel: 'error' });
  await buildModule('src/survey/page/render-survey.tsx', 'render.mjs');
  await writePageFiles();
  compressClient(join(dist, 'client'));
}

/**
 * Writes the pages' descriptions (`src/contract/page-manifest.ts`) for the server, and what Astro does not write
 * to files: the style sheets that surveys load later, and the verifier.
 */
async function writePageFiles(): Promise<void> {
  const { render } = await loadAstroPages(dist, demoSite([]));
  const manifest = JSON.parse((await render('/page-manifest.json')).html);
  writeFileSync(join(dist, 'page-manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const part of laterParts) {
    const { html: css } = await render(`/survey-later.css?part=${part}`);
    writeFileSync(join(dist, 'client', sheetAddress(css)), css);
  }
  const { html: verifier } = await render('/verifier-file/');
  await buildVerifier(dist, verifier);
}

/**
 * Builds the pages and the console into `dist/`, unless they were built from exactly these sources. It uses a
 * separate process, so that the following server does not keep Vite and Astro in memory.
 *
 * @returns whether a build was necessary
 * @throws if the build fails; the reason is printed
 */
export function buildPages(): boolean {
  if (products.every((product) => staleStamp(product) === undefined)) return false;
  execFileSync(process.execPath, [import.meta.filename], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return true;
}

/** Builds what is stale, or everything. @returns whether a build was necessary */
async function buildStale(isForced: boolean): Promise<boolean> {
  // In a test runner's environment Vite would build React's development version.
  process.env.NODE_ENV = 'production';
  let isBuilt = false;
  for (const product of products) {
    const stamp = isForced ? sourceStamp(product.sources) : staleStamp(product);
    if (stamp === undefined) continue;
    await product.build();
    writeFileSync(product.stampFile, stamp);
    isBuilt = true;
  }
  return isBuilt;
}

if (import.meta.main) {
  const isBuilt = await buildStale(process.argv.includes('--force'));
  console.log(isBuilt ? 'Pages built.' : 'Pages are up to date.');
}
