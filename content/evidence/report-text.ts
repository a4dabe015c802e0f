import type { Report } from '../../src/model/evidence/formats.ts';
import { type FactId, reportWords } from './report.ts';

type Language = keyof typeof reportWords;

/** The texts of a verification report. */
export type ReportText = ReturnType<typeof reportText>;

/** The order of the checks in the report. */
const order = ['failed', 'not-checked', 'passed'];

export function reportText(report: Report, language: Language) {
  const words = reportWords[language];
  const { verdict, facts } = report;
  const known = factsOf(report, words.none);
  const values: Readonly<Record<string, string>> = {
    issuer: facts.manifest?.issuer ?? words.none,
    size: `${facts.manifest?.log.treeSize ?? words.none}`,
    from: facts.keysFrom ?? words.none,
  };
  const fill = (text = '') => text.replaceAll(/\{(\w+)\}/g, (_, name) => plain(values[name] ?? ''));
  const isPartly =
    verdict === 'proven' && report.checks.some(({ outcome }) => outcome === 'not-checked');
  const sorted = report.checks.toSorted(
    (a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome),
  );
  return {
    verdict,
    title: isPartly ? words.partly : words.verdicts[verdict].title,
    text: fill(words.verdicts[verdict].text),
    checks: sorted.map(({ id, outcome, details }) => {
      const { name, passed, failed, notChecked } = words.checks[id];
      const why = details.length > 0 ? notChecked : words.notReached;
      const sentence = fill({ passed, failed, 'not-checked': why }[outcome]);
      const mark = words.outcomes[outcome];
      return { id, outcome, mark, name, sentence, details: details.map(plain) };
    }),
    facts: Object.entries(words.facts).flatMap(([id, name]) => {
      const found = known[id as FactId];
      return found?.length ? [{ name, values: found.map(plain) }] : [];
    }),
    notProven: words.notProven,
    titles: { ...words.titles, said: words.titles[verdict === 'proven' ? 'facts' : 'claims'] },
  };
}

function factsOf({ facts }: Report, none: string): Partial<Record<FactId, readonly string[]>> {
  const { manifest, logged, head, kid } = facts;
  if (!manifest) return {};
  // A later revision may have no consent. The newest revision with a consent counts.
  const newest = logged
    .filter(({ revision }) => revision <= manifest.revision)
    .toSorted((a, b) => b.revision - a.revision);
  const stored = newest.find((each) => each.kind === 'revision');
  const consent = newest.find((each) => each.kind === 'consent');
  const deliveries = logged.flatMap((each) =>
    each.kind === 'delivery'
      ? [[each.destination, clock(each.endedAt ?? ''), each.outcome].filter(Boolean).join(' · ')]
      : [],
  );
  return {
    issuer: [manifest.issuer],
    leadId: [manifest.leadId],
    revision: [`${manifest.revision}`],
    ...(consent?.kind === 'consent' && {
      text: [consent.text],
      version: shown(consent.version),
      page: shown(consent.page),
      shownAt: [clock(consent.shownAt ?? none)],
      givenAt: [clock(consent.givenAt ?? none)],
      how: shown(consent.how),
      seen: seenOf(consent.visibility),
    }),
    ...(stored?.kind === 'revision' && {
      person: personOf(stored.fields),
      receivedAt: [clock(stored.receivedAt)],
      address: shown(stored.address),
    }),
    deliveries: deliveries.length === 0 ? [none] : deliveries,
    recipient: [manifest.recipient ?? none],
    ...(head && { log: [head.origin, `${head.treeSize}`, clock(head.at), head.rootHash] }),
    madeAt: [clock(manifest.madeAt)],
    ...(kid && { kid: [kid] }),
  };
}

/** Writes an ISO time, such as `2026-11-20 09:30:00 UTC`. */
function clock(time: string): string {
  return time.replace('T', ' ').replace('Z', ' UTC');
}

/** Replaces characters that could control a terminal or reverse a text. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\ufffd');
}

function personOf(fields: Readonly<Record<string, unknown>>): string[] {
  const { first_name, last_name, phone, email } = fields;
  const name = [...shown(first_name), ...shown(last_name)].join(' ');
  return [...shown(name), ...shown(phone), ...shown(email)];
}

/** Describes how much of the consent text the visitor saw. */
function seenOf(visibility: unknown): string[] {
  const { inView, wholeInViewMs, fontSize, contrast } = Object(visibility);
  if (!Array.isArray(inView)) return [];
  const seconds = (Number(wholeInViewMs) / 1000).toFixed(1);
  const parts = inView.flatMap((from, at) => (at % 2 ? [] : [`${from}–${inView[at + 1]} %`]));
  return [`${parts.join(', ') || '0 %'} · ${seconds} s · ${fontSize} px · ${contrast} : 1`];
}

function shown(value: unknown): string[] {
  return typeof value === 'string' && value !== '' ? [value] : [];
}

/** Returns a verification report as lines of text. */
export function reportLines(report: Report, language: Language): string[] {
  const made = reportText(report, language);
  return [
    made.title,
    made.text,
    '',
    made.titles.checks,
    ...made.checks.flatMap(({ mark, name, sentence, details }) => [
      `  [${mark}] ${name}: ${sentence}`,
      ...details.map((detail) => `      ${detail}`),
    ]),
    '',
    ...(made.facts.length > 0 ? [made.titles.said] : []),
    ...made.facts.map(({ name, values }) => `  ${name}: ${values.join('; ')}`),
    ...(made.facts.length > 0 ? [''] : []),
    made.titles.notProven,
    ...made.notProven.map((line) => `  - ${line}`),
  ];
}
