import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '../../model/fields/language.ts';
import { contentSecurityPolicy, HTML } from './page-document.ts';
import { handleError, RETRY_AFTER_SECONDS, refusalOf } from './problem.ts';

/** Self-contained, because anything that it needed might be what failed. */
const template = readFileSync(join(import.meta.dirname, '500.html'), 'utf8');
const policy = contentSecurityPolicy(template);

/** The texts of its placeholders. */
const words = {
  en: {
    title: 'This didn’t work',
    heading: 'This didn’t work, and it’s our fault',
    text: 'Something went wrong on our side. What you entered in a survey is safe in your browser. Please wait a moment, then reload this page.',
    homePath: '/',
    home: 'Go to the home page',
  },
  es: {
    title: 'Esto no funcionó',
    heading: 'Esto no funcionó, y es culpa nuestra',
    text: 'Algo falló de nuestro lado. Lo que escribió en una encuesta está guardado en su navegador. Por favor, espere un momento y vuelva a cargar esta página.',
    homePath: '/es/',
    home: 'Ir a la página de inicio',
  },
} as const satisfies Record<Language, Record<string, string>>;

function failedPage(language: Language): string {
  return Object.entries(words[language]).reduce(
    (html, [place, text]) => html.replaceAll(`{${place}}`, text),
    template.replace('<html lang="en">', `<html lang="${language}">`),
  );
}

/**
 * Returns an error handler that sends an error page to browsers that asked for a page. Other requests get the
 * answer of `handleError`.
 *
 * @param language returns the language of the requested page
 */
export function createPageErrorHandler(language: (request: FastifyRequest) => Language) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status } = refusalOf(error as Partial<FastifyError>);
    const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
    if (status < 500 || !wantsPage) return handleError(error, request, reply);
    request.log.error({ err: error }, 'Could not send a page');
    if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
    return reply
      .code(status)
      .headers({
        'content-type': HTML,
        'content-security-policy': policy,
        'cache-control': 'no-store',
      })
      .send(failedPage(language(request)));
  };
}
