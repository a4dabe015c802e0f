/** How PostgreSQL runs the statements that tests sent. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { Collected } from '../support/collect-statements.ts';

/** What a statement does to the tables. */
export type Way = {
  /** The tables that it reads from the beginning to the end. */
  readonly scanned: readonly string[];
  readonly indexes: readonly string[];
  /** The table of each part that writes. */
  readonly written: readonly string[];
  /** The most rows that it read of one table, if it ran. */
  readonly read: number;
};

type Node = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Node[];
};

const IS_PLANNED = /^[\s(]*(select|with|insert|update|delete|declare)\b/i;
/** What a start does once. */
const MIGRATES = /^src\/server\/storage\/migrate\.ts$/;
const ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Reads what was collected: each statement with its examples. */
export async function readCollected(dir: string): Promise<Collected[]> {
  const names = await readdir(dir).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(path.join(dir, name), 'utf8')));
  const lines = new Set(texts.flatMap((text) => text.split('\n')).filter((line) => line !== ''));
  return [...lines]
    .map((line) => JSON.parse(line) as Collected)
    .filter(({ text, file }) => IS_PLANNED.test(text) && !MIGRATES.test(file));
}

/** Of a list of ids. A portion of thousands has a reason to scan a table of this size, not one of millions. */
const MOST_IDS = 20;

/** Returns the values with ids that the database has in place of those of the tests. */
export function withIds(values: readonly unknown[], ids: readonly string[]): unknown[] {
  const text = JSON.stringify(values).replaceAll(ID, (id) =>
    id === NO_ID ? id : (ids[Number.parseInt(id.slice(-6), 16) % ids.length] ?? id),
  );
  const isId = (value: unknown) => typeof value === 'string' && value.replace(ID, '') === '';
  return (JSON.parse(text) as unknown[]).map((value) =>
    Array.isArray(value) && value.every(isId) ? value.slice(0, MOST_IDS) : value,
  );
}

/**
 * Plans a statement, and takes back what it did.
 * @param how options of `explain`; with `analyze` the statement runs
 */
export async function explain(
  client: pg.ClientBase,
  how: string,
  { text, settings }: Collected,
  values?: readonly unknown[],
): Promise<Way> {
  await client.query('begin');
  try {
    for (const setting of settings) await client.query(setting);
    const { rows } = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: Node }[] }>(
      `explain (${how}format json) ${text}`,
      values && [...values],
    );
    const tops = rows.flatMap((row) => row['QUERY PLAN']).map(({ Plan: plan }) => plan);
    const nodes = tops.flatMap(nodesOf);
    return {
      scanned: nodes.flatMap((node) =>
        node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? []) : [],
      ),
      indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
      written: nodes.flatMap((node) =>
        node['Node Type'] === 'ModifyTable' ? (node['Relation Name'] ?? []) : [],
      ),
      read: Math.max(0, ...nodes.map(readBy)),
    };
  } finally {
    await client.query('rollback');
  }
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Returns how many rows a node read of its table. */
function readBy(node: Node): number {
  if (!node['Node Type'].includes('Scan') || node['Relation Name'] === undefined) return 0;
  const rows =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return rows * (node['Actual Loops'] ?? 0);
}
