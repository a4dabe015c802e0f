/** Counts visits from the raw rows of the ledger, without SQL that counts: what `operators/counts/` must agree with. */
import type pg from 'pg';
import type { CountingOptions } from '../../src/server/operators/counts/job.ts';
import type {
  ClickRow,
  DeliveryRow,
  LeadRevisionRow,
  LeadRow,
  ProgressRow,
} from '../../src/server/storage/schema.ts';

type Visit = { lead_id: string; survey: string; created_at: Date };
type Params = Record<string, string | undefined>;
export type HandSummary = Record<string, unknown> & { began_at: Date };

/** Counts by key: `dimension|survey|hour|value`. */
export type HandCounts = {
  readonly summaries: Map<string, HandSummary>;
  readonly hours: Map<string, Record<string, number>>;
  readonly steps: Map<string, Record<string, number>>;
};

async function ledgerOf(pool: pg.Pool) {
  const read = async <Row>(table: string) =>
    (await pool.query(`select * from ${table}`)).rows as Row[];
  const [visits, clicks, progress, leads, revisions, deliveries] = await Promise.all([
    read<Visit>('visits'),
    read<ClickRow>('clicks'),
    read<ProgressRow>('progress'),
    read<LeadRow>('leads'),
    read<LeadRevisionRow>('lead_revisions'),
    read<DeliveryRow>('deliveries'),
  ]);
  return visits.map((visit) => {
    const { lead_id } = visit;
    const lead = leads.find(({ id }) => id === lead_id);
    const newest = revisions.find(
      (one) => one.lead_id === lead_id && one.revision === lead?.revision,
    );
    const ofVisit = (row: { lead_id: string }) => row.lead_id === lead_id;
    return {
      visit,
      lead,
      click: clicks
        .filter(ofVisit)
        .sort((a, b) => a.created_at.getTime() - b.created_at.getTime())[0],
      entries: progress.filter(ofVisit).sort((a, b) => a.seq - b.seq),
      newest,
      deliveries: deliveries
        .filter((one) => one.lead_id === lead_id && one.event_key === '')
        .sort((a, b) => (a.destination < b.destination ? -1 : 1)),
    };
  });
}

type Story = Awaited<ReturnType<typeof ledgerOf>>[number];

function plainWord(value: string | undefined): string | undefined {
  const text = value?.trim().toLowerCase() ?? '';
  const isPlain = /^[a-z0-9]$|^[a-z0-9][a-z0-9 ._+-]{0,38}[a-z0-9]$/.test(text);
  const digits = text.replace(/[ ._+-]/g, '').match(/\d{7}/);
  return isPlain && !digits && !['undefined', 'null', 'nan'].includes(text) ? text : undefined;
}

function sourceOf(params: Params, fields: Params): string {
  const isId = (value: string | undefined) => /^[\w-]{6,}$/.test(value ?? '');
  const sub = (value: string | undefined) =>
    plainWord(value) === '1' ? undefined : plainWord(value);
  return (
    plainWord(params.utm_source) ??
    plainWord(fields.utm_source) ??
    (isId(params.gclid) ? 'google' : isId(params.fbclid) ? 'facebook' : undefined) ??
    sub(params.s1) ??
    sub(params.sub1) ??
    ''
  );
}

function subIdsOf({ s1, sub1, sub2, sub3, sub4 }: Params): string[] {
  return Object.entries({ sub1: s1 ?? sub1, sub2, sub3, sub4 })
    .map(([name, value]) => [name, plainWord(value)] as const)
    .filter(([name, value]) => value !== undefined && !(name === 'sub1' && value === '1'))
    .map(([name, value]) => `${name}=${value}`);
}

function deviceOf(agent: string): string {
  if (agent === '') return '';
  if (/ipad|tablet|kindle|silk/i.test(agent)) return 'tablet';
  if (/android/i.test(agent) && !/mobile/i.test(agent)) return 'tablet';
  return /mobi|iphone|ipod|android/i.test(agent) ? 'phone' : 'desktop';
}

/** Returns a delivery's entry, with the open states as one: a retry alone is no reason to count again. */
export function stateOnceOpen(entry: string): string {
  return entry.replace(/:(waiting|sending|retrying)$/, ':open');
}

