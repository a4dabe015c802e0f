import type { SeenConsent } from '../../src/model/lead/seen-consent.ts';

type ReadmeFacts = Readonly<Record<'madeAt' | 'company' | 'issuer', string>> & {
  readonly lead: { readonly id: string; readonly revision: number; readonly survey: string };
  readonly revision: number;
  readonly row: {
    readonly fields: Readonly<Record<string, unknown>>;
    readonly received_at: Date;
  };
  readonly recipient: string | undefined;
  /** The names of the firms, by destination. */
  readonly recipientNames: Readonly<Record<string, string>>;
  readonly consent: Readonly<Record<'text' | 'version' | 'language' | 'page', string>> &
    Readonly<Record<'shownAt' | 'givenAt' | 'address' | 'sentText', string | null>> & {
      readonly revision: number;
      readonly visibility: SeenConsent | null;
      readonly visibilityMissing: string | null;
      readonly buyers: readonly { readonly name: string; readonly chosen: boolean }[] | null;
    };
  readonly deliveries: readonly Readonly<
    { destination: string } & Record<'outcome' | 'endedAt', string | null>
  >[];
  readonly suppressions: readonly { readonly created_at: Date }[];
  readonly partners:
    | { readonly firms: null; readonly why: string }
    | { readonly firms: readonly unknown[]; readonly since: string };
  /** The answers that rules changed, in words. */
  readonly changes: readonly string[];
  readonly logged: readonly string[];
  /** The reason why the visitor's steps and ad clicks are missing. */
  readonly removed: string | undefined;
};

function person({ fields }: ReadmeFacts['row']): string {
  const named = (...names: string[]) => names.map((name) => fields[name]).filter(Boolean);
  return [named('first_name', 'last_name').join(' '), ...named('phone', 'email')]
    .filter(Boolean)
    .join(', ');
}

/** Breaks a text into indented lines of at most 76 characters. */
function indented(text: string): string {
  const lines = text.replaceAll(/\s+/g, ' ').match(/\S.{0,75}(?= |$)|\S+/g) ?? [];
  return lines.join('\n    ');
}

