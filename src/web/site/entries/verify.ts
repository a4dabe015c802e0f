/** Checks evidence packs in the browser. The only request fetches the site's own keys. */

import { type ReportText, reportText } from '../../../../content/evidence/report-text.ts';
import { type Bytes, fromUtf8, utf8 } from '../../../model/evidence/encoding.ts';
import type { ReaderInput } from '../../../model/evidence/formats.ts';
import { readTrustedKeys } from '../../../model/evidence/keys.ts';
import { readConsistency } from '../../../model/evidence/verify-log.ts';
import { verifyPack } from '../../../model/evidence/verify-pack.ts';
import { LARGEST_FILE } from '../../../model/evidence/zip.ts';
import type { Language } from '../../../model/fields/language.ts';

/** Returns the keys of the site that served the page, or undefined if it publishes none. */
async function keysOfSite(): Promise<ReaderInput['trusted']> {
  try {
    const answer = await fetch('/.well-known/evidence/keys.json', { cache: 'no-cache' });
    if (!answer.ok) return undefined;
    return { keys: readTrustedKeys(await answer.text()), from: location.origin };
  } catch {
    return undefined;
  }
}

/** Returns whether this browser can check signatures on this page. */
async function canCheckSignatures(): Promise<boolean> {
  try {
    await crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify']);
    return true;
  } catch {
    return false;
  }
}

for (const place of document.querySelectorAll<HTMLElement>('.verifier')) enhance(place);

function enhance(place: HTMLElement): void {
  const form = place.querySelector('form') as HTMLFormElement;
  const status = place.querySelector('.verify-status') as HTMLElement;
  const report = place.querySelector('.report') as HTMLElement;
  const siteKeys = place.dataset.site ? keysOfSite() : Promise.resolve(undefined);
  const input = (name: string) => form.elements.namedItem(name) as HTMLInputElement;

  /** Reads the files of a field. @throws an error that names the file that cannot be read */
  const readAll = async <Read>(name: string, read: (bytes: Bytes) => Read): Promise<Read[]> => {
    const contents: Read[] = [];
    for (const file of input(name).files ?? []) {
      try {
        contents.push(read(new Uint8Array(await file.arrayBuffer())));
      } catch {
        throw new Error(status.dataset.unreadable?.replace('%s', () => file.name));
      }
    }
    return contents;
  };

  const ownFiles = async (): Promise<ReaderInput> => {
    const [keys] = await readAll('keys', (bytes) => readTrustedKeys(fromUtf8(bytes)));
    const from = input('keys').files?.[0]?.name ?? '';
    return {
      now: new Date(),
      trusted: keys ? { keys, from } : await siteKeys,
      heads: await readAll('heads', (bytes) => utf8(fromUtf8(bytes).trim())),
      consistency: await readAll('consistency', (bytes) => readConsistency(fromUtf8(bytes))),
    };
  };

  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('change', async ({ target }) => {
    const file = input('pack').files?.[0];
    if (!file) return;
    status.textContent = status.dataset.checking ?? '';
    report.hidden = true;
    try {
      if (!(await canCheckSignatures())) throw new Error(status.dataset.oldBrowser);
      // Reads one byte more than the limit, which is enough to detect a larger file.
      const bytes = new Uint8Array(await file.slice(0, LARGEST_FILE + 1).arrayBuffer());
      const words = reportText(await verifyPack(bytes, await ownFiles()), place.lang as Language);
      const heading = showReport(report, words, file.name);
      status.textContent = '';
      report.hidden = false;
      if (target === input('pack')) heading.focus();
      else status.textContent = words.title;
    } catch (error) {
      status.textContent = error instanceof Error ? error.message : '';
    }
  });
}

function element(name: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  made.append(...children);
  return made;
}

/** Wraps a text in `<bdi>`, because the text may be written from right to left. */
const own = (text: string) => element('bdi', '', text);

/** Fills the report's section and returns its heading. */
function showReport(section: HTMLElement, words: ReportText, fileName: string): HTMLElement {
  const heading = element('h2', 'title', words.title);
  heading.id = section.getAttribute('aria-labelledby') ?? '';
  heading.tabIndex = -1;
  section.dataset.verdict = words.verdict;
  const checks = words.checks.map(({ id, outcome, mark, name, sentence, details }) => {
    const text = element('div', '', element('strong', '', name), element('p', '', sentence));
    if (details.length > 0) text.append(technical(words.titles.details, details, outcome));
    const item = element('li', '', element('span', 'check-mark muted', mark), text);
    item.dataset.check = id;
    item.dataset.outcome = outcome;
    return item;
  });
  const facts = words.facts.map(({ name, values }) => {
    const lines = values.map((value) => element('dd', '', own(value)));
    return element('div', '', element('dt', 'muted', name), ...lines);
  });
  const said = [element('h3', '', words.titles.said), element('dl', 'checks', ...facts)];
  section.replaceChildren(
    heading,
    element('p', 'lead', words.text),
    element('p', 'fine', own(fileName)),
    element('h3', '', words.titles.checks),
    element('ul', 'checks', ...checks),
    ...(facts.length > 0 ? said : []),
    element('h3', '', words.titles.notProven),
    element('ul', 'not-proven', ...words.notProven.map((line) => element('li', '', line))),
  );
  return heading;
}

/** Returns the technical details of a check. */
function technical(title: string, details: readonly string[], outcome: string): HTMLElement {
  const list = element('ul', 'muted', ...details.map((detail) => element('li', '', own(detail))));
  list.lang = 'en';
  const made = element('details', 'technical', element('summary', '', title), list);
  made.toggleAttribute('open', outcome === 'failed');
  return made;
}
