/** The files of a pack that are for reading: what the ledger has beside what was logged. */
import type { DestinationSetting } from '../../destinations/destination.ts';
import type { Queryable } from '../../storage/database.ts';
import { rebuildRequest } from '../proof.ts';
import type { LeadStory } from '../story.ts';
import type { PackFacts } from './pack-texts.ts';

/** A recipient gets these values of the steps only as far as they were sent to it. */
const CONTACT = /name|email|phone|address|birth|description/i;

/** Returns the contents of the files by path, as JSON values. */
export async function recordFiles(
  story: LeadStory,
  facts: PackFacts,
  from: { readonly pool: Queryable; readonly destinations: readonly DestinationSetting[] },
): Promise<readonly (readonly [path: string, content: unknown])[]> {
  const { lead, progress, checks, codes, clicks, consents } = story;
  const { row, revision, consent, recipient } = facts;
  const upTo = consents.filter((each) => each.revision <= revision);
  return [
    [
      'lead.json',
      {
        ...{ leadId: lead.id, revision, fields: row.fields, survey: lead.survey, flow: lead.flow },
        ...{ language: lead.language, receivedAt: row.received_at, isTest: lead.is_test },
      },
    ],
    [
      'consent.json',
      {
        ...consent,
        agreedTo: (consent.buyers ?? []).filter(({ chosen }) => chosen),
        versions: upTo.map((each) => ({ revision: each.revision, version: each.version })),
      },
    ],
    [
      'steps.json',
      progress.map(({ step, kind, at, received_at, seconds, answers }) => ({
        ...{ step, kind, at, receivedAt: received_at },
        seconds: seconds === null ? null : Number(seconds),
        answers: Object.fromEntries(
          Object.entries(answers).filter(
            ([name, value]) =>
              recipient === undefined || !CONTACT.test(name) || row.fields[name] === value,
          ),
        ),
      })),
    ],
    [
      'checks.json',
      {
        checks: checks.map(({ service, at, outcome, said, reason, revision: of }) => ({
          ...{ service, at, outcome, said, reason, revision: of },
        })),
        smsVerification: codes.map(({ kind, at, outcome }) => ({ kind, at, outcome })),
      },
    ],
    [
      'decisions.json',
      {
        ...{ rulesVersion: row.rules_version, flowVersion: row.flow_version },
        ...{ decisions: row.decisions, overrides: row.overrides },
        ...{ differences: row.differences, problems: row.problems },
      },
    ],
    ['sent.json', await sentOf(story, facts, from)],
    [
      'visit.json',
      {
        optOutSignal: lead.sec_gpc,
        variants: lead.variants,
        clicks: clicks.map((click) => ({
          ...{ id: click.id, at: click.created_at, landingPage: click.landing_page },
          ...{ params: click.params, refererHost: hostOf(click.referer) },
        })),
      },
    ],
    [
      'certificates.json',
      {
        ofConsents: upTo.map((each) => ({
          ...{ revision: each.revision, certificate: each.certificate },
        })),
        ofFields: Object.fromEntries(
          ['trusted_form_cert_id', 'trustedform_cert_url', 'leadid_token'].map((name) => [
            name,
            row.fields[name] ?? null,
          ]),
        ),
      },
    ],
  ];
}

async function sentOf(
  story: LeadStory,
  { recipient, revision }: PackFacts,
  {
    pool: client,
    destinations: settings,
  }: { pool: Queryable; destinations: readonly DestinationSetting[] },
) {
  const sent = [];
  for (const delivery of story.deliveries) {
    const { destination, event } = delivery;
    if (event !== null || (recipient !== undefined && destination !== recipient)) continue;
    for (const attempt of delivery.log) {
      if ((attempt.revision ?? 0) > revision) continue;
      const request =
        recipient === undefined
          ? {}
          : await rebuildRequest(story, delivery, attempt, { settings, client });
      sent.push({
        ...{ destination, attempt: attempt.attempt, at: attempt.started_at },
        ...{ outcome: attempt.outcome, requestSha256: attempt.sent_sha256, ...request },
      });
    }
  }
  return sent;
}

function hostOf(address: string | null): string | null {
  return address && URL.canParse(address) ? new URL(address).host : null;
}
