/** What a report says to a reader who is no engineer. `{…}` is filled from the pack. */
import type { CheckId, Report } from './report.ts';
import { en } from './words-en.ts';
import { es } from './words-es.ts';

/** A check can be left out if the reader lacks something for it. */
type Outcomes = {
  readonly name: string;
  readonly passed?: string;
  readonly failed?: string;
  readonly notChecked?: string;
};

/** The facts that are told, in their order. */
export const factIds = [
  'issuer',
  'leadId',
  'revision',
  'person',
  'text',
  'version',
  'page',
  'shownAt',
  'givenAt',
  'how',
  'seen',
  'receivedAt',
  'address',
  'deliveries',
  'recipient',
  'log',
  'madeAt',
  'timestamp',
  'kid',
] as const;
export type FactId = (typeof factIds)[number];

export type Words = {
  readonly verdicts: Readonly<Record<Report['verdict'], { title: string; text: string }>>;
  /** The title of a proven pack if some checks were skipped. */
  readonly partly: string;
  readonly outcomes: Readonly<Record<'passed' | 'failed' | 'not-checked', string>>;
  readonly checks: Readonly<Record<CheckId, Outcomes>>;
  readonly facts: Readonly<Record<FactId, string>>;
  readonly titles: Readonly<
    Record<'checks' | 'facts' | 'claims' | 'notProven' | 'details', string>
  >;
  /** What no pack can prove. */
  readonly notProven: readonly string[];
  readonly notReached: string;
  readonly none: string;
};

const words = { en, es };
export type WordsLanguage = keyof typeof words;

/** A report in words, in the order in which it is read. */
export type Told = {
  readonly verdict: Report['verdict'];
  readonly title: string;
  readonly text: string;
  readonly checks: readonly {
    readonly id: CheckId;
    readonly outcome: keyof Words['outcomes'];
    readonly mark: string;
    readonly name: string;
    readonly sentence: string;
    readonly details: readonly string[];
  }[];
  readonly facts: readonly { readonly name: string; readonly values: readonly string[] }[];
  readonly notProven: readonly string[];
  readonly titles: Words['titles'] & { readonly said: string };
};

/** What is wrong comes first. */
const order = ['failed', 'not-checked', 'passed'];

export function tell(report: Report, language: WordsLanguage): Told {
  const { verdicts, outcomes, checks, facts, titles, notProven, notReached } = words[language];
  const known = factsOf(report, words[language].none);
  const values: Readonly<Record<string, string>> = {
    issuer: report.facts.manifest?.issuer ?? words[language].none,
    size: `${report.facts.manifest?.log.treeSize ?? words[language].none}`,
    by: report.facts.timestamp?.by ?? words[language].none,
    from: report.facts.keysFrom ?? words[language].none,
  };
  const fill = (text: string) =>
    text.replaceAll(/\{(\w+)\}/g, (_, name) => plain(values[name] ?? ''));
  const isPartly =
    report.verdict === 'proven' && report.checks.some(({ outcome }) => outcome === 'not-checked');
  const sorted = report.checks.toSorted(
    (a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome),
  );
  return {
    verdict: report.verdict,
    title: isPartly ? words[language].partly : verdicts[report.verdict].title,
    text: fill(verdicts[report.verdict].text),
    checks: sorted.map(({ id, outcome, details }) => {
      const { name, passed, failed, notChecked } = checks[id];
      const sentence = {
        passed,
        failed,
        'not-checked': details.length > 0 ? notChecked : notReached,
      }[outcome];
      return {
        id,
        outcome,
        mark: outcomes[outcome],
        name,
        sentence: fill(sentence ?? ''),
        details: details.map(plain),
      };
    }),
    facts: factIds.flatMap((id) => {
      const found = known[id];
      return found?.length ? [{ name: facts[id], values: found.map(plain) }] : [];
    }),
    notProven,
    titles: { ...titles, said: report.verdict === 'proven' ? titles.facts : titles.claims },
  };
}

function factsOf({ facts }: Report, none: string): Partial<Record<FactId, readonly string[]>> {
  const { manifest, logged, head, timestamp, kid } = facts;
  if (!manifest) return {};
  // A later revision may bring no consent: the one before it stays.
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
    ...(timestamp && { timestamp: [clock(timestamp.at), timestamp.by, timestamp.certificate] }),
    ...(kid && { kid: [kid] }),
  };
}

/** Returns a time as people read it. */
function clock(time: string): string {
  return time.replace('T', ' ').replace('Z', ' UTC');
}

/** Returns text of a pack without characters that steer a terminal, or turn the direction of text. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\ufffd');
}

function personOf(fields: Readonly<Record<string, unknown>>): string[] {
  const { first_name, last_name, phone, email } = fields;
  const name = [...shown(first_name), ...shown(last_name)].join(' ');
  return [...shown(name), ...shown(phone), ...shown(email)];
}

/** Returns how the consent text was seen, if the page measured that. */
function seenOf(visibility: unknown): string[] {
  const { inView, wholeInViewMs, fontSize, contrast } = Object(visibility);
  if (!Array.isArray(inView)) return [];
  const seconds = (Number(wholeInViewMs) / 1000).toFixed(1);
  const parts = inView.flatMap((from, at) => (at % 2 ? [] : [`${from}–${inView[at + 1]} %`]));
  return [`${parts.join(', ') || '0 %'} · ${seconds} s · ${fontSize} px · ${contrast} : 1`];
}

/** Returns a member that a logged event may have. */
function shown(value: unknown): string[] {
  return typeof value === 'string' && value !== '' ? [value] : [];
}

/** Returns a report as lines of text, for a terminal or a log. */
export function reportLines(report: Report, language: WordsLanguage): string[] {
  const told = tell(report, language);
  return [
    told.title,
    told.text,
    '',
    told.titles.checks,
    ...told.checks.flatMap(({ mark, name, sentence, details }) => [
      `  [${mark}] ${name}: ${sentence}`,
      ...details.map((detail) => `      ${detail}`),
    ]),
    '',
    ...(told.facts.length > 0 ? [told.titles.said] : []),
    ...told.facts.map(({ name, values }) => `  ${name}: ${values.join('; ')}`),
    ...(told.facts.length > 0 ? [''] : []),
    told.titles.notProven,
    ...told.notProven.map((line) => `  - ${line}`),
  ];
}
