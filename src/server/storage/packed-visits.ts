/** Clicks and steps of visits, packed or not. A packed visit may have rows beside: those that came later or stay. */
import { setImmediate } from 'node:timers/promises';
import type { Queryable } from './database.ts';
import { unpack } from './packed-json.ts';
import { DAMAGED } from './packed-rows.ts';
import type { ClickRow, ProgressRow } from './schema.ts';

/** What a visit left: its clicks by time, its steps in order. */
export type VisitTrace = { clicks: ClickRow[]; steps: ProgressRow[] };

const clickColumns = ['id', 'landing_page', 'params', 'referer', 'ip', 'user_agent'] as const;
const stepColumns = ['seq', 'step', 'kind', 'answers', 'seconds', 'variants', 'refused'] as const;

/**
 * Returns the JSON text that packs a visit. Times are milliseconds since the first one. The survey of most rows is the
 * first one's; theirs is 0.
 */
export function visitDocument({ clicks, steps }: VisitTrace): string {
  const startMs = Math.min(
    ...[...clicks.map((row) => row.created_at), ...steps.map((row) => row.received_at)].map(Number),
  );
  const since = (time: Date | null) => (time === null ? null : time.getTime() - startMs);
  const survey = steps[0]?.survey ?? clicks[0]?.survey ?? null;
  const surveyOf = (row: { survey: string | null }) => (row.survey === survey ? 0 : row.survey);
  return JSON.stringify([
    startMs,
    survey,
    clicks.map((row) => [
      ...[surveyOf(row), since(row.created_at)],
      ...clickColumns.map((name) => row[name]),
    ]),
    steps.map((row) => [
      ...[surveyOf(row), since(row.received_at), since(row.at)],
      ...stepColumns.map((name) => row[name]),
    ]),
  ]);
}

type PackedRow = readonly [survey: string | null | 0, sinceMs: number, ...unknown[]];
type PackedTrace = readonly [number, string | null, readonly PackedRow[], readonly PackedRow[]];

/** Returns what a visit left: packed values and the rows beside them. Packed ones count before rows of the same id. */
export function readTrace(leadId: string, packed: Buffer | null, beside: VisitTrace): VisitTrace {
  if (packed === null) return beside;
  const before = unpackTrace(leadId, packed);
  const clicks = new Map(before.clicks.map((row) => [row.id, row]));
  for (const row of beside.clicks) {
    const known = clicks.get(row.id);
    clicks.set(row.id, known ? mergedClick(known, row) : row);
  }
  const steps = new Map(before.steps.map((row) => [row.seq, row]));
  for (const row of beside.steps) {
    if (!steps.has(row.seq)) steps.set(row.seq, row);
  }
  return {
    clicks: [...clicks.values()].sort((a, b) => Number(a.created_at) - Number(b.created_at)),
    steps: [...steps.values()].sort((a, b) => a.seq - b.seq),
  };
}

/** A later save only fills gaps, and an opt-out stays. */
function mergedClick(known: ClickRow, later: ClickRow): ClickRow {
  return {
    ...known,
    survey: known.survey || later.survey,
    landing_page: known.landing_page || later.landing_page,
    params: { ...later.params, ...known.params },
    referer: known.referer || later.referer,
    sec_gpc: known.sec_gpc || later.sec_gpc,
  };
}

function unpackTrace(lead_id: string, packed: Buffer): VisitTrace {
  const value = unpack(packed);
  if (!Array.isArray(value)) return damagedTrace(lead_id);
  const [startMs, survey, clicks, steps] = value as unknown as PackedTrace;
  const surveyOf = (own: string | null | 0) => (own === 0 ? survey : own);
  const timeOf = (sinceMs: number) => new Date(startMs + sinceMs);
  return {
    clicks: clicks.map(([own, sinceMs, ...values]) => ({
      ...(named(clickColumns, values) as Pick<ClickRow, (typeof clickColumns)[number]>),
      ...{ lead_id, survey: surveyOf(own), sec_gpc: false, created_at: timeOf(sinceMs) },
    })),
    steps: steps.map(([own, sinceMs, at, ...values]) => ({
      ...(named(stepColumns, values) as Pick<ProgressRow, (typeof stepColumns)[number]>),
      ...{ lead_id, survey: surveyOf(own) ?? '', received_at: timeOf(sinceMs) },
      at: at === null ? null : timeOf(at as number),
    })),
  };
}

const named = (columns: readonly string[], values: readonly unknown[]) =>
  Object.fromEntries(columns.map((name, place) => [name, values[place]]));

function damagedTrace(lead_id: string): VisitTrace {
  const step = {
    ...{ lead_id, seq: 0, survey: '', step: DAMAGED.damaged, kind: 'viewed', answers: {} },
    ...{
      variants: '',
      refused: null,
      seconds: null,
      at: null,
      received_at: new Date(0),
    },
  };
  return { clicks: [], steps: [step] };
}

/** Returns whether a packed value of the visit could not be read. */
export function isDamaged({ steps }: VisitTrace): boolean {
  return steps[0]?.step === DAMAGED.damaged;
}

const PACKED = 'select lead_id, packed from visits where lead_id = any($1::uuid[])';
const PACKED_ONES =
  'select lead_id from visits where lead_id = any($1::uuid[]) and packed is not null';
const CLICKS = 'select * from clicks where lead_id = any($1::uuid[]) order by created_at, id';
const STEPS = `
select lead_id, survey, received_at, at, ${stepColumns.join(', ')} from progress
where lead_id = any($1::uuid[]) order by seq`;

/** How many visits are unpacked before other work may go on. */
const AT_ONCE = 50;

/** Reads what visits left, packed or not, by lead. */
export async function readTraces(
  client: Queryable,
  leadIds: readonly string[],
): Promise<ReadonlyMap<string, VisitTrace>> {
  const traces = new Map<string, VisitTrace>();
  if (leadIds.length === 0) return traces;
  const clicks = await client.query<ClickRow>(CLICKS, [leadIds]);
  const steps = await client.query<ProgressRow>(STEPS, [leadIds]);
  const clicksOf = Map.groupBy(clicks.rows, (row) => row.lead_id);
  const stepsOf = Map.groupBy(steps.rows, (row) => row.lead_id);
  // After the rows: what is packed in between is found twice, rather than not at all.
  const { rows } = await client.query<PackedVisit>(PACKED, [leadIds]);
  for (const { lead_id, packed } of rows) {
    const beside = { clicks: clicksOf.get(lead_id) ?? [], steps: stepsOf.get(lead_id) ?? [] };
    traces.set(lead_id, readTrace(lead_id, packed, beside));
    if (traces.size % AT_ONCE === 0) await setImmediate();
  }
  return traces;
}
type PackedVisit = { readonly lead_id: string; readonly packed: Buffer | null };

/** Reads what the packed ones among some visits left, by lead. */
export async function readPackedTraces(
  client: Queryable,
  leadIds: readonly string[],
): Promise<ReadonlyMap<string, VisitTrace>> {
  const { rows } = await client.query<{ lead_id: string }>(PACKED_ONES, [leadIds]);
  return readTraces(
    client,
    rows.map(({ lead_id }) => lead_id),
  );
}

/** Returns the traces as a JSON parameter for SQL. */
export function tracesAsJson(traces: ReadonlyMap<string, VisitTrace>): string {
  return JSON.stringify([...traces].map(([lead_id, trace]) => ({ lead_id, ...trace })));
}
