/** Finds visits by the keys of what they answered as e-mail address or phone number. */
import type { PersonKey } from '../../intake/person-key.ts';
import { contactHash, contactKeys, HAS_CONTACT } from '../storage/contact-keys.ts';
import type { Queryable } from '../storage/database.ts';
import type { Person } from './person.ts';

const SAVED = `
select lead_id from progress where contact_keys && $1::text[]
union select lead_id from visits where contact_hashes && array(
  select ${contactHash('key')} from unnest($1::text[]) as key)`;

/** Posted forms are kept for one day only. */
const IN_FORMS = `
select lead_id, answers from visits, jsonb_path_query(form, '$.state.*.*') as answers
where form is not null and jsonb_typeof(answers) = 'object' and ${HAS_CONTACT}`;

/** Finds visits, with or without a lead, whose answers or rejected forms contain the person's address or number. */
export async function visitsOf(
  client: Queryable,
  personKey: PersonKey,
  { keys, value }: Person,
): Promise<string[]> {
  if (value === undefined) return [];
  const wanted = keys.map(({ key }) => key);
  const saved = await client.query<{ lead_id: string }>(SAVED, [wanted]);
  type Form = { lead_id: string; answers: Readonly<Record<string, unknown>> };
  const forms = await client.query<Form>(IN_FORMS);
  const typed = forms.rows.filter(({ answers }) =>
    contactKeys(personKey, answers)?.some((key) => wanted.includes(key)),
  );
  return [...new Set([...saved.rows, ...typed].map(({ lead_id }) => lead_id))];
}
