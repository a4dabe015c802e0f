/**
 * `npm run dev`: runs Astro with instant updates on PORT, the API on PORT + 1 and the console on
 * PORT + 3.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { dev } from 'astro';
import { createServer } from 'vite';
import { pageLocals } from '../src/server/http/site.ts';
import { loadSettings } from '../src/server/settings/environment.ts';
import { buildPages } from './build.ts';
import { consoleConfig } from './bundles.ts';

const root = join(import.meta.dirname, '..');

const ofApi = /^\/(api\/|us\/|_astro\/|healthz$|readyz$)|\/continue$/;

/** Returns true if the API, not Astro, answers a request. */
function isForApi(method: string | undefined, url: string | undefined): boolean {
  const [path = ''] = (url ?? '').split('?');
  return method === 'POST' || ofApi.test(path);
}

const settings = loadSettings();
const apiPort = settings.port + 1;
const consoleApiPort = settings.port + 2;
const consolePort = settings.port + 3;
/** Makes sign-in links open the console with instant updates. */
const consoleEnv = settings.console && {
  CONSOLE_PORT: String(consoleApiPort),
  CONSOLE_HOST: 'localhost',
  CONSOLE_URL: `http://localhost:${consolePort}`,
};
if (buildPages()) console.log('Pages built, for the answers to posted forms.');

const api = spawn(
  process.execPath,
  ['--watch-path=src', '--watch-preserve-output', 'src/server/main.ts'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, PORT: String(apiPort), ...consoleEnv } },
);
api.once('exit', (code) => process.exit(code ?? 1));
// Listens to `exit`, because Vite ends this process before another SIGTERM listener runs.
process.once('exit', () => api.kill('SIGTERM'));

process.env.SITE_LOCALS = JSON.stringify(pageLocals(settings));
process.env.ASTRO_TELEMETRY_DISABLED = '1';
const target = `http://127.0.0.1:${apiPort}`;
const server = await dev({
  root,
  server: { port: settings.port, host: settings.host },
  vite: {
    server: {
      proxy: {
        '^/': { target, bypass: ({ method, url }) => (isForApi(method, url) ? undefined : url) },
      },
    },
  },
});

const consoleTarget = `http://localhost:${consoleApiPort}`;
const consoleServer = await createServer({
  ...consoleConfig,
  server: {
    port: consolePort,
    host: 'localhost',
    strictPort: true,
    proxy: Object.fromEntries(
      ['^/api/', '^/_astro/'].map((path) => [path, { target: consoleTarget, changeOrigin: false }]),
    ),
  },
});
if (consoleEnv) await consoleServer.listen();

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await Promise.all([server.stop(), consoleServer.close()]);
    api.removeAllListeners('exit');
    api.once('exit', () => process.exit(0));
    api.kill('SIGTERM');
  });
}
