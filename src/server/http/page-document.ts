import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { HostDirective, ScriptHosts } from '../../model/messages/script-declarations.ts';
import { type ScriptFiles, scriptFilesMark } from '../../model/messages/scripts-after-paint.ts';

export const HTML = 'text/html; charset=utf-8';

export function isHtml(contentType: string): boolean {
  return contentType.startsWith('text/html');
}

/** Returns the best encoding that the browser accepts; undefined if the browser accepts none. */
export function acceptedEncoding(accepted = ''): 'br' | 'gzip' | undefined {
  if (/\bbr\b/.test(accepted)) return 'br';
  return /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
}

/** A page as rendered by Astro, without preloads and compression. */
export type RenderedPage = {
  readonly status: number;
  readonly contentType: string;
  /** The HTML of a page, or the text of a generated file such as `/robots.txt`. */
  readonly html: string;
  /** The third-party hosts that the page's content security policy allows. Default: none. */
  readonly hosts?: ScriptHosts;
};

/** One script file, as listed in `dist/page-scripts.json` (astro.config.mjs). */
export type PageScript = {
  /** The file's path on the site, such as `/_astro/survey.C4fe.js`. */
  readonly file: string;
  /** Paths of the script files that this file imports statically. */
  readonly imports: readonly string[];
  /** Size in bytes of each source module in the file, by source path. */
  readonly modules?: Readonly<Record<string, number>>;
};

/** A rendered page, ready to send to any visitor. */
export type PageDocument = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly identity: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
};

/** Features that pages and third-party scripts may not use. */
const PERMISSIONS_POLICY = (
  'accelerometer camera display-capture geolocation gyroscope hid magnetometer microphone midi ' +
  'payment serial usb'
)
  .split(' ')
  .map((feature) => `${feature}=()`)
  .join(', ');

/** Matches a form with the method POST, which works without a script. */
const POSTED_FORM = /<form\b[^>]*\bmethod="post"/i;

/**
 * Prepares a rendered page: adds preloads, allows inline code by hash, and compresses the page. All
 * inline code is safe, because a rendered page contains nothing from visitors.
 */
export async function pageDocument(
  page: RenderedPage,
  scripts: readonly PageScript[],
): Promise<PageDocument> {
  const { contentType, hosts } = page;
  const html = isHtml(contentType) ? withPreloads(page.html, scripts) : page.html;
  const identity = Buffer.from(html);
  return {
    status: page.status,
    headers: {
      'content-type': isHtml(contentType) ? HTML : contentType,
      ...(isHtml(contentType) && {
        'content-security-policy': contentSecurityPolicy(html, hosts),
        'permissions-policy': PERMISSIONS_POLICY,
      }),
      etag: `"${hash('sha256', identity, 'base64url').slice(0, 22)}"`,
    },
    identity,
    gzip: await compressed.gzip(identity),
    br: await compressed.br(identity),
  };
}

/** Compresses a page as well as possible, in about 0.1 s. */
export async function smallest(page: PageDocument): Promise<PageDocument> {
  return { ...page, br: await compressed.br(page.identity, constants.BROTLI_MAX_QUALITY) };
}

/** A compression level that needs 3 % of the best level's time for 10 % more bytes. */
const QUICK = 5;

/** Functions that compress without blocking the event loop. */
export const compressed = {
  gzip: (content: Buffer) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  br: (content: Buffer, quality = QUICK) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
};

const MODULE_SCRIPT = /<script type="module" src="([^"]+)"[^>]*><\/script>/g;
const PRELOAD = /<link rel="modulepreload" href="([^"]+)"[^>]*>/g;

/** Adds preload links for all files that the page's scripts import. */
function withPreloads(page: string, scripts: readonly PageScript[]): string {
  const html = page.replaceAll(
    /(<link rel="modulepreload" href=")(src\/[^"]+)"/g,
    (_, start: string, module: string) => {
      const built = scripts.find(({ modules = {} }) => module in modules);
      if (!built) throw new Error(`No script of the build contains ${module}`);
      return `${start}${built.file}"`;
    },
  );
  const entries = [...html.matchAll(MODULE_SCRIPT)].map((match) => match[1] ?? '');
  const files = new Set<string>();
  const add = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    for (const imported of scripts.find((s) => s.file === file)?.imports ?? []) add(imported);
  };
  for (const file of entries) add(file);
  if (html.includes(scriptFilesMark)) {
    for (const match of html.matchAll(PRELOAD)) add(match[1] ?? '');
    const later: ScriptFiles = {
      scripts: entries,
      imports: [...files].filter((file) => !entries.includes(file)),
    };
    return html
      .replaceAll(MODULE_SCRIPT, '')
      .replaceAll(PRELOAD, '')
      .replace(scriptFilesMark, () => JSON.stringify(later));
  }
  const links = [...files].map((file) => `<link rel="modulepreload" href="${file}">`).join('');
  return html.replace('</head>', `${links}</head>`);
}

/** Returns the content security policy of a page (docs/specification.md#headers). */
export function contentSecurityPolicy(html: string, hosts: ScriptHosts = {}): string {
  const hashes = (pattern: RegExp) => {
    const bodies = new Set(Array.from(html.matchAll(pattern), ([, body = '']) => body));
    bodies.delete('');
    return [...bodies].map((body) => `'sha256-${hash('sha256', body, 'base64')}'`);
  };
  const scriptHashes = hashes(
    /<script(?![^>]*(?:\bsrc=|type="application\/json"))[^>]*>([\s\S]*?)<\/script>/g,
  );
  const styleHashes = hashes(/<style[^>]*>([\s\S]*?)<\/style>/g);
  const withHosts = (directive: HostDirective, ...sources: string[]) =>
    [directive, ...sources, ...(hosts[directive] ?? [])].join(' ');
  return [
    "default-src 'self'",
    withHosts('script-src', "'self'", ...scriptHashes),
    ["style-src 'self'", ...styleHashes].join(' '),
    withHosts('img-src', "'self'", 'data:'),
    // A survey's page embeds a font subset as a `data:` URL.
    "font-src 'self' data:",
    withHosts('connect-src', "'self'"),
    ...(hosts['frame-src'] ? [withHosts('frame-src')] : []),
    "object-src 'none'",
    "base-uri 'none'",
    // Allows only POST forms, because a GET form would put the typed values into the URL.
    `form-action ${POSTED_FORM.test(html) ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
}
