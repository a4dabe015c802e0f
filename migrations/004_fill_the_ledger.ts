/**
 * What only a program can fill in of the ledger (003): keys of persons become hashes, every revision gets
 * the hash of its body, and the newest the bodies merged. In portions. The functions are as they were when
 * this was written: a later change is a later migration.
 */
import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';

function hashed(kind: 'email' | 'phone', value: string | null): string | null {
  return value && createHash('sha256').update(`${kind}:${value}`).digest('base64url');
}

type Keys = { id: string; email_key: string | null; phone_key: string | null };
const PORTION = 1_000;

/**
 * A revision is a few thousand characters, just above where PostgreSQL begins to compress: it would
 * take longer over that than over everything else, for half the size. Engines that say nothing of
 * compression have nothing to set.
 */
async function leaveUncompressed(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql`
    select 1 from pg_settings where name = 'default_toast_compression'`.execute(db);
  if (rows.length === 0) return;
  await sql`alter table lead_revisions set (toast_tuple_target = 8160)`.execute(db);
}

export async function up(db: Kysely<unknown>): Promise<void> {
  await leaveUncompressed(db);
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await sql<Keys>`select id, email_key, phone_key from leads
      where id > ${after} order by id limit ${PORTION}`.execute(db);
    const keys = rows.map(({ id, email_key, phone_key }) => ({
      id,
      email_key: hashed('email', email_key),
      phone_key: hashed('phone', phone_key),
    }));
    const given = JSON.stringify(keys);
    for (const [table, id] of [
      ['leads', 'id'],
      ['lead_revisions', 'lead_id'],
    ] as const) {
      // A revision had no keys of its own before, but those of its lead.
      await sql`update ${sql.table(table)} as t set email_key = k.email_key, phone_key = k.phone_key
        from jsonb_to_recordset(${given}::jsonb) as k(id uuid, email_key text, phone_key text)
        where t.${sql.ref(id)} = k.id`.execute(db);
    }
    await fillRevisions(
      db,
      rows.map(({ id }) => id),
    );
    if (rows.length < PORTION) return;
    after = rows.at(-1)?.id ?? after;
  }
}

type Body = Record<string, unknown>;

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(',')}}`;
}

async function fillRevisions(db: Kysely<unknown>, leadIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ lead_id: string; revision: number; body: Body }>`
    select lead_id, revision, body from lead_revisions
    where lead_id = any(${leadIds}::uuid[]) order by lead_id, revision`.execute(db);
  let before: { lead_id: string; merged: Body } | undefined;
  const filled = rows.map(({ lead_id, revision, body }) => {
    const sha256 = createHash('sha256').update(canonical(body)).digest('base64url');
    const merged: Body = before?.lead_id === lead_id ? { ...before.merged } : {};
    for (const [name, value] of Object.entries(body)) {
      const isEmpty = value === null || value === '';
      if (!isEmpty || !Object.hasOwn(merged, name)) merged[name] = value;
    }
    before = { lead_id, merged };
    return { lead_id, revision, sha256, merged: revision === 1 ? null : merged };
  });
  await sql`update lead_revisions as r set body_sha256 = f.sha256, merged = f.merged
    from jsonb_to_recordset(${JSON.stringify(filled)}::jsonb)
      as f(lead_id uuid, revision integer, sha256 text, merged json)
    where f.lead_id = r.lead_id and f.revision = r.revision`.execute(db);
}
