/** Reads sections of the specification, so that a rule's text stands beside its inputs. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SpecificationSection } from '../../contract/console/leads.ts';
import { OperatorError } from './operator-error.ts';

const FILE = path.join(import.meta.dirname, '..', '..', '..', 'docs', 'specification.md');

let sections: Promise<ReadonlyMap<string, SpecificationSection>> | undefined;

/**
 * Returns a section by the anchor of its heading, such as `holds`.
 * @throws OperatorError `not_found` for an unknown anchor
 */
export async function specificationSection(anchor: string): Promise<SpecificationSection> {
  sections ??= readFile(FILE, 'utf8').then(sectionsOf);
  const section = (await sections).get(anchor);
  if (section === undefined) {
    throw new OperatorError('not_found', 'The specification has no such section.');
  }
  return section;
}

/** Splits Markdown at its headings. Links and marks are removed: the text is shown as it is. */
function sectionsOf(markdown: string): ReadonlyMap<string, SpecificationSection> {
  const found = new Map<string, SpecificationSection>();
  for (const part of markdown.split(/^#{2,4} /m).slice(1)) {
    const [title = '', ...lines] = part.split('\n');
    const anchor = title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(' ', '-');
    found.set(anchor, { title, text: plainText(lines.join('\n')) });
  }
  return found;
}

function plainText(markdown: string): string {
  return markdown
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .replaceAll('`', '')
    .trim();
}
