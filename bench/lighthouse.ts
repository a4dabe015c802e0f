import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { browserArgs, ensureBrowser } from '../scripts/browser.ts';
import { surveyPaths } from '../src/site/site-map.ts';
import { startLeadServer } from './lead-server.ts';

/** npm downloads it only for this bench, because it is ten times as large as all dependencies together. */
const lighthousePackage = 'lighthouse@13.5.0';
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const RUN_TIMEOUT_MS = 180_000;
const wantedBlockingMs = 20;

type Page = { readonly path: string; readonly skipped?: string };

const pages: readonly Page[] = [
  { path: '/' },
  { path: '/car-accident-lawsuits/filing-claim/' },
  { path: '/contact/' },
  { path: surveyPaths.en },
  // The skipped audit demands an indexed page; this one must not be indexed
  // (docs/specification.md#privacy-of-the-thank-you-page).
  { path: '/survey-thank-you/?q=y', skipped: 'is-crawlable' },
];

/** The used part of Lighthouse's report. A score is from 0 to 1, or null if an audit does not apply. */
type Report = {
  readonly lighthouseVersion: string;
  readonly categories: Readonly<
    Record<
      (typeof categories)[number],
      {
        readonly score: number | null;
        readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
      }
    >
  >;
  readonly audits: Readonly<
    Record<
      string,
      {
        readonly score: number | null;
        readonly displayValue?: string;
        readonly numericValue?: number;
      }
    >
  >;
};

/** @throws if Lighthouse cannot be installed or does not end */
async function examine(url: string, skipped: string | undefined): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'lighthouse-'));
  const path = join(folder, 'report.json');
  try {
    await promisify(execFile)(
      'npm',
      [
        ...['exec', '--yes', `--package=${lighthousePackage}`, '--', 'lighthouse', url],
        ...['--quiet', '--output=json', `--output-path=${path}`],
        `--chrome-flags=${['--headless', ...browserArgs].join(' ')}`,
        `--only-categories=${categories.join(',')}`,
        ...(skipped ? [`--skip-audits=${skipped}`] : []),
      ],
      { env: { ...process.env, CHROME_PATH: ensureBrowser() }, timeout: RUN_TIMEOUT_MS },
    );
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the audits that lowered a score, with their findings. */
function lost(report: Report): string[] {
  const counted = categories.flatMap((name) => report.categories[name].auditRefs);
  return counted
    .filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 1)
    .map(({ id }) => [id, report.audits[id]?.displayValue].filter(Boolean).join(' '));
}

/**
 * Runs Lighthouse's mobile test on some pages. Prints each page's four scores, its total blocking time, and
 * the audits that lowered a score.
 */
export async function benchLighthouse(): Promise<void> {
  const server = await startLeadServer();
  console.log(
    `${lighthousePackage}, mobile (target: 100 in all four, blocked at most ${wantedBlockingMs} ms):`,
  );
  try {
    for (const { path, skipped } of pages) {
      const report = await examine(server.url + path, skipped);
      const scores = categories.map(
        (name) => `${name} ${Math.round(100 * (report.categories[name].score ?? 0))}`,
      );
      const blockingMs = report.audits['total-blocking-time']?.numericValue ?? Number.NaN;
      console.log(
        `  ${path.padEnd(38)} ${scores.join(', ')}; blocked ${blockingMs.toFixed(0)} ms` +
          `${skipped ? ` (without ${skipped})` : ''}`,
      );
      for (const audit of lost(report)) console.log(`    ${audit}`);
    }
  } finally {
    await server.stop();
  }
}
