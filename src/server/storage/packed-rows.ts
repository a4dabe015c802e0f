/**
 * Reads revisions and consents, packed or not. SQL never reads packed values: it finds them empty. Of the fields it
 * keeps what `PACK_REVISIONS` (pack-leads.ts) says.
 */
import { hash } from 'node:crypto';
import { unpack } from './packed-json.ts';
import type { ConsentRow, LeadRevisionRow, Packable } from './schema.ts';

/** What a reader gets in place of a packed value that is damaged. */
export const DAMAGED = { damaged: 'The stored values are damaged and cannot be read.' } as const;

/** The packed columns of a revision, in their order in the packed array. */
export const revisionColumns = [
  'body',
  'merged',
  'answers',
  'fields',
  'given',
  'decisions',
  'overrides',
  'differences',
  'flow_version',
] as const satisfies readonly (keyof LeadRevisionRow)[];

/** The packed columns of a consent. The hash of the text is null if it is the text's own. */
export const consentColumns = [
  'text',
  'text_sha256',
  'page',
  'ip',
  'user_agent',
  'buyers',
  'certificate',
  'sent_text',
] as const satisfies readonly (keyof ConsentRow)[];

export type PackedOfConsent = (typeof consentColumns)[number];

/** Returns the packed values by column; undefined: they are damaged. */
function valuesOf(packed: Buffer, columns: readonly string[]): Record<string, unknown> | undefined {
  const values = unpack(packed);
  if (!Array.isArray(values)) return undefined;
  return Object.fromEntries(columns.map((column, at) => [column, values[at]]));
}

type Objects = 'body' | 'merged' | 'answers' | 'fields' | 'given';
type Texts = Readonly<Record<string, unknown>>;
/** An object as names and values: each repeats in other leads. 0: the body's value. Another than a text: in an array. */
type Parted = readonly [names: readonly string[], values: readonly unknown[]] | null;

function parted(object: Texts | null, body: Texts): Parted {
  if (object === null) return null;
  const short = (name: string, value: unknown) => {
    if (typeof value !== 'string') return [value];
    return Object.hasOwn(body, name) && body[name] === value ? 0 : value;
  };
  const names = Object.keys(object);
  return [names, names.map((name) => short(name, object[name]))];
}

function joined(object: Parted, body: Texts): Texts | null {
  if (object === null) return null;
  const [names, values] = object;
  // `Object.fromEntries` takes three times as long.
  const all: Record<string, unknown> = {};
  for (const [at, name] of names.entries()) {
    const short = values[at];
    const value = short === 0 ? body[name] : Array.isArray(short) ? short[0] : short;
    if (name === '__proto__') Object.defineProperty(all, name, { ...OWN, value });
    else all[name] = value;
  }
  return all;
}

const OWN = { configurable: true, enumerable: true, writable: true } as const;

/** Between the columns of a revision's text. No value has it, so a reader can leave columns unread. */
const LINE_END = ',\n';

/** Returns the JSON text that packs a revision. */
export function revisionDocument(
  row: Pick<LeadRevisionRow, (typeof revisionColumns)[number]>,
): string {
  const { body } = row;
  const own = (name: Objects) => parted(row[name], name === 'body' ? {} : body);
  const objects = {
    ...{ body: own('body'), merged: own('merged'), answers: own('answers') },
    ...{ fields: own('fields'), given: own('given') },
  };
  const values = { ...row, ...objects };
  const lines = revisionColumns.map((name) => JSON.stringify(values[name] ?? null));
  return `[${lines.join(LINE_END)}]`;
}

/** Returns the packed columns of a revision; undefined: they are damaged. */
function revisionOf(packed: Buffer): Partial<LeadRevisionRow> | undefined {
  const values = valuesOf(packed, revisionColumns);
  if (!values) return undefined;
  const body = joined(values.body as Parted, {}) ?? {};
  const own = (name: Objects) => joined(values[name] as Parted, body);
  return {
    ...{ ...values, body, merged: own('merged'), answers: own('answers') },
    ...{ fields: own('fields'), given: own('given') },
  } as Partial<LeadRevisionRow>;
}

/** Returns a revision as it was posted and decided. The row may have only some columns. */
export function readRevision<Row extends Partial<LeadRevisionRow>>(stored: Packable<Row>): Row {
  const { packed, ...row } = stored;
  const damaged = { body: DAMAGED, answers: DAMAGED, fields: DAMAGED };
  const values = packed ? (revisionOf(packed) ?? damaged) : {};
  return { ...row, ...values } as unknown as Row;
}

/** Returns a consent as it was given. The row may have only some columns. */
export function readConsent<Row extends Partial<ConsentRow>>(stored: Packable<Row>): Row {
  const { packed, ...row } = stored;
  if (!packed) return row as unknown as Row;
  const values = valuesOf(packed, consentColumns) as Partial<ConsentRow> | undefined;
  const { text = DAMAGED.damaged, text_sha256 } = values ?? {};
  const own = { text, text_sha256: text_sha256 ?? hash('sha256', text) };
  return { ...row, ...values, ...own } as unknown as Row;
}

export type Mergeable = Pick<
  Packable<LeadRevisionRow>,
  'body' | 'merged' | 'given' | 'fields' | 'packed'
> & { readonly userAgent: string | null };

/** Returns a lead with what a later post is merged with. Nothing is known of a damaged revision. */
export function readMerged<Row extends Mergeable>(lead: Row) {
  const { body, merged, given, fields, packed, userAgent, ...row } = lead;
  const own = { body, merged, given, fields };
  const values: Partial<typeof own> = packed === null ? own : (revisionOf(packed) ?? {});
  return {
    ...row,
    userAgent: readUserAgent(userAgent, values.fields ?? {}),
    merged: values.merged ?? values.body ?? {},
    given: values.given ?? null,
  };
}

/** Returns the browser of a lead, which a packed lead has only among the fields of its newest revision. */
export function readUserAgent(
  own: string | null,
  fields: LeadRevisionRow['fields'],
): string | null {
  return own ?? (typeof fields.user_agent === 'string' ? fields.user_agent : null);
}

/** Returns the outgoing fields of a revision. If they are damaged, they are `DAMAGED`. */
export function readFields({
  fields,
  packed,
}: Pick<Packable<LeadRevisionRow>, 'fields' | 'packed'>): Readonly<Record<string, unknown>> {
  if (packed === null) return fields;
  const parts = unpack(packed, bodyAndFields) as ReturnType<typeof bodyAndFields> | undefined;
  if (!parts) return DAMAGED;
  return joined(parts[1], joined(parts[0], {}) ?? {}) ?? {};
}

const BODY_AT = revisionColumns.indexOf('body');
const FIELDS_AT = revisionColumns.indexOf('fields');

/** Reads two columns of a revision's text, for an export: to read all takes twice as long. Older texts have one line. */
function bodyAndFields(json: string): readonly [body: Parted, fields: Parted] {
  const lines = json.slice(1, -1).split(LINE_END);
  const column = (at: number) => JSON.parse(lines[at] ?? 'null');
  if (lines.length > 1) return [column(BODY_AT), column(FIELDS_AT)];
  const all = JSON.parse(json);
  return [all[BODY_AT], all[FIELDS_AT]];
}
