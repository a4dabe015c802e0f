/** Makes the readable files of an evidence pack. */
import type { LeadHistory } from '../leads/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { PackFacts, PackSettings } from './facts.ts';
import { rebuildRequest } from './proof.ts';

/** Matches the names of fields with contact details. */
const CONTACT = /name|email|phone|address|birth|description/i;
/** Names of JSON properties whose value is the value of a lead's field. */
const VALUES = new Set(['value', 'answered', 'becomes', 'browser', 'server']);

/** Returns the content of each readable file, as a JSON value by the path of the file. */
export async function recordFiles(
  history: LeadHistory,
  facts: PackFacts,
  pool: Queryable,
  settings: PackSettings,
): Promise<Readonly<Record<string, unknown>>> {
  const { lead, revisions, consents } = history;
  const { row, revision, consent, recipient, partners } = facts;
  const upTo = consents.filter((each) => each.revision <= revision);
  // Values that arrived after this time belong to the next revision.
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
      releases: history.events
        .filter(({ kind, detail }) => kind === 'released' && Number(detail.revision) <= revision)
        .map(({ at, detail: { revision: of, ruling = null } }) => ({ at, revision: of, ruling })),
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
        refererHost: URL.parse(click.referer ?? '')?.host ?? null,
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

/** Removes the contact details that the recipient of the pack did not get. */
function asSent(value: unknown, sent: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((each) => asSent(each, sent));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const members = Object.entries(value);
  const field: unknown = 'field' in value ? value.field : undefined;
  if (typeof field === 'string' && CONTACT.test(field)) {
    return Object.fromEntries(
      members.filter(([name, each]) => !VALUES.has(name) || each === sent[field]),
    );
  }
  return Object.fromEntries(
    members
      .filter(
        ([name, each]) => !CONTACT.test(name) || typeof each === 'boolean' || each === sent[name],
      )
      .map(([name, each]) => [name, asSent(each, sent)]),
  );
}
