/** Makes the readable files of an evidence pack: copies of stored data, and `readme.txt`. */

import type { Override } from '../../model/rules/derive-fields.ts';
import { type LeadHistory, listOf, overrideText } from '../leads/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { LeadRevisionRow } from '../platform/database/schema.ts';
import type { LoggedConsent } from './entries.ts';
import type { PackFacts, PackSettings } from './facts.ts';
import { rebuildRequest } from './proof.ts';

/** The names of contact fields. In a recipient's pack they have only the values that were sent to the recipient. */
const CONTACT = /name|email|phone|address|birth|description/i;
/** The members that contain a field's values, in an object about one field. */
const VALUES = new Set(['value', 'answered', 'becomes', 'browser', 'server']);

/** Returns the readable files by path, as JSON values. */
export async function recordFiles(
  history: LeadHistory,
  facts: PackFacts,
  pool: Queryable,
  settings: PackSettings,
): Promise<Readonly<Record<string, unknown>>> {
  const { lead, revisions, consents } = history;
  const { row, revision, consent, recipient, partners } = facts;
  const upTo = consents.filter((each) => each.revision <= revision);
  // What was received with a later revision does not belong to this revision.
  const end = revisions.find((each) => each.revision === revision + 1)?.received_at;
  const isBefore = ({ at }: { readonly at: Date }) => end === undefined || at < end;
  const checks = history.checks.filter((each) =>
    each.revision === null ? isBefore(each) : each.revision <= revision,
  );
  const ofRecipient = <Value>(value: Value): Value =>
    recipient === undefined ? value : (asSent(value, row.fields) as Value);
  const kept = { keptDays: settings.keep.clicks, removed: facts.removed ?? null };
  const certificates = ['trusted_form_cert_id', 'trustedform_cert_url', 'leadid_token'];
  return {
    'lead.json': {
      leadId: lead.id,
      revision,
      fields: row.fields,
      survey: lead.survey,
      flow: lead.flow,
      language: lead.language,
      receivedAt: row.received_at,
      isTest: lead.is_test,
    },
    'consent.json': {
      ...consent,
      agreedTo: (consent.buyers ?? []).filter(({ chosen }) => chosen),
      versions: upTo.map((each) => ({ revision: each.revision, version: each.version })),
    },
    'partners.json': partners,
    'steps.json': {
      ...kept,
      steps: history.progress
        .filter(({ received_at: at }) => isBefore({ at }))
        .map(({ step, kind, at, received_at: receivedAt, seconds, answers }) => ({
          step,
          kind,
          at,
          receivedAt,
          answers: ofRecipient(answers),
          seconds: seconds === null ? null : Number(seconds),
        })),
    },
    'checks.json': {
      checks: checks.map(({ service, at, outcome, said, reason, revision: of }) => ({
        service,
        at,
        outcome,
        said: ofRecipient(said),
        reason,
        revision: of,
      })),
      smsVerification: history.codes
        .filter(isBefore)
        .map(({ kind, at, outcome }) => ({ kind, at, outcome })),
    },
    'decisions.json': {
      rulesVersion: row.rules_version,
      flowVersion: row.flow_version,
      ...ofRecipient({
        decisions: row.decisions,
        overrides: row.overrides,
        differences: row.differences,
        problems: row.problems,
      }),
    },
    'sent.json': await sentOf(history, facts, pool, settings),
    'visit.json': {
      optOutSignal: lead.sec_gpc,
      variants: lead.variants,
      ...kept,
      clicks: history.clicks.map((click) => ({
        id: click.id,
        at: click.created_at,
        landingPage: click.landing_page,
        params: ofRecipient(click.params),
        refererHost: hostOf(click.referer),
      })),
    },
    'certificates.json': {
      ofConsents: upTo.map((each) => ({ revision: each.revision, certificate: each.certificate })),
      ofFields: Object.fromEntries(certificates.map((name) => [name, row.fields[name] ?? null])),
    },
  };
}

async function sentOf(
  history: LeadHistory,
  { recipient, revision }: PackFacts,
  client: Queryable,
  { destinations: settings, evidenceRecipients: names }: PackSettings,
) {
  const sent = [];
  for (const delivery of history.deliveries) {
    const { destination, event } = delivery;
    if (event !== null || (recipient !== undefined && destination !== recipient)) continue;
    for (const attempt of delivery.log) {
      if ((attempt.revision ?? 0) > revision) continue;
      const request =
        recipient === undefined
          ? {}
          : await rebuildRequest(history, delivery, attempt, { settings, client });
      sent.push({
        destination,
        recipientName: names[destination] ?? null,
        attempt: attempt.attempt,
        at: attempt.started_at,
        outcome: attempt.outcome,
        requestSha256: attempt.sent_sha256,
        ...request,
      });
    }
  }
  return sent;
}

const isFlag = (value: unknown) => typeof value === 'boolean';

/** Removes contact details that differ from the sent ones, at any depth of a value. */
function asSent(value: unknown, sent: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((each) => asSent(each, sent));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const members = Object.entries(value);
  const field: unknown = 'field' in value ? value.field : undefined;
  // An object about one field, such as `{ field: 'phone', answered: '…' }`.
  if (typeof field === 'string' && CONTACT.test(field)) {
    return Object.fromEntries(
      members.filter(([name, each]) => !VALUES.has(name) || each === sent[field]),
    );
  }
  return Object.fromEntries(
    members
      .filter(([name, each]) => !CONTACT.test(name) || isFlag(each) || each === sent[name])
      .map(([name, each]) => [name, asSent(each, sent)]),
  );
}

function hostOf(address: string | null): string | null {
  return address && URL.canParse(address) ? new URL(address).host : null;
}

function person({ fields }: LeadRevisionRow): string {
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

/** Returns `readme.txt`, which explains the pack to readers who do not know the system. */
export function readme(pack: PackFacts & { readonly madeAt: string }): string {
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
    ${indented(`${changedText(row)} ${revisions} Run the verifier: it compares every byte with what was signed and logged.`)}
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

function changedText({ overrides }: LeadRevisionRow): string {
  const changed = listOf<Override>(overrides);
  if (changed.length === 0) return 'No rule changed an answer.';
  return `Rules changed these answers before the lead was sent: ${changed.map(overrideText).join('; ')}.`;
}

function suppressed({ suppressions }: PackFacts): string {
  const [first] = suppressions.map(({ created_at }) => created_at.toISOString()).sort();
  if (first === undefined) return '';
  return `DO NOT CONTACT: this person is on the issuer's do-not-contact list since ${first}.\n\n`;
}

/** Describes the list of partner firms, to which a consent text may refer. */
function partnersText({ partners, consent, issuer }: PackFacts): string {
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

function seen({ visibility, visibilityMissing }: LoggedConsent): string {
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
