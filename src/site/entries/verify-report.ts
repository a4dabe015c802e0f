/** Shows a report on the page. */
import type { ReportText } from '../../evidence/words.ts';

type Child = Node | string;

function element(name: string, className: string, ...children: readonly Child[]): HTMLElement {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** Text of a pack, which may be in any direction. */
const own = (text: string) => element('bdi', '', text);

/** Fills the report's section. @returns its heading, which can have the focus */
export function showReport(section: HTMLElement, words: ReportText, fileName: string): HTMLElement {
  const heading = element('h2', 'title', words.title);
  heading.id = section.getAttribute('aria-labelledby') ?? '';
  heading.tabIndex = -1;
  section.dataset.verdict = words.verdict;
  const checks = words.checks.map(({ id, outcome, mark, name, sentence, details }) => {
    const text = element('div', '', element('strong', '', name), element('p', '', sentence));
    if (details.length > 0) text.append(technical(words.titles.details, details, outcome));
    const item = element('li', '', element('span', 'check-mark', mark), text);
    item.dataset.check = id;
    item.dataset.outcome = outcome;
    return item;
  });
  const facts = words.facts.flatMap(({ name, values }) => [
    element('dt', '', name),
    ...values.map((value) => element('dd', '', own(value))),
  ]);
  section.replaceChildren(
    heading,
    element('p', 'lead', words.text),
    element('p', 'fine', own(fileName)),
    element('h3', '', words.titles.checks),
    element('ul', 'checks', ...checks),
    ...(facts.length > 0
      ? [element('h3', '', words.titles.said), element('dl', 'facts', ...facts)]
      : []),
    element('h3', '', words.titles.notProven),
    element('ul', 'not-proven', ...words.notProven.map((line) => element('li', '', line))),
  );
  return heading;
}

/** What exactly is wrong, for engineers: open if the check failed. */
function technical(title: string, details: readonly string[], outcome: string): HTMLElement {
  const lines = details.map((detail) => element('li', '', own(detail)));
  const list = element('ul', '', ...lines);
  list.lang = 'en';
  const made = element('details', 'technical', element('summary', '', title), list);
  (made as HTMLDetailsElement).open = outcome === 'failed';
  return made;
}
