/**
 * Prints a dictionary for packed rows: what leads and visits of every survey have in common. For the next version:
 * `node bench/packing-words.ts > src/server/storage/packed-words-2.txt`, and `NEWEST` in `packed-json.ts` is 2.
 */
import { publishedConsents } from '../content/consent/index.ts';
import type { AcceptedLead } from '../src/intake/lead-record.ts';
import { revisionDocument } from '../src/server/storage/packed-rows.ts';
import { type VisitTrace, visitDocument } from '../src/server/storage/packed-visits.ts';
import type { ProgressStore } from '../src/server/visits/progress-store.ts';
import { memoryStore } from '../tests/support/leads.ts';
import { madeVisits } from './made-visits.ts';

/** The persons of `bytes` are others. */
const FIRST = 1_000_000;

const leads = memoryStore();
const visits = new Map<string, VisitTrace>();
const received = new Date(0);
const progress: ProgressStore = {
  async save({ landingPage, userAgent, secGpc, ...click }, entries) {
    const row = { landing_page: landingPage, user_agent: userAgent, sec_gpc: secGpc };
    const trace = visits.get(click.leadId) ?? {
      clicks: [{ ...click, ...row, lead_id: '', created_at: received }],
      steps: [],
    };
    visits.set(click.leadId, trace);
    for (const { leadId, seconds, ...entry } of entries) {
      const own = {
        lead_id: leadId,
        variants: '',
        received_at: received,
        at: received,
      };
      trace.steps.push({ ...entry, ...own, seconds: seconds === null ? null : `${seconds}.000` });
    }
    return [];
  },
  mayMirror: async () => false,
};
const made = await madeVisits(leads, progress);
for (let number = FIRST; number < FIRST + made.surveys; number += 1) {
  await made.postLead(number);
  await made.abandon(number);
}

const PERSONAL = 'first_name|last_name|address|zip_code|city|county|case_description';

function leadDocument({ body, answers, fields, decisions, flowVersion }: AcceptedLead): string {
  const isOfPerson = (name: string) => PERSONAL.split('|').includes(name);
  const clean = <Value extends object>(values: Value) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, isOfPerson(name) ? '' : value]),
    );
  return revisionDocument({
    ...{ body: clean(body), merged: null, answers: clean(answers), given: null },
    fields: clean(fields) as Record<string, string>,
    ...{ decisions: [...decisions], overrides: [], differences: [], flow_version: flowVersion },
  });
}

/** Long runs make long matches, and a large dictionary. */
const BESIDE = 4;
/** Leaves out members that an earlier document has between the same others. */
const seen = new Set<string>();
const fresh = (document: string) => {
  const members = document.split(/(?<=[,{[])(?=["{[\d])/);
  return members.filter((_, at) => {
    const run = members.slice(Math.max(0, at - BESIDE), at + BESIDE + 1).join('');
    const isFresh = !seen.has(run);
    seen.add(run);
    return isFresh;
  });
};

/** Leaves out what differs from person to person: it is of no use, and a dictionary outlives every erasure. */
const impersonal = (text: string) =>
  text
    .replace(
      /("(?:first_name|last_name|address|zip_code|city|county|case_description)":")[^"]*/g,
      '$1',
    )
    .replace(/[\w.]+@/g, '@')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}|[\w-]{60,}/g, '')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
    .replace(/\d+\.\d+\.\d+\.\d+/g, '')
    .replace(/"\d{5,}"/g, '""');

const documents = [
  ...publishedConsents(['Your Claim Guide']).map(({ text }) => JSON.stringify(text)),
  ...[...visits.values()].map(visitDocument),
  ...[...leads.leads.values()].flat().map(leadDocument),
];
process.stdout.write(documents.map(impersonal).flatMap(fresh).join(''));
