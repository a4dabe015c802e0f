/** Imports a CSV file into the suppression list: e-mail addresses, phone numbers, or person keys from this product. */
import type { Info } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { v7 as uuid } from 'uuid';
import { PERSON_KEY_PREFIX, type PersonKey } from '../../model/lead/person-key.ts';
import {
  MOST_IMPORT_LINES,
  type SuppressionImport,
  type SuppressionImportEntry,
} from '../../model/messages/console/people-requests.ts';
import { inTransaction, type Queryable } from '../platform/database/database.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { contactOf, type People, type StoredPersonKey } from './person.ts';
import { lockListed, suppressKeys, unlinkRequests } from './suppress.ts';

const BATCH = 1_000;
type CsvLine = { readonly record: string[]; readonly info: Info };

const OWN_KEY = new RegExp(`^${PERSON_KEY_PREFIX.replace('.', '\\.')}[\\w-]{43}$`);
/** Matches a heading, which is shorter than a person key. */
const HEADING = /^[a-z][a-z0-9 _-]{0,30}$/i;

/** Parses one line: a value, and the kind of a person key. @throws OperatorError `usage` with the reason */
function readEntry(cells: readonly string[], personKey: PersonKey): StoredPersonKey {
  const [value = '', kind = ''] = cells.map(bare);
  if (OWN_KEY.test(value)) {
    if (kind === 'email' || kind === 'phone') return { kind, key: value };
    throw new OperatorError('usage', 'A key needs "email" or "phone" in the second column.');
  }
  const contact = contactOf(value);
  if (contact) return { kind: contact.kind, key: personKey(contact.kind, contact.value) };
  throw new OperatorError(
    'usage',
    'Neither an e-mail address, an American phone number, nor a key.',
  );
}

const bare = (cell: string) => cell.trim().replaceAll(/^"|"$/g, '').trim();

/** Imports the persons of a CSV file in batches. Repeating an import adds nothing. */
export async function importSuppressions(
  { pool, personKey }: People,
  csv: string,
  actor: string,
): Promise<SuppressionImport> {
  const id = uuid();
  await pool.query('insert into suppression_imports (id, actor) values ($1, $2)', [id, actor]);
  const refused: { line: number; reason: string }[] = [];
  const lines = parse(csv, {
    bom: true,
    info: true,
    skip_empty_lines: true,
    delimiter: [',', ';', '\t'],
    relax_column_count: true,
    // With quotes, one unclosed quote would swallow all later lines.
    quote: false,
  }) as unknown as CsvLine[];
  if (HEADING.test(bare(lines[0]?.record[0] ?? ''))) lines.shift();
  const most = lines.slice(0, MOST_IMPORT_LINES);
  for (let at = 0; at < most.length; at += BATCH) {
    const entries = most.slice(at, at + BATCH).flatMap(({ record, info }) => {
      try {
        return [readEntry(record, personKey)];
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        refused.push({ line: info.lines, reason: error.message });
        return [];
      }
    });
    await inTransaction(pool, (client) => addBatch(client, { id, actor, entries }));
  }
  const beyond = lines[MOST_IMPORT_LINES];
  if (beyond) {
    const reason = `An import reads at most ${MOST_IMPORT_LINES} lines: import the rest apart.`;
    refused.push({ line: beyond.info.lines, reason });
  }
  const { rows } = await pool.query<Pick<SuppressionImport, 'added' | 'known'>>(
    `update suppression_imports set refused = $2, finished_at = now()
     where id = $1 returning added, known`,
    [id, refused.length],
  );
  return { id, refused, ...(rows[0] ?? { added: 0, known: 0 }) };
}

/** Adds a batch to the list. A person who was listed by a request stays listed if the request is undone. */
async function addBatch(
  client: Queryable,
  { id, actor, entries }: { id: string; actor: string; entries: readonly StoredPersonKey[] },
): Promise<void> {
  const keys = [...new Map(entries.map((one) => [one.key, one])).values()];
  const listed = await lockListed(client, keys);
  const fresh = keys.filter(({ key }) => !listed.has(key));
  await suppressKeys(client, fresh, { actor });
  await unlinkRequests(client, keys, actor);
  await client.query(
    'update suppression_imports set added = added + $2, known = known + $3 where id = $1',
    [id, fresh.length, entries.length - fresh.length],
  );
}

export async function listImports(client: Queryable, limit: number) {
  const { rows } = await client.query<SuppressionImportEntry<Date>>(
    `select id, actor, created_at as at, added, known, refused
     from suppression_imports order by created_at desc, id desc limit $1`,
    [limit],
  );
  return rows;
}
