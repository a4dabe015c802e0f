/** Stores visits that work without JavaScript, by posting forms, in PostgreSQL. */
import type pg from 'pg';
import type { PersonKey } from '../../intake/person-key.ts';
import { storable } from '../../intake/storable.ts';
import type { FormVisitStore, StoredFormVisit } from '../visits/form-taking.ts';
import { formKeys } from './contact-keys.ts';
import { persistently } from './database.ts';
import { storeErrors } from './leads-errors.ts';

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

type Row = Omit<StoredFormVisit, 'startedAt'> & { startedAt: Date };

/** Creates the store of visits that post forms. */
export function createFormVisitStore(pool: pg.Pool, personKey: PersonKey): FormVisitStore {
  return {
    load: ({ leadId, secretSha256 }, maxAgeMs) =>
      storeErrors(async () => {
        const query = {
          name: 'form-visit-load',
          text: LOAD,
          values: [leadId, secretSha256, maxAgeMs],
        };
        const { rows } = await persistently(() => pool.query<Row>(query), { idempotent: true });
        if (!rows[0]) return undefined;
        const { startedAt, ...row } = rows[0];
        return { ...row, startedAt: startedAt.toISOString() };
      }),
    keep: ({ leadId, secretSha256 }, form) =>
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
