import type { Command } from 'commander';
import type { LeadAnswer, StoryEntry } from '../model/messages/console/leads.ts';
import { escapeControls, readAttemptBytes, readLead } from '../server/insight/index.ts';
import { findLead } from '../server/leads/index.ts';
import { type TimeFormatter, timeFormatter } from '../server/platform/time-format.ts';
import { connected, serverSettings } from './connect.ts';
import { plain } from './terminal.ts';

/** Adds `leads show`: prints what the console's page of a lead shows, opened. */
export function addShow(program: Command): void {
  program
    .command('show')
    .description(
      'Shows everything about one lead: click, steps, consent, rules, deliveries, proof.',
    )
    .argument('<id>', 'lead id, or its beginning')
    .option('--json', 'print one JSON object')
    .action((prefix: string, { json }: { json?: true }) =>
      connected(
        async ({ pool, timeZone, audit }) => {
          const from = { pool, settings: serverSettings() };
          const { id } = await findLead(pool, prefix);
          const answer = await readLead(from, id, { role: 'admin', isOpened: true });
          const story = [];
          for (const entry of answer.story) {
            const { deliveryId, attempt } = entry;
            const isSent = deliveryId !== undefined && attempt !== undefined;
            const sent = isSent && (await readAttemptBytes(from, id, { deliveryId, attempt }));
            story.push({ ...entry, ...(sent && { proof: sent.proof, isProven: sent.isProven }) });
          }
          await audit({ action: 'lead.opened', subject: id });
          const shown = { ...answer, story };
          console.log(
            json ? escapeControls(JSON.stringify(shown, null, 2)) : leadText(shown, timeZone),
          );
        },
        { isReading: true },
      ),
    );
}

type ShownLead = LeadAnswer & { readonly story: readonly (StoryEntry & { proof?: string })[] };

/** Returns a lead's page as text, without control characters of visitors and third parties. */
function leadText(answer: ShownLead, timeZone: string): string {
  const clock = timeFormatter(timeZone);
  const story = answer.story.flatMap((entry) => [
    `${clock(new Date(entry.at)).full}  ${entry.title}`,
    ...entryLines(entry).map((line) => `    ${line}`),
  ]);
  const lines = [...headOf(answer, clock), '', ...story, '', answer.evidence?.text ?? ''];
  return lines.map(plain).join('\n');
}

function headOf(answer: ShownLead, clock: TimeFormatter): string[] {
  const { lead, others, deliveries } = answer;
  const at = (text: string) => clock(new Date(text)).full;
  const affiliate = lead.affiliate && ` · affiliate ${lead.affiliate}`;
  return [
    `Lead ${lead.id} (${lead.state})${answer.isSuppressed ? ' (not to be contacted)' : ''}`,
    [lead.name, lead.email, lead.phone, lead.usState].filter(Boolean).join(' · '),
    `survey ${lead.survey} · language ${lead.language} · revision ${lead.revision}${affiliate}`,
    ...(lead.variants === '' ? [] : [`experiments ${lead.variants}`]),
    ...answer.outcome,
    ...answer.notes,
    ...others.map(({ id, receivedAt, state, sold }) => {
      const to = sold.length === 0 ? '' : `, at ${sold.join(', ')}`;
      return `same person: lead ${id}, ${at(receivedAt)} (${state}${to})`;
    }),
    ...deliveries.map(({ title, state, attempts, dueAt }) => {
      const next = dueAt === null ? '' : `, next attempt ${at(dueAt)}`;
      return `${title}: ${state}, attempts: ${attempts}${next}`;
    }),
  ];
}

function entryLines(entry: ShownLead['story'][number]): string[] {
  const { text, details, changes = [], rules = [], consent, proof = '' } = entry;
  return [
    text,
    ...(consent?.text ? [`“${consent.text}”`] : []),
    ...(consent ? [`language ${consent.language}, version ${consent.version}`] : []),
    ...changes.map(({ field, before, after, by }) => {
      const why = by && ` (${by})`;
      return `${field}: ${before || '(empty)'} → ${after || '(empty)'}${why}`;
    }),
    ...rules.map(({ name, result, inputs }) => {
      const given = inputs.map(({ label, value }) => `${label} ${value}`).join(', ');
      return `rule ${name}: ${result}${given && ` (${given})`}`;
    }),
    ...details.map(({ label, value }) => `${label}: ${value}`),
    proof,
  ].filter((line) => line !== '');
}
