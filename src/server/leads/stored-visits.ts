/** Stores visits that work without JavaScript, by posting forms, in PostgreSQL. */
import type pg from 'pg';
import type { PersonKey } from '../../model/lead/person-key.ts';
import { storable } from '../../model/lead/storable.ts';
import type { Visitor } from '../../model/lead/visitor.ts';
import type { FormVisit, SavedClick, SavedEntry } from '../../model/visit/form-visit.ts';
import { formKeys } from '../platform/database/contact-keys.ts';
import { persistently } from '../platform/database/database.ts';
import { storeErrors } from '../platform/database/database-error.ts';
import type { OwnedLead } from '../platform/owned-lead.ts';

/** A stored visit: the state that its forms saved, and the entries that the page's script saved since. */
export type StoredFormVisit = {
  readonly survey: string;
  /** Null: no form was posted yet, or too long ago. */
  readonly form: FormVisit | null;
  /** Whether its lead was posted, by a form or by the script. */
  readonly hasLead: boolean;
  /** ISO 8601 */
  readonly startedAt: string;
  readonly click: SavedClick | null;
  /** The browser that saved the first click; null: no click was saved. */
  readonly begunBy: Pick<Visitor, 'address' | 'userAgent'> | null;
  /** The seq of the last progress entry; 0: none. */
  readonly lastSeq: number;
  /** The entries that `form` does not include, in order. */
  readonly entries: readonly SavedEntry[];
};

/** Maximum number of progress entries to read. A visit has about forty; a flood is not read whole. */
const MOST_ENTRIES = 500;

/** Loads a visit for its owner only, if it was seen in the last $3 milliseconds. */
const LOAD = `
select v.survey, v.form, exists (select 1 from leads l where l.id = v.lead_id) as "hasLead",
  v.created_at as "startedAt",
  (select jsonb_build_object('id', c.id, 'landing_page', coalesce(c.landing_page, ''), 'params', c.params,
      'referer', coalesce(c.referer, ''))
    from clicks c where c.lead_id = v.lead_id order by c.created_at desc limit 1) as click,
  (select jsonb_build_object('address', coalesce(c.ip, ''), 'userAgent', coalesce(c.user_agent, ''))
    from clicks c where c.lead_id = v.lead_id order by c.created_at limit 1) as "begunBy",
  (select coalesce(max(seq), 0) from progress p where p.lead_id = v.lead_id) as "lastSeq",
  coalesce((select jsonb_agg(jsonb_build_object('seq', seq, 'kind', kind, 'step', step,
      'answers', answers, 'seconds', seconds, 'at', at) order by seq)
    from (select * from progress p where p.lead_id = v.lead_id
      and p.seq > coalesce((v.form->>'seq')::int, 0) order by seq desc limit ${MOST_ENTRIES}) as newest
  ), '[]') as entries
from visits v
where v.lead_id = $1 and v.secret_sha256 = $2 and v.erased_at is null
  and v.seen_at > now() - $3::float8 * interval '1 millisecond'`;

/**
 * Creates the visit if a form is its first contact. A process that froze and lost its turn does not replace what a later
 * form saved.
 */
const KEEP = `
insert into visits (lead_id, secret_sha256, survey, form, form_keys)
values ($1, $2, $3, $4::jsonb, $5::text[])
on conflict (lead_id) do update set form = excluded.form, form_keys = excluded.form_keys,
  survey = excluded.survey, seen_at = now()
where visits.secret_sha256 = excluded.secret_sha256 and visits.erased_at is null
  and coalesce((visits.form->>'seq')::int, 0) <= (excluded.form->>'seq')::int`;

export type FormVisitStore = ReturnType<typeof createFormVisitStore>;

/** Creates the store of visits that post forms. Its calls throw a `StoreUnavailableError` if the database is away. */
export function createFormVisitStore(pool: pg.Pool, personKey: PersonKey) {
  return {
    /** Returns undefined if no visit with this id and secret was written to within `maxAgeMs`. */
    load: (
      { leadId, secretSha256 }: OwnedLead,
      maxAgeMs: number,
    ): Promise<StoredFormVisit | undefined> =>
      storeErrors(async () => {
        const values = [leadId, secretSha256, maxAgeMs];
        const query = { name: 'form-visit-load', text: LOAD, values };
        type Row = Omit<StoredFormVisit, 'startedAt'> & { startedAt: Date };
        const { rows } = await persistently(() => pool.query<Row>(query), { idempotent: true });
        return rows[0] && { ...rows[0], startedAt: rows[0].startedAt.toISOString() };
      }),
    /** Stores the visit, creating it if necessary. */
    keep: ({ leadId, secretSha256 }: OwnedLead, form: FormVisit): Promise<void> =>
      storeErrors(async () => {
        const { survey } = form.visit.session;
        const stored = storable(form);
        const values = [
          ...[leadId, secretSha256, survey, JSON.stringify(stored)],
          formKeys(personKey, stored),
        ];
        const query = { name: 'form-visit-keep', text: KEEP, values };
        await persistently(() => pool.query(query), { idempotent: true });
      }),
  };
}