function summaryOf(story: Story, { surveys, services }: CountingOptions): HandSummary | undefined {
  const { visit, lead, click, entries, newest, deliveries } = story;
  if (!lead && entries.length === 0) return undefined;
  const row = surveys.find(({ path }) => path === visit.survey);
  const params = (click?.params ?? {}) as Params;
  const fields = (newest?.fields ?? {}) as Params;
  const isOwn = lead !== undefined && lead.claims_id === null;
  const bought = deliveries.filter(({ destination }) => !services.includes(destination));
  const isDelivered = bought.some(({ state }) => state === 'delivered');
  const match = (pattern: RegExp, ...values: (string | undefined)[]) =>
    values.find((value) => value !== undefined && pattern.test(value)) ?? '';
  const states = entries
    .map(({ answers }) => (answers.state ?? answers.state_accident_occurred) as string | undefined)
    .filter((state) => state !== undefined);
  const problems = (newest?.problems ?? []) as { problem: string; reason: string }[];
  const variants = lead?.variants || entries.find((entry) => entry.variants !== '')?.variants;
  const name = [fields.last_name, fields.first_name].map((each) => each?.trim() ?? '').join(' ');
  return {
    lead_id: visit.lead_id,
    began_at: visit.created_at,
    survey: lead && lead.flow !== '' ? lead.survey : (row?.path ?? 'unknown'),
    language: match(/^[a-z]{2}$/, lead?.language) || (row?.language ?? ''),
    source: sourceOf(params, fields),
    campaign: plainWord(params.utm_campaign) ?? plainWord(fields.utm_campaign) ?? '',
    sub_ids: subIdsOf(params),
    affiliate:
      match(/^\d{1,6}$/, fields.original_affid, fields.affid, params.affid) ||
      (row?.affiliate ?? ''),
    us_state: match(/^[A-Z]{2}$/, fields.state, fields.state_accident_occurred, states.at(-1)),
    device: deviceOf(click?.user_agent || lead?.user_agent || ''),
    variants: variants ? variants.split('~') : [],
    is_test: lead?.is_test ?? params.lp_action?.trim().toLowerCase() === 'test',
    has_answered:
      isOwn ||
      entries.some(({ kind, answers }) => kind === 'answered' && Object.keys(answers).length > 0),
    has_completed: isOwn || entries.some(({ kind }) => kind === 'submitted'),
    has_refusals: entries.some(({ kind }) => kind === 'refused'),
    has_page_errors: entries.some(({ kind }) => kind === 'failed'),
    is_disputed: lead !== undefined && !isOwn,
    received_at: lead?.created_at ?? null,
    lead_state: lead?.state ?? null,
    revision: lead?.revision ?? null,
    qualified: lead?.qualified ?? null,
    reason: lead?.dq_reason ?? '',
    holds:
      lead?.state !== 'held'
        ? []
        : [
            ...new Set(problems.filter((one) => one.problem === 'held').map((one) => one.reason)),
          ].sort(),
    deliveries: deliveries.map((one) => stateOnceOpen(`${one.destination}:${one.state}`)),
    is_delivered: isDelivered,
    is_rejected: !isDelivered && bought.some(({ state }) => state === 'rejected'),
    code:
      bought
        .flatMap(({ state, answer_code }) => (state === 'rejected' ? (answer_code ?? []) : []))
        .sort()
        .at(-1) ?? '',
    name_key: name.trim().toLowerCase().slice(0, 100) || null,
  };
}

/** Returns what a visit did, each once. */
function factsOf({ entries }: Story, summary: HandSummary, known: readonly string[]): Set<string> {
  const kinds = ['viewed', 'answered', 'back', 'submitted', 'refused'];
  const own = entries.filter(({ step, kind }) => known.includes(step) && kinds.includes(kind));
  const facts = new Set<string>();
  for (const [index, { kind, step, seconds, refused }] of own.entries()) {
    const before = own[index - 1];
    if (kind === 'viewed') facts.add(`seen|${step}`);
    if (kind === 'viewed' && before?.kind === 'answered') facts.add(`edge|${before.step}|${step}`);
    if (kind === 'back') facts.add(`back|${step}`);
    if (kind === 'submitted') facts.add(`edge|${step}|submit`);
    if (kind === 'refused') {
      for (const field of (refused ?? '').split(','))
        if (field) facts.add(`refused|${step}|${field}`);
    }
    if (kind !== 'answered' && kind !== 'submitted') continue;
    facts.add(`answered|${step}`);
    if (seconds !== null) facts.add(`time|${step}|${bucketOf(Number(seconds))}`);
  }
  const last = own.findLast(({ kind }) => kind === 'viewed');
  if (last && !summary.has_completed) facts.add(`left|${last.step}`);
  return facts;
}

