import type { FastifyInstance } from 'fastify';

/**
 * Records the methods of every path, so that a wrong method gets 405 with `Allow`; Fastify would answer 404.
 * Call it before adding routes.
 */
export function methodTable(app: FastifyInstance): void {
  const routes: { pattern: RegExp; methods: Set<string> }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const source = url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      .join('/');
    const known = routes.find((route) => route.pattern.source === new RegExp(`^${source}$`).source);
    const methods = known?.methods ?? new Set<string>();
    for (const each of [method].flat()) methods.add(each);
    if (!known) routes.push({ pattern: new RegExp(`^${source}$`), methods });
  });
  app.decorate('methodsAt', (path: string) => {
    const methods = new Set(
      routes.filter((route) => route.pattern.test(path)).flatMap((route) => [...route.methods]),
    );
    return [...methods].sort();
  });
}
