/**
 * Collects the statements that the code in `src/` sends to the database, each with some of its parameters, for
 * tests/statements. On with STATEMENTS_DIR. Loaded before each test file; files share a worker.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** A statement as it was sent. */
export type Collected = {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether it is prepared by name, so that PostgreSQL may plan it without its parameters. */
  readonly isPrepared: boolean;
  /** The transaction's own settings, as statements. */
  readonly settings: readonly string[];
  /** The file in `src/` that sent it. */
  readonly file: string;
};

/** Examples of a statement with the same parameters left out. */
const MOST_EXAMPLES = 2;
/** Tests send the same text again and again; to learn who sent it takes a tenth of a millisecond. */
const MOST_TRIES = 50;
const ROOT = path.join(import.meta.dirname, '../..');
/** Our files in a stack, without those through which everybody sends. */
const FRAME = new RegExp(
  `${ROOT.replaceAll(/[^\w/]/g, '\\$&')}/(?!node_modules/|tests/support/(?:collect-|plans)|src/server/storage/database(?:-client)?\\.ts)([^\\s:?]+)`,
);
const IS_SETTING = /^\s*(set local|select set_config\()/;
const IS_ON = Symbol.for('statements are collected');

type Query = (this: object, ...given: unknown[]) => unknown;
type Statement = { text?: string; values?: unknown; name?: string };
type Querying = { query: Query; [IS_ON]?: true };

function collect(dir: string, ...classes: Querying[]): void {
  mkdirSync(dir, { recursive: true });
  const file = path.join(dir, `${process.pid}-${Date.now()}.jsonl`);
  const examples = new Map<string, Set<string>>();
  const tries = new Map<string, number>();
  const settings = new WeakMap<object, string[]>();
  for (const each of classes) {
    const { query } = each;
    each[IS_ON] = true;
    each.query = function (...given) {
      const [first, second] = given as [string | Statement, unknown];
      const { text, values, name } =
        typeof first === 'string' ? { text: first, values: second } : first;
      if (typeof text === 'string') {
        const own = settings.get(this) ?? [];
        if (IS_SETTING.test(text)) settings.set(this, [...own, withValues(text, values)]);
        else if (/^\s*(begin|commit|rollback)\b/.test(text)) settings.delete(this);
        else add({ text, values: Array.isArray(values) ? values : [], name, settings: own });
      }
      return query.apply(this, given);
    };
  }

  function add({ name, ...sent }: Omit<Collected, 'isPrepared' | 'file'> & { name: unknown }) {
    const shape = `${sent.values.map((value) => (value === null ? 0 : 1)).join('')} ${sent.text}`;
    const known = examples.get(shape) ?? new Set();
    const tried = tries.get(shape) ?? 0;
    if (known.size === MOST_EXAMPLES || tried === MOST_TRIES) return;
    tries.set(shape, tried + 1);
    const sender = senderOf();
    if (sender === undefined) return;
    const collected: Collected = { ...sent, isPrepared: name !== undefined, file: sender };
    const line = JSON.stringify(collected);
    if (known.has(line)) return;
    examples.set(shape, known.add(line));
    appendFileSync(file, `${line}\n`);
  }
}

/** Returns a setting's statement with its parameters, which are texts of our own. */
function withValues(text: string, values: unknown): string {
  const given: readonly unknown[] = Array.isArray(values) ? values : [];
  return text.replaceAll(/\$(\d+)/g, (_, number) => `'${given[Number(number) - 1]}'`);
}

/** Returns the nearest of our files that called, if it is the program's and not a test's. */
function senderOf(): string | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const stack = new Error().stack ?? '';
  Error.stackTraceLimit = limit;
  const found = FRAME.exec(stack);
  const file = found?.[1];
  // A pool sends what waits for a connection under the stack of whoever gives one back.
  if (stack.slice(0, found?.index).includes('/pg-pool/')) return undefined;
  return file?.startsWith('src/') === true && !/\.test\.tsx?$/.test(file) ? file : undefined;
}

const dir = process.env.STATEMENTS_DIR;
if (dir !== undefined) {
  const { default: pg } = await import('pg');
  // Of the pool, too: its connections no longer know who called.
  const classes = [pg.Client.prototype, pg.Pool.prototype] as unknown as Querying[];
  if (!classes[0]?.[IS_ON]) collect(dir, ...classes);
}
