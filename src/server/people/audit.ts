/** The audit log, which records what each operator did, when and for which reason. */
import { v7 as uuid } from 'uuid';
import type { AuditEntry, AuditPage } from '../../model/messages/console/people.ts';
import type { Queryable } from '../platform/database/database.ts';
import { isoTime } from '../platform/time-format.ts';

/** An entry to add to the audit log. */
export type AuditRecord = {
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly reason?: string;
  readonly detail?: Readonly<Record<string, unknown>>;
};

/** Adds an entry to the audit log. If this throws, the caller must not perform the action. */
export async function addAuditEntry(db: Queryable, entry: AuditRecord): Promise<void> {
  const { actor, action, subject, reason = '', detail = {} } = entry;
  await db.query(
    'insert into audit_log (id, actor, action, subject, reason, detail) values ($1, $2, $3, $4, $5, $6)',
    [uuid(), actor, action, subject, reason, JSON.stringify(detail)],
  );
}

const PAGE_ROWS = 100;

/** Returns a page of the entries that match all filters, newest first. */
export async function listAudit(
  db: Queryable,
  filter: Readonly<Partial<Record<'actor' | 'action' | 'subject' | 'after', string>>>,
): Promise<AuditPage> {
  const values: unknown[] = [PAGE_ROWS + 1];
  const conditions = (['actor', 'action', 'subject'] as const)
    .filter((column) => filter[column] !== undefined)
    .map((column) => `${column} = $${values.push(filter[column])}`);
  if (filter.after !== undefined) conditions.push(`id < $${values.push(filter.after)}`);
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
  const { rows } = await db.query<AuditEntry>(
    `select id, ${isoTime('at')} as at, actor, action, subject, reason, detail from audit_log ${where}
     order by id desc limit $1`,
    values,
  );
  const entries = rows.slice(0, PAGE_ROWS);
  return { entries, next: rows.length > PAGE_ROWS ? (entries.at(-1)?.id ?? null) : null };
}