/** Returns `readme.txt`, which explains an evidence pack to its reader. */
export function readme(pack: ReadmeFacts): string {
  const { lead, consent, recipient, company, issuer, madeAt, logged, deliveries, row } = pack;
  const file = `logged/consent-${consent.revision}.json`;
  const buyers = consent.buyers ?? [];
  const chosen = buyers.filter((each) => each.chosen).map(({ name }) => name);
  const named = (destination: string) => {
    const name = pack.recipientNames[destination];
    return name === undefined ? destination : `${name} (${destination})`;
  };
  const areAllNamed = deliveries.every(({ destination }) => pack.recipientNames[destination]);
  const arrivals = deliveries.map(
    (each) => `${named(each.destination)}: ${each.outcome}, ${each.endedAt}`,
  );
  const firms =
    buyers.length === 0
      ? 'None by name, beside those in the text.'
      : `${buyers.length} shown, chosen: ${chosen.join(', ') || 'none'}.`;
  const revisions = `The lead has ${lead.revision} ${lead.revision === 1 ? 'revision' : 'revisions'} so far; this pack has number ${pack.revision}.`;
  return `EVIDENCE PACK of lead ${lead.id}, revision ${pack.revision}
made ${madeAt} by ${company} (${issuer})${recipient === undefined ? '' : ` for ${named(recipient)}`}

${suppressed(pack)}WHAT IT ANSWERS
Who agreed?
    ${indented(person(row))}
    file: lead.json, "fields"
To what text? (version ${consent.version || 'unknown'}, language ${consent.language})
    ${indented(`“${consent.text}”`)}
    file: ${file}, "text"
Was it visible?
    ${indented(seen(consent))}
    file: ${file}, "visibility"
When?
    ${indented(`${consent.givenAt ?? 'not known'} by the browser's clock, received ${row.received_at.toISOString()} by the server's`)}
    file: ${file}, "givenAt"; logged/revision-${pack.revision}.json, "receivedAt"
From where?
    ${indented(`Internet address ${consent.address ?? 'not known'}, on the page ${consent.page}`)}
    file: ${file}, "address", "userAgent", "page"; visit.json
Which firms were named?
    ${indented(`${firms} ${partnersText(pack)}`)}
    file: ${file}, "buyers"; consent.json, "agreedTo"; partners.json, "firms"
Who got it?
    ${indented(arrivals.join('; ') || 'nobody')}
    file: sent.json, "destination"; logged/delivery-*.json, "outcome"
What did they get?
    ${indented(`${consent.sentText ? 'The consent in other words, in consent.json, "sentText". ' : ''}Hashes of what was sent; all of it only in the recipient's own pack.${areAllNamed ? '' : ' The issuer knows which firm is behind a destination.'}`)}
    file: sent.json, "requestSha256", "sent"
Was anything changed since?
    ${indented(`${changedText(pack)} ${revisions} Run the verifier: it compares every byte with what was signed and logged.`)}
    file: decisions.json, "overrides"; signature.jws; log/head.jws; log/proofs.json
How did it get here?
    ${indented(pack.removed ?? `step by step, ${lead.survey}`)}
    file: steps.json, checks.json, decisions.json, certificates.json

HOW TO CHECK IT
Do not believe this file or the verifier beside it: use ${issuer}/verify/
or a copy that you kept. Nothing is uploaded. It needs the issuer's keys, from a place that you trust and
not from this pack: ${issuer}/.well-known/evidence/keys.json. The keys.json in this pack proves nothing.
On a computer with Node 20 or later: node verify.mjs <this pack> --keys <the keys that you got there>
Keep log/head.jws. Later, --head <that file> finds out whether the log was rewritten.

WHAT IS LOGGED (hashed into the public log when it happened; every byte counts)
${logged.map((each) => `    ${each}`).join('\n')}
The other files are copies for reading, signed when the pack was made. The log's other entries are of
other leads, or of deliveries of this lead to others.

WHAT IT DOES NOT PROVE
That the person at the keyboard was the person named. That a call is lawful. How the page looked beside
the consent text. That the browser's own clock and measurements are right.
A pack cannot tell whether the consent was taken back later: ask before you call.
`;
}

function changedText({ changes }: ReadmeFacts): string {
  if (changes.length === 0) return 'No rule changed an answer.';
  return `Rules changed these answers before the lead was sent: ${changes.join('; ')}.`;
}

function suppressed({ suppressions }: ReadmeFacts): string {
  const [first] = suppressions.map(({ created_at }) => created_at.toISOString()).sort();
  if (first === undefined) return '';
  return `DO NOT CONTACT: this person is on the issuer's do-not-contact list since ${first}.\n\n`;
}

/** Describes the list of partner firms. */
function partnersText({ partners, consent, issuer }: ReadmeFacts): string {
  const page = `a list of partners (${issuer}/sponsors/)`;
  if (partners.firms === null) {
    return `If the text names ${page}, that list is not in this pack, and may have changed: ${partners.why}`;
  }
  const isOlder = consent.shownAt !== null && consent.shownAt < partners.since;
  return `If the text names ${page}: it had ${partners.firms.length} firms when the consent was received, and first was so on ${partners.since}.${
    isOlder ? ' The text was shown before that, perhaps with the list before.' : ''
  }`;
}

const NOT_MEASURED: Readonly<Record<string, string>> = {
  no_script: 'the browser ran no script, so the server knows only which page it sent',
  not_sent: 'the browser sent no measurement',
};

function seen({ visibility, visibilityMissing }: ReadmeFacts['consent']): string {
  if (!visibility) {
    const why = NOT_MEASURED[visibilityMissing ?? ''] ?? 'what the browser sent was no measurement';
    return `Not measured: ${why}.`;
  }
  const { inView, inViewMs, wholeInViewMs, fontSize, contrast, size, viewport } = visibility;
  const seconds = (ms: number) => (ms < 100 ? 'under 0.1 s' : `${(ms / 1000).toFixed(1)} s`);
  const parts = inView.flatMap((from, at) => (at % 2 ? [] : [`${from} % to ${inView[at + 1]} %`]));
  const some = parts.length === 0 ? 'none' : `${parts.join(', ')} of its height`;
  return [
    `Parts of the text that were in view: ${inView.join() === '0,100' ? 'all of it' : some}.`,
    `In view before the press: ${seconds(inViewMs)}; all of it ${seconds(wholeInViewMs)}.`,
    `Font size, contrast: ${fontSize} px, ${contrast} : 1.`,
    `Size of the text: ${size.join(' × ')} px, of the window: ${viewport.join(' × ')} px.`,
  ].join(' ');
}
