import type { FastifyInstance } from 'fastify';

/**
 * Remembers which methods every path answers, so that a wrong method gets 405 with `Allow`: Fastify
 * itself knows only 404. Call it before any route is added.
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
