/** Identifies the rules that decided about a lead, by a hash of their files and settings. */
import { hash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { hashOf, rulesVersionOf } from '../../model/evidence/encoding.ts';
import type { StateRuleSettings } from '../../model/rules/state-rules.ts';
import { addAuditEntry } from '../people/index.ts';
import { inTransaction } from '../platform/database/database.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');
/** The folders whose files decide about leads. */
export const ruleFolders = [
  'src/model/fields',
  'src/model/rules',
  'src/model/flows',
  'src/model/lead',
  'src/model/visit',
  'src/web/survey/texts',
  'content',
  'src/server/leads',
  'src/server/checks',
] as const;

type RulesVersion = Awaited<ReturnType<typeof readRulesVersion>>;

/** Returns the SHA-256 of the rules' files, settings and firms, and of each file by path. */
export async function readRulesVersion(settings: unknown, firms: readonly unknown[], root = ROOT) {
  const patterns = ruleFolders.map((folder) => `${folder}/**/*.{ts,json}`);
  const names = globSync(patterns, { cwd: root }).filter((name) => !name.endsWith('.test.ts'));
  const files: Record<string, string> = {};
  for (const name of names.sort()) {
    files[name] = hash('sha256', await readFile(path.join(root, name)), 'base64url');
  }
  // Converts the values to JSON and back, because evidence packs hash the JSON in the database.
  const stored = JSON.parse(JSON.stringify({ settings, firms })) as {
    settings: unknown;
    firms: readonly unknown[];
  };
  const parts = { files: await hashOf(files), settings: await hashOf(stored.settings) };
  const version = await rulesVersionOf({ ...parts, firms: stored.firms });
  return { version, files, ...stored };
}

/** Stores a version of the rules with its files and settings, which operators can look up. */
export async function recordRulesVersion(pool: pg.Pool, rules: RulesVersion): Promise<void> {
  const { version, files, settings, firms } = rules;
  await pool.query(
    `insert into rule_versions (version, files, settings, firms) values ($1, $2, $3, $4)
     on conflict (version) do nothing`,
    [version, JSON.stringify(files), JSON.stringify(settings), JSON.stringify(firms)],
  );
}

const STATE_RULES_CHANGED = 'state_rules.changed';
const defaults: StateRuleSettings = { changes: {}, undecided: 'deliver' };

/** Adds an entry to the audit log if the settings of state rules differ from the last entry. */
export function auditStateRules(pool: pg.Pool, after: StateRuleSettings): Promise<void> {
  return inTransaction(pool, async (client) => {
    // Lets one process at a time compare, because several processes may start at once.
    await client.query('lock table rule_versions in share row exclusive mode');
    const { rows } = await client.query<{ before: StateRuleSettings }>(
      `select detail->'after' as before from audit_log where action = $1 order by id desc limit 1`,
      [STATE_RULES_CHANGED],
    );
    const { before } = rows[0] ?? { before: defaults };
    if (isDeepStrictEqual(before, after)) return;
    const reasons = Object.entries(after.changes).flatMap(([state, changes]) =>
      changes.map(({ decision, reason }) => `${state} ${decision}: ${reason}`),
    );
    await addAuditEntry(client, {
      actor: 'settings',
      action: STATE_RULES_CHANGED,
      subject: 'STATE_RULES',
      reason: reasons.join('; '),
      detail: { before, after },
    });
  });
}
