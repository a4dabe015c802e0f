/** The embedded e-mail check, which rejects disposable domains and domains that take no mail. */
import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { inTime } from '../platform/in-time.ts';
import type { EmailCheck } from './check-contact.ts';

/** The methods of Node's DNS resolver that the e-mail check uses. */
export type MailResolver = {
  resolveMx(domain: string): Promise<{ exchange: string }[]>;
  resolve4(domain: string): Promise<unknown[]>;
  resolve6(domain: string): Promise<unknown[]>;
};

type EmailCheckOptions = {
  /** Setting EMAIL_MX_LOOKUP: whether the check looks up the domain's mail servers. */
  looksUpMx: boolean;
  /** Setting EMAIL_MX_TIMEOUT_MS: maximum duration of the whole look-up. */
  timeoutMs: number;
  resolver?: MailResolver;
};

/** DNS errors that mean that the name or record does not exist. Other errors are failures. */
const noSuchName = new Set(['ENOTFOUND', 'ENODATA']);

function readDomains(file: string): string[] {
  const path = fileURLToPath(import.meta.resolve(`disposable-email-domains/${file}`));
  return JSON.parse(readFileSync(path, 'utf8')) as string[];
}

/** Loads the list of disposable domains, and returns the e-mail check. */
export function createEmailCheck(options: EmailCheckOptions): EmailCheck {
  const { looksUpMx, timeoutMs } = options;
  const listed = new Set(readDomains('index.json'));
  const wildcards = new Set(readDomains('wildcard.json'));
  const resolver = options.resolver ?? new Resolver({ timeout: timeoutMs, tries: 1 });

  const isDisposable = (domain: string): boolean => {
    if (listed.has(domain)) return true;
    const labels = domain.split('.');
    return labels.some((_, index) => wildcards.has(labels.slice(index).join('.')));
  };

  return async (email) => {
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
    if (isDisposable(domain)) return { valid: true, disposable: true };
    // A domain in brackets is an IP address, which needs no look-up.
    if (!looksUpMx || domain.startsWith('[')) return { valid: true, disposable: false };
    const takesMail = await inTime(lookUpSafely(resolver, domain), timeoutMs);
    return { valid: takesMail ?? true, disposable: false };
  };
}

/** A domain that certainly takes mail. If its look-up fails, the name servers do not work. */
const CONTROL_DOMAIN = 'gmail.com';

/** Looks up a domain. Returns undefined if the name servers do not work. */
async function lookUpSafely(resolver: MailResolver, domain: string): Promise<boolean | undefined> {
  const answer = await lookUp(resolver, domain);
  if (answer !== false) return answer;
  return (await lookUp(resolver, CONTROL_DOMAIN)) ? false : undefined;
}

/** Returns whether a domain takes mail; undefined if the name servers failed. */
async function lookUp(resolver: MailResolver, domain: string): Promise<boolean | undefined> {
  try {
    const servers = await resolver.resolveMx(domain);
    // A single MX record with an empty host means that the domain takes no mail (RFC 7505).
    return servers.some(({ exchange }) => exchange !== '');
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOTFOUND') return false;
    if (code !== 'ENODATA') return undefined;
  }
  // Without MX records, mail goes to the host of the A or AAAA record (RFC 5321, section 5.1).
  const [four, six] = await Promise.allSettled([
    resolver.resolve4(domain),
    resolver.resolve6(domain),
  ]);
  const outcomes = [four, six];
  if (outcomes.some((each) => each.status === 'fulfilled' && each.value.length > 0)) return true;
  const isSure = outcomes.every(
    (each) => each.status === 'fulfilled' || noSuchName.has((each.reason as { code: string }).code),
  );
  return isSure ? false : undefined;
}
