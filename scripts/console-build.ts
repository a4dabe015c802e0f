/** Builds the operators' console (src/console/) with Vite. */
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig, type Plugin } from 'vite';

const root = join(import.meta.dirname, '..');

/** The browsers of operators. They know `light-dark()` and nested rules, so the styles stay as written. */
const target = ['chrome125', 'edge125', 'firefox128', 'safari17.5'];

/** react-aria brings its few words in 34 languages; the console is in English. */
const englishOnly: Plugin = {
  name: 'english-only',
  load: {
    filter: { id: /\/react-(?:aria|stately)\/.*\/intl\/.*\/(?!en-US)[a-z]{2}-[A-Z]{2}\.mjs$/ },
    handler: () => 'export default {};',
  },
};

/** Returns Vite's configuration for the console, to build or to serve it. */
export function consoleConfig(): InlineConfig {
  return {
    root: join(root, 'src', 'console'),
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    cacheDir: join(root, 'node_modules', '.vite-console'),
    plugins: [react(), englishOnly],
    css: { transformer: 'lightningcss' },
    build: {
      target,
      cssTarget: target,
      // The policy allows no `data:` scripts, styles or fonts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // scripts/budget.ts reads which files the first page loads.
      manifest: 'manifest.json',
      emptyOutDir: true,
    },
  };
}

/** Builds the console into a folder: `index.html`, and `assets/` with hashed names. */
export async function buildConsole(outDir: string): Promise<void> {
  const { build: options, ...rest } = consoleConfig();
  await build({
    ...rest,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { ...options, outDir },
  });
}
