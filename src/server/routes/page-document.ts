import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type ScriptFiles, scriptFilesMark } from '../../contract/scripts-after-paint.ts';
import type { HostDirective, ScriptHosts } from '../../contract/third-party-scripts.ts';
import type { RenderedPage } from './astro-pages.ts';
import { HTML, isHtml } from './html.ts';

/** One script file of the pages, as `dist/page-scripts.json` lists them (astro.config.mjs). */
export type PageScript = {
  /** Its address on the site, for example `/_astro/survey.C4fe.js`. */
  readonly file: string;
  /** Addresses of the files that it imports at once. */
  readonly imports: readonly string[];
  /** Its modules by their file in the project, with the bytes that each has in it. */
  readonly modules?: Readonly<Record<string, number>>;
};

/** A page, ready to send again and again. Nothing in it depends on the visitor. */
export type PageDocument = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly identity: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
};

/** What no page needs, and no script of a third party in it gets. Browsers warn of names they don't know. */
const PERMISSIONS_POLICY = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ');

/** What a page has that may be sent without a script. */
const POSTED_FORM = /<form\b[^>]*\bmethod="post"/i;

/**
 * Makes a rendered page ready to send: tells the browser in the head which scripts to fetch at once,
 * allows exactly its own inline scripts and styles by hash, and compresses it quickly.
 *
 * The hashes are taken from the page itself. That is sound because the page is rendered without
 * anything that a visitor sent: there is nothing in it to inject.
 *
 * @param hosts of third parties that the page may load from and call; by default none
 */
export async function pageDocument(
  page: RenderedPage,
  scripts: readonly PageScript[],
  hosts?: ScriptHosts,
): Promise<PageDocument> {
  const { contentType } = page;
  const html = isHtml(contentType) ? withPreloads(page.html, scripts) : page.html;
  const identity = Buffer.from(html);
  return {
    status: page.status,
    headers: {
      'content-type': isHtml(contentType) ? HTML : contentType,
      // What is no page keeps the policy of everything that is none: nothing is allowed.
      ...(isHtml(contentType) && {
        'content-security-policy': contentSecurityPolicy(html, hosts),
        'permissions-policy': PERMISSIONS_POLICY,
      }),
      etag: `"${hash('sha256', identity, 'base64url').slice(0, 22)}"`,
    },
    identity,
    gzip: await promisify(gzip)(identity, { level: constants.Z_BEST_COMPRESSION }),
    br: await brotli(identity, QUICK),
  };
}

/** The page in as few bytes as it can be sent in: some 0.1 s of a processor. */
export async function smallest(page: PageDocument): Promise<PageDocument> {
  return { ...page, br: await brotli(page.identity, constants.BROTLI_MAX_QUALITY) };
}

/** A tenth more bytes than the smallest, in a thirtieth of the time. */
const QUICK = 5;

/** Beside the event loop. */
function brotli(identity: Buffer, quality: number): Promise<Buffer> {
  return promisify(brotliCompress)(identity, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
    },
  });
}

const MODULE_SCRIPT = /<script type="module" src="([^"]+)"[^>]*><\/script>/g;
const PRELOAD = /<link rel="modulepreload" href="([^"]+)"[^>]*>/g;

/**
 * Everything that the page's scripts import, so that the browser need not find it out file by file. A module
 * that the page wants beforehand is named by its source, which stands for the file that it is built into.
 * Where the page has a script that asks for its scripts (`scriptsAfterPaint`), that is told their files, and
 * nothing else names them.
 */
function withPreloads(page: string, scripts: readonly PageScript[]): string {
  const html = page.replaceAll(
    /(<link rel="modulepreload" href=")(src\/[^"]+)"/g,
    (_, start: string, module: string) => {
      const built = scripts.find(({ modules = {} }) => module in modules);
      if (!built) throw new Error(`No script of the build has ${module}`);
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

/**
 * The policy of a page: our own host, the inline pieces that this very page has, and the hosts that the
 * scripts of third parties are declared to need (docs/specification.md#headers).
 */
export function contentSecurityPolicy(html: string, hosts: ScriptHosts = {}): string {
  const hashes = (pattern: RegExp) => [
    ...new Set(
      [...html.matchAll(pattern)]
        .map((match) => match[1] ?? '')
        .filter((body) => body !== '')
        .map((body) => `'sha256-${hash('sha256', body, 'base64')}'`),
    ),
  ];
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
    // The letters of a survey's first screen, which its page carries.
    "font-src 'self' data:",
    withHosts('connect-src', "'self'"),
    ...(hosts['frame-src'] ? [withHosts('frame-src')] : []),
    "object-src 'none'",
    "base-uri 'none'",
    // A form without a method would be sent in an address: only where a page has one that is posted.
    `form-action ${POSTED_FORM.test(html) ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ');
}
