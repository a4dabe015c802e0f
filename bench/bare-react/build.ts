import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

/** The built bare React page: its document and its only script. */
export type BarePage = { readonly html: string; readonly script: Buffer };

/**
 * Builds the bare page optimised: prerendered, one minified module, loaded at once.
 *
 * @param folder an empty folder for the build
 */
export async function buildBarePage(folder: string): Promise<BarePage> {
  mkdirSync(folder, { recursive: true });
  const entry = (name: string) => join(import.meta.dirname, name);
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: join(folder, 'client'),
      rollupOptions: { input: entry('entry.tsx'), output: { entryFileNames: 'bare.js' } },
    },
  });
  await build({
    configFile: false,
    logLevel: 'error',
    build: { outDir: join(folder, 'server'), ssr: entry('render.tsx') },
  });
  const { render } = (await import(join(folder, 'server', 'render.js'))) as {
    render: () => string;
  };
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Bare</title><script type="module" src="/bare.js"></script></head><body><div id="root">${render()}</div></body></html>`;
  writeFileSync(join(folder, 'index.html'), html);
  return { html, script: readFileSync(join(folder, 'client', 'bare.js')) };
}
