import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import node from '@astrojs/node';
import react from '@astrojs/react';
import { defineConfig } from 'astro/config';
import { outlines } from './scripts/outlines.ts';
import { reactModules } from './scripts/react-modules.ts';
import { places } from './src/web/site/site-map.ts';

/**
 * Writes `dist/page-scripts.json`: for every script file of the pages, the files that it imports.
 * The server reads it to tell a browser at once which scripts a
 * page needs (src/server/http/pages.ts), instead of letting it find out file by file.
 */
function pageScripts() {
  return {
    name: 'page-scripts',
    applyToEnvironment: (environment) => environment.name === 'client',
    writeBundle(_options, bundle) {
      const scripts = Object.values(bundle)
        .filter((file) => file.type === 'chunk')
        .map((chunk) => ({
          file: `/${chunk.fileName}`,
          imports: chunk.imports.map((name) => `/${name}`),
          // What it is made of, for `npm run budget -- --why`: bytes of each module, as they are in it.
          modules: Object.fromEntries(
            Object.entries(chunk.modules).map(([name, module]) => [
              relative(import.meta.dirname, name),
              module.renderedLength,
            ]),
          ),
        }));
      writeFileSync(
        join(import.meta.dirname, 'dist', 'page-scripts.json'),
        `${JSON.stringify(scripts, null, 2)}\n`,
      );
    },
  };
}

/**
 * Vite wraps every import on demand in a helper that preloads what the script imports, and lists that. Ours
 * import what the page has already: a kilobyte for nothing.
 */
function plainImports() {
  return {
    name: 'plain-imports',
    enforce: 'pre',
    load: (id) =>
      id === '\0vite/preload-helper.js'
        ? 'export const __vitePreload = (load) => load();'
        : undefined,
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk') continue;
          // Chromium then compiles all functions while the file loads, none while a visitor taps.
          const hint = /react|queue|later\.|survey_/.test(file.fileName)
            ? '//# allFunctionsCalledOnLoad\n'
            : '';
          file.code = file.code
            .replace(/^const __vite__mapDeps=.*\n|^/, hint)
            .replaceAll(/,__vite__mapDeps\(\[[\d,]*\]\)/g, '');
        }
      },
    },
  };
}

/** Gives every address of the site map its layout. */
const siteMapRoutes = {
  name: 'site-map-routes',
  hooks: {
    'astro:config:setup': ({ injectRoute }) => {
      for (const { path, layout } of places) {
        injectRoute({ pattern: path, entrypoint: `./src/web/site/layouts/${layout}.astro` });
      }
    },
  },
};

// The pages: rendered by Astro inside our Fastify server (docs/architecture.md, "Pages").
export default defineConfig({
  srcDir: './src/web/site',
  publicDir: './src/web/site/public',
  outDir: './dist',
  output: 'server',
  adapter: node({ mode: 'middleware' }),
  integrations: [react(), siteMapRoutes],
  trailingSlash: 'ignore',
  devToolbar: { enabled: false },
  build: {
    // One request less before the first question shows; the whole style sheet is smaller than 12 kB.
    inlineStylesheets: 'always',
  },
  vite: {
    build: {
      // No inlined scripts: they would need a hash each, and could not be cached.
      assetsInlineLimit: 0,
      // The page itself says what to fetch at once (src/server/http/page-document.ts).
      modulePreload: false,
    },
    plugins: [reactModules(), outlines(), pageScripts(), plainImports()],
    environments: {
      // Inline scripts of the pages are functions of the server's code.
      ssr: { build: { rolldownOptions: { output: { minify: true } } } },
      client: {
        // React's code for browser extensions, old browsers and its own progress bar: 700 bytes.
        define: {
          __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined',
          'document.documentMode': 'undefined',
          'typeof navigation': '"undefined"',
        },
        build: {
          rolldownOptions: {
            output: {
              // Few and whole files: every further one costs a hundred bytes.
              codeSplitting: {
                groups: [
                  // By itself: the pages of the site load things later, and need no queue for it.
                  { name: 'preload', test: /vite\/preload-helper/ },
                  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
                  // What surveys and the pages of the site have in common: the tracked number.
                  {
                    name: 'number',
                    test: /src[\\/]web[\\/]survey[\\/]scripts[\\/]call-tracking/,
                  },
                  // By itself: the survey's page does without it.
                  { name: 'forget-old', test: /src[\\/]web[\\/]survey[\\/]queue[\\/]forget-old/ },
                  {
                    name: 'queue',
                    test: /src[\\/]web[\\/]survey[\\/](queue|runner[\\/]sent-lead)|rolldown[\\/]runtime/,
                  },
                ],
              },
            },
          },
        },
      },
    },
  },
});
