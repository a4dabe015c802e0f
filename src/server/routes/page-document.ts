import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** One script file of the pages, as `dist/page-scripts.json` lists them (astro.config.mjs). */
export type PageScript = {
  /** Its address on the site, for example `/_astro/survey.C4fe.js`. */
  readonly file: string;
  /** Addresses of the files that it imports at once. */
  readonly imports: readonly string[];
};

/** A page, ready to send again and again. Nothing in it depends on the visitor. */
export type PageDocument = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly identity: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
};

/**
 * Makes a rendered page ready to send: tells the browser in the head which scripts to fetch at once,
 * allows exactly its own inline scripts and styles by hash, and compresses it as small as it gets.
 *
 * The hashes are taken from the page itself. That is sound because the page is rendered without
 * anything that a visitor sent: there is nothing in it to inject.
 */
export async function pageDocument(
  page: { readonly status: number; readonly html: string },
  scripts: readonly PageScript[],
): Promise<PageDocument> {
  const html = withPreloads(page.html, scripts);
  const identity = Buffer.from(html);
  return {
    status: page.status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy(html),
      etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    },
    identity,
    // Beside the event loop: all surveys are compressed at the start.
    gzip: await promisify(gzip)(identity, { level: 9 }),
    br: await promisify(brotliCompress)(identity, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
      },
    }),
  };
}

/** Everything that the page's scripts import, so that the browser need not find it out file by file. */
function withPreloads(html: string, scripts: readonly PageScript[]): string {
  const entries = [...html.matchAll(/<script type="module" src="([^"]+)"/g)].map((m) => m[1] ?? '');
  const files = new Set<string>();
  const add = (file: string) => {
    if (files.has(file)) return;
    files.add(file);
    for (const imported of scripts.find((s) => s.file === file)?.imports ?? []) add(imported);
  };
  for (const file of entries) add(file);
  const links = [...files].map((file) => `<link rel="modulepreload" href="${file}">`).join('');
  return html.replace('</head>', `${links}</head>`);
}

/** The hosts of the scripts that the page's survey may load at some step: part of the page's data. */
function thirdPartyOrigins(html: string): string[] {
  const data = /<script[^>]*\bid="survey-data"[^>]*>([\s\S]*?)<\/script>/.exec(html)?.[1];
  if (data === undefined) return [];
  const { scripts = [] } = JSON.parse(data) as { scripts?: { src: string }[] };
  return [...new Set(scripts.map(({ src }) => new URL(src).origin))];
}

/** The policy of a page: our own host, and the inline pieces that this very page has. */
export function contentSecurityPolicy(html: string): string {
  const hashes = (pattern: RegExp) => [
    ...new Set(
      [...html.matchAll(pattern)]
        .map((match) => match[1] ?? '')
        .filter((body) => body !== '')
        .map((body) => `'sha256-${createHash('sha256').update(body).digest('base64')}'`),
    ),
  ];
  const scriptHashes = hashes(
    /<script(?![^>]*(?:\bsrc=|type="application\/json"))[^>]*>([\s\S]*?)<\/script>/g,
  );
  const styleHashes = hashes(/<style[^>]*>([\s\S]*?)<\/style>/g);
  const hosts = thirdPartyOrigins(html);
  const withHosts = (...sources: string[]) => [...sources, ...hosts].join(' ');
  return [
    "default-src 'self'",
    withHosts("script-src 'self'", ...scriptHashes),
    ["style-src 'self'", ...styleHashes].join(' '),
    // A script of a third party reports to its own host, by a picture or a call, and to no other.
    withHosts("img-src 'self' data:"),
    withHosts("connect-src 'self'"),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
