import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const text = (path: string) => readFileSync(join(root, path), 'utf8');

it('every way of starting the server goes through scripts/server.sh', () => {
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
  expect(scripts.start).toBe('exec sh scripts/server.sh scripts/start.ts');
  expect(scripts.demo).toBe('exec sh scripts/server.sh scripts/demo.ts');
  expect(text('Dockerfile')).toContain('CMD ["sh", "scripts/server.sh", "scripts/start.ts"]');
  expect(text('tests/e2e/support/stack.ts')).toContain("'scripts/server.sh', 'src/server/main.ts'");
});