function bucketOf(seconds: number): number {
  let bucket = 0;
  while (bucket < 40 && seconds ** 2 >= 2 ** bucket) bucket += 1;
  return bucket;
}

/** Counts everything. */
export async function countByHand(pool: pg.Pool, options: CountingOptions): Promise<HandCounts> {
  const summaries: HandCounts['summaries'] = new Map();
  const hours: HandCounts['hours'] = new Map();
  const steps: HandCounts['steps'] = new Map();
  const add = (to: HandCounts['hours'], key: string, name: string, by: number) => {
    const counts = to.get(key) ?? {};
    to.set(key, { ...counts, [name]: (counts[name] ?? 0) + by });
  };
  for (const story of await ledgerOf(pool)) {
    const summary = summaryOf(story, options);
    if (!summary) continue;
    summaries.set(story.visit.lead_id, summary);
    if (summary.is_test || summary.lead_state === 'erased') continue;
    const { survey, source, affiliate, language, device, us_state, lead_state } = summary;
    const { campaign, code } = summary;
    const variants = summary.variants as string[];
    const subIds = summary.sub_ids as string[];
    const hour = new Date(
      Math.floor(summary.began_at.getTime() / 3_600_000) * 3_600_000,
    ).toISOString();
    const within = [
      ['all', ''],
      ...Object.entries({ source, device, language }),
      ...variants.map((variant) => ['variant', variant]),
    ];
    const beyond = [
      ...Object.entries({ survey, affiliate, campaign, code, state: us_state }),
      ...subIds.map((sub) => ['sub', sub]),
    ];
    const totals = {
      visits: !summary.is_disputed,
      first_answers: summary.has_answered,
      completed: summary.has_completed,
      accepted: lead_state === 'accepted',
      held: lead_state === 'held',
      qualified: summary.qualified,
      delivered: summary.is_delivered,
      rejected: summary.is_rejected,
      refusals: summary.has_refusals,
      page_errors: summary.has_page_errors,
    };
    const keys = [
      ...[...within, ...beyond].map(([dimension, value]) => `${dimension}||${hour}|${value}`),
      ...within.map(([dimension, value]) => `${dimension}|${survey}|${hour}|${value}`),
    ];
    for (const key of keys) {
      for (const [name, counts] of Object.entries(totals)) add(hours, key, name, counts ? 1 : 0);
    }
    const known = options.surveys.find(({ path }) => path === survey)?.steps ?? [];
    for (const fact of factsOf(story, summary, known)) {
      for (const [dimension, value] of within) {
        add(steps, `${dimension}|${survey}|${hour}|${value}`, fact, 1);
      }
    }
  }
  return { summaries, hours, steps };
}

/** Reads what was counted, in the same form. */
export async function readCounted(pool: pg.Pool): Promise<HandCounts> {
  const summaries: HandCounts['summaries'] = new Map();
  const hours: HandCounts['hours'] = new Map();
  const steps: HandCounts['steps'] = new Map();
  type Row = { dimension: string; survey: string; hour: Date; value: string };
  const keyOf = ({ dimension, survey, hour, value }: Row) =>
    `${dimension}|${survey}|${hour.toISOString()}|${value}`;
  for (const row of (await pool.query('select * from visit_summaries')).rows) {
    const deliveries = row.deliveries.map(stateOnceOpen);
    summaries.set(row.lead_id, { ...row, deliveries });
  }
  for (const row of (await pool.query('select * from hourly_counts')).rows) {
    const { dimension: _, survey: __, hour: ___, value: ____, ...totals } = row;
    hours.set(keyOf(row), totals);
  }
  for (const row of (await pool.query('select * from hourly_steps')).rows) {
    steps.set(keyOf(row), row.steps);
  }
  return { summaries, hours, steps };
}
