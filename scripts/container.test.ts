import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../src/server/settings/settings.ts';

const root = join(import.meta.dirname, '..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');
const dockerfile = text('Dockerfile');
const instructions = dockerfile
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => /^[A-Z]/.test(line));

/** Returns the settings that compose.yaml gives the server in addition to `.env`. */
function composeSettings(): Record<string, string> {
  const [, block = ''] = /\n {4}environment:\n((?: {6}.+\n)+)/.exec(text('compose.yaml')) ?? [];
  const lines = [...block.matchAll(/^ {6}(\w+): (.*)$/gm)];
  return Object.fromEntries(
    lines.map(([, name = '', value = '']) => [
      name,
      value
        .replaceAll('"', '')
        .replace(/\$\{\w+:-(.*?)\}/, '$1')
        .replace(/\$\{\w+:\?.*?\}/, 'x'.repeat(32)),
    ]),
  );
}

describe('the container', () => {
  it('reads .env if it exists, and publishes the console on loopback only', () => {
    const { settings } = parseSettings(composeSettings());
    expect([settings.host, settings.port, settings.console]).toEqual([
      ...['0.0.0.0', 3000],
      expect.objectContaining({ host: '0.0.0.0', port: 3001, url: 'http://localhost:3001' }),
    ]);
    const compose = text('compose.yaml');
    expect(compose).toContain('ports: ["3000:3000", "127.0.0.1:3001:3001"]');
    expect(compose).toContain('env_file: [{ path: .env, required: false }]');
  });

  it('pins its base images by digest, in arguments that operators can override', () => {
    const bases = instructions.filter((line) => line.startsWith('FROM '));
    expect(bases).toHaveLength(2);
    for (const base of bases) expect(base).toMatch(/^FROM \$\{NODE_IMAGE\}( AS build)?$/);
    const [, node] =
      /^ARG NODE_IMAGE=(node:24-\S+@sha256:[0-9a-f]{64})$/.exec(instructions[0] ?? '') ?? [];
    expect(node).toBeDefined();
    const compose = text('compose.yaml');
    expect(compose.match(/^\s+image: .+$/gm)).toHaveLength(1);
    expect(compose).toMatch(/^\s+image: \$\{POSTGRES_IMAGE:-postgres:18@sha256:[0-9a-f]{64}\}$/m);
    expect(compose).toContain(`NODE_IMAGE: "\${NODE_IMAGE:-${node}}"`);
    expect(text('deploy/failover/compose.yaml')).toContain(`NODE_IMAGE: "\${NODE_IMAGE:-${node}}"`);
    expect(text('deploy/failover/Dockerfile')).toMatch(/^FROM \$\{NODE_IMAGE\}$/m);
    expect(text('deploy/failover/Dockerfile')).toContain(`ARG NODE_IMAGE=${node}\n`);
  });

  it('runs as a user that owns nothing below /app except the data directory', () => {
    const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')));
    const user = last.indexOf('USER node');
    expect(user).toBeGreaterThan(0);
    expect(dockerfile).not.toContain('--chown');
    const given = last.slice(0, user).flatMap((line) => line.match(/\bchown \S+ \S+/g) ?? []);
    expect(given).toEqual(['chown node:node /app/data']);
    // The compile cache is in /tmp, because this user cannot write to node_modules.
    expect(dockerfile).toMatch(/^ENV .*NODE_COMPILE_CACHE=\/tmp\//m);
  });
});

it('npm, the container and the tests start the server by scripts/server.sh', () => {
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
  expect(scripts.start).toBe('exec sh scripts/server.sh scripts/start.ts');
  expect(scripts.demo).toBe('exec sh scripts/server.sh scripts/demo.ts');
  expect(text('Dockerfile')).toContain('CMD ["sh", "scripts/server.sh", "scripts/start.ts"]');
  expect(text('tests/support/program.ts')).toContain("join(root, 'scripts/server.sh'),");
});
