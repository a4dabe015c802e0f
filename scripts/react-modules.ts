import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const require = createRequire(import.meta.url);

/** Maps an import name to the path of React's production file. */
const productionFiles: Readonly<Record<string, string>> = {
  react: 'react/cjs/react.production.js',
  'react/jsx-runtime': 'react/cjs/react-jsx-runtime.production.js',
  'react-dom': 'react-dom/cjs/react-dom.production.js',
  'react-dom/client': 'react-dom/cjs/react-dom-client.production.js',
  scheduler: 'scheduler/cjs/scheduler.production.js',
};

function pathOf(file: string): string {
  const [name = ''] = file.split('/');
  return join(dirname(require.resolve(`${name}/package.json`)), file.slice(name.length));
}

/**
 * The events that components of the surveys handle. React would listen to some eighty, and run
 * twice for each of the ten events of a tap.
 */
export const reactEvents = 'cancel change click close focusout input keydown submit';

/** Converts React's DOM code so that it listens to `reactEvents` only. */
function withFewEvents(code: string): string {
  const fewer = code.replace('allNativeEvents.forEach(', `"${reactEvents}".split(" ").forEach(`);
  if (fewer === code) throw new Error(UNKNOWN_FORM);
  return fewer;
}

const UNKNOWN_FORM = 'React has another form than expected. Adapt scripts/react-modules.ts to it.';

/**
 * Converts a CommonJS file of React 19.3 into an ES module. Throws if the file has an unknown form.
 */
function asModule(code: string): string {
  const names = new Set<string>();
  const modules = code
    .replace(/\bvar ((?:\s*\w+ = require\("[\w-]+"\),?)+);?/g, (all, requires: string) => {
      const each = [...requires.matchAll(/(\w+) = require\(("[\w-]+")\)/g)];
      const imports = each.map(([, name, from]) => `import * as ${name} from ${from};`).join('');
      return imports + (all.endsWith(',') ? 'var ' : '');
    })
    .replace(/^exports\.(\w+) =/gm, 'var exports_$1 =')
    .replace(/\bexports[._](\w+)/g, (_, name: string) => {
      names.add(name);
      return `exports_${name}`;
    });
  if (names.size === 0 || /\b(?:require\(|exports\.|module\.exports)/.test(modules)) {
    throw new Error(UNKNOWN_FORM);
  }
  const list = [...names].map((name) => `exports_${name} as ${name}`);
  return `${modules}\nexport { ${list.join()} };\n`;
}

/** Replaces React by ES modules, because a bundler can remove unused exports of ES modules. */
export function reactModules(): Plugin {
  const paths = new Map(
    Object.entries(productionFiles).map(([name, file]) => [name, pathOf(file)]),
  );
  const files = new Set(paths.values());
  return {
    name: 'react-modules',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    resolveId: (name) => paths.get(name),
    transform: (code, id) => {
      if (!files.has(id)) return undefined;
      return asModule(id === paths.get('react-dom/client') ? withFewEvents(code) : code);
    },
  };
}
