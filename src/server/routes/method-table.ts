import type { FastifyInstance } from 'fastify';

/**
 * Records the methods of every path, so that a wrong method gets 405 with `Allow`; Fastify would answer 404.
 * Call it before adding routes.
 */
export function methodTable(app: FastifyInstance): void {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const source = url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      .join('/');
    routes.push({ pattern: new RegExp(`^${source}$`), methods: [method].flat() });
  });
  app.decorate('methodsAt', (path: string) => {
    const found = routes.filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap(({ methods }) => methods))].sort();
  });
}
