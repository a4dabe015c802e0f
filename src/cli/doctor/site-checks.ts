/** Checks the texts and settings that an operator must fill in before the site goes live. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '../../server/settings/settings.ts';
import { variables } from '../../server/settings/variables.ts';
import { hasPlaceholderName } from '../../web/site/sponsor-list.ts';
import type { Finding } from './finding.ts';

const PAGES = path.join(import.meta.dirname, '..', '..', '..', 'content', 'pages');
/** Pages that a lawyer must check. */
const LEGAL_PAGES = ['privacy-policy.md', 'terms-of-use.md', 'about-us.md'];
/** The time for which a lawyer's check is valid. */
const CHECKED_MS = 365 * 86_400_000;

/** Returns findings about texts and settings that still have the project's defaults. */
export function checkSite(
  { site, surveys, fallbackBuyers }: Settings,
  now: Date,
  isProduction: boolean,
): Finding[] {
  const findings: Finding[] = [];
  const add = (state: Finding['state']) => (about: string, text: string, next: string) =>
    findings.push({ about, state, text, next });
  const unfinished = add('unfinished');
  // On a live site, the example company's details would mislead visitors.
  const misleading = add(isProduction ? 'wrong' : 'unfinished');
  const { PHONE_NUMBER, CONTACT_EMAIL, COMPANY_NAME } = variables;
  if (site.phoneHref.endsWith(PHONE_NUMBER.fallback)) {
    misleading('phone number', `${site.phoneDisplay} reaches nobody`, 'set PHONE_NUMBER');
  }
  if (site.contactEmail === CONTACT_EMAIL.fallback) {
    misleading('e-mail address', `${site.contactEmail} reaches nobody`, 'set CONTACT_EMAIL');
  }
  if (site.companyName === COMPANY_NAME.fallback) {
    unfinished('name', `the site is called "${site.companyName}"`, 'set COMPANY_NAME');
  }
  const placeholders = 'their names are placeholders, which visitors would consent to';
  if (fallbackBuyers.some(hasPlaceholderName)) {
    misleading(
      'fallback buyers',
      placeholders,
      'set FALLBACK_BUYER_NAMES to the names of the firms',
    );
  }
  for (const { path: survey, buyers } of surveys) {
    if (!buyers || buyers === 'fetched' || !buyers.some(hasPlaceholderName)) continue;
    const next = `set SURVEY_OVERRIDES to {"${survey}":{"buyers":[{"name":"…","ids":["…"]}]}}`;
    misleading(`buyers of ${survey}`, placeholders, next);
  }
  return [...findings, ...checkLegalPages(now)];
}

function checkLegalPages(now: Date): Finding[] {
  const next = 'have a lawyer read it for your company and states; then set "checked" above it';
  return readdirSync(PAGES).flatMap((language) =>
    LEGAL_PAGES.map((page) => path.join(PAGES, language, page))
      .filter((file) => existsSync(file))
      .map((file): Finding => {
        const checked = /^checked: "(\d{4}-\d{2}-\d{2})"$/m.exec(readFileSync(file, 'utf8'))?.[1];
        const about = `content/pages/${language}/${path.basename(file)}`;
        if (checked === undefined) {
          return { about, state: 'unfinished', text: 'never marked as checked', next };
        }
        return now.getTime() - Date.parse(checked) > CHECKED_MS
          ? { about, state: 'unfinished', text: `last checked on ${checked}`, next }
          : { about, state: 'not_tried', text: `checked on ${checked}; needs a lawyer`, next };
      }),
  );
}
