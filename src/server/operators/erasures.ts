/** Lists what is left of erased persons: when, by whom, and where the leads went. */
import type { Queryable } from '../storage/database.ts';

type Erased = {
  readonly id: string;
  readonly leadId: string;
  readonly at: Date;
  readonly actor: string;
  readonly detail: {
    readonly visit?: true;
    readonly revisions?: readonly { readonly revision: number }[];
    readonly deliveries?: readonly {
      readonly destination: string;
      readonly state: string;
      readonly external_id: string | null;
    }[];
  };
};

/** Lists erased leads and visits, newest first. `after` is the `next` of the page before. */
export async function listErasures(
  client: Queryable,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<{ readonly erasures: readonly Erased[]; readonly next: string | null }> {
  const { rows } = await client.query<Erased & { place: string }>(
    `select id, lead_id as "leadId", at, actor, detail, at::text || '~' || id::text as place
     from lead_events where kind = 'erased'
       and (at, id) < (split_part($1, '~', 1)::timestamptz, split_part($1, '~', 2)::uuid)
     order by at desc, id desc limit $2`,
    [after ?? 'infinity~ffffffff-ffff-ffff-ffff-ffffffffffff', limit + 1],
  );
  const next = rows.length > limit ? (rows[limit - 1]?.place ?? null) : null;
  return { erasures: rows.slice(0, limit), next };
}
