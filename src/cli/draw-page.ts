/** Draws a page as a picture with a Chromium that the operator names (docs/evidence.md#packs). */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Bytes } from '../evidence/bytes.ts';
import type { StepPage } from '../server/operators/evidence/consent-step.ts';
import { OperatorError } from '../server/operators/operator-error.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;

/**
 * Returns a page as PNG. The browser gets an empty profile and no network; the page itself forbids scripts.
 *
 * @param browser the path or the name of a Chromium
 * @throws OperatorError if it makes no picture
 */
export async function drawPage(browser: string, { html, width, height }: StepPage): Promise<Bytes> {
  const folder = await mkdtemp(join(tmpdir(), 'picture-'));
  const [page, png] = [join(folder, 'page.html'), join(folder, 'page.png')];
  try {
    await writeFile(page, html);
    const args = [
      ...['--headless', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
      ...[
        '--host-resolver-rules=MAP * ~NOTFOUND',
        '--hide-scrollbars',
        `--window-size=${width},${height}`,
      ],
      ...[`--user-data-dir=${join(folder, 'profile')}`, `--screenshot=${png}`],
      // Chromium refuses to start for root with its sandbox.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      pathToFileURL(page).href,
    ];
    await run(browser, args, { timeout: TIMEOUT_MS });
    return Uint8Array.from(await readFile(png));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OperatorError('refused', `${browser} made no picture (${code ?? message}).`);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
