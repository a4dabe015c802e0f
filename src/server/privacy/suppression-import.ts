/** Imports e-mail addresses, phone numbers or person keys from CSV into the suppression list. */
import type { Info } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { PERSON_KEY_PREFIX, type PersonKey } from '../../model/lead/person-key.ts';
import {
  MOST_IMPORT_LINES,
  type SuppressionImport,
} from '../../model/messages/console/people-requests.ts';
import { inTransaction } from '../platform/database/database.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { contactOf, type People, type StoredPersonKey } from './person.ts';
import { lockListed, suppressKeys, unlinkRequests } from './suppress.ts';

const BATCH = 1_000;
type CsvLine = { readonly record: string[]; readonly info: Info };

const OWN_KEY = new RegExp(`^${PERSON_KEY_PREFIX.replace('.', '\\.')}[\\w-]{43}$`);
/** Matches the heading of a column. A person key is longer than any heading. */
const HEADING = /^[a-z][a-z0-9 _-]{0,30}$/i;

/** Parses a line: a contact detail, or a person key with its kind. @throws OperatorError `usage` */
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

/** Imports the persons of a CSV file into the suppression list. */
export async function importSuppressions(
  { pool, personKey, settings }: People,
  csv: string,
  { actor, isDryRun }: { readonly actor: string; readonly isDryRun: boolean },
): Promise<SuppressionImport> {
  const refused: { line: number; reason: string }[] = [];
  let [added, read] = [0, 0];
  const lines = parse(csv, {
    bom: true,
    info: true,
    skip_empty_lines: true,
    delimiter: [',', ';', '\t'],
    relax_column_count: true,
    // Quotes have no meaning in this file. Otherwise an unclosed quote would merge all later lines.
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
    const keys = [...new Map(entries.map((one) => [one.key, one])).values()];
    added += await inTransaction(pool, async (client) => {
      const listed = await lockListed(client, keys);
      const fresh = keys.filter(({ key }) => !listed.has(key));
      if (!isDryRun) {
        await suppressKeys(client, fresh, { actor, source: 'import', settings });
        await unlinkRequests(client, keys, actor);
      }
      return fresh.length;
    });
    read += entries.length;
  }
  const beyond = lines[MOST_IMPORT_LINES];
  if (beyond) {
    const reason = `An import reads at most ${MOST_IMPORT_LINES} lines: import the rest apart.`;
    refused.push({ line: beyond.info.lines, reason });
  }
  return { added, known: read - added, refused };
}
