/** Tells listeners what happens, for all processes: one small read every two seconds, while anybody listens. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsoleEvent } from '../../contract/console/work.ts';
import type { Logger } from '../../postgres/logger.ts';
import type { Queryable } from '../storage/database.ts';
import { cleanDatabaseError } from '../storage/database-error.ts';

const LOOK_EVERY_MS = 2_000;
/** A statement may commit up to 15 s after its `now()`, so each look goes back further. */
const LOOK_BACK = '20 seconds';
/** The most events of a kind at one look. Lists ask again anyway, so nobody misses the others. */
const MOST_EVENTS = 100;

// Each arm reads the newest rows of an index by time.
const NEWS = `
(select 'lead ' || id as key, jsonb_build_object('kind', 'lead', 'id', id) as event
 from leads where created_at > now() - interval '${LOOK_BACK}'
 order by created_at desc limit ${MOST_EVENTS})
union all
(select 'delivery ' || id || finished_at, jsonb_build_object('kind', 'delivery', 'leadId', lead_id)
 from deliveries where finished_at > now() - interval '${LOOK_BACK}'
 order by finished_at desc limit ${MOST_EVENTS})
union all
(select 'plan ' || id || changed_at, jsonb_build_object('kind', 'plan', 'id', id)
 from plans where changed_at > now() - interval '${LOOK_BACK}'
 order by changed_at desc limit ${MOST_EVENTS})
union all
select 'numbers ' || changed_at, jsonb_build_object('kind', 'numbers')
from counting`;

type Listener = (events: readonly ConsoleEvent[]) => void;
export type LiveEvents = ReturnType<typeof createLiveEvents>;

/** Creates the source of live events of one process. */
export function createLiveEvents(options: {
  readonly client: Queryable;
  readonly log: Logger;
  /** Default: 2 s. */
  readonly everyMs?: number;
}) {
  const { client, log, everyMs = LOOK_EVERY_MS } = options;
  const listeners = new Set<Listener>();
  let isLooking = false;
  /** What the last look found; undefined: nobody has listened before it. */
  let known: ReadonlySet<string> | undefined;

  async function look(): Promise<void> {
    const { rows } = await client.query<{ key: string; event: ConsoleEvent }>({
      name: 'live-events',
      text: NEWS,
    });
    const before = known;
    known = new Set(rows.map(({ key }) => key));
    if (before === undefined) return;
    const events = rows.flatMap(({ key, event }) => (before.has(key) ? [] : [event]));
    if (events.length === 0) return;
    for (const tell of listeners) tell(events);
  }

  async function lookWhileListening(): Promise<void> {
    isLooking = true;
    known = undefined;
    while (listeners.size > 0) {
      await look().catch((error: unknown) => {
        log.debug({ err: cleanDatabaseError(error) }, 'Live events wait for the database');
      });
      await sleep(everyMs, undefined, { ref: false });
    }
    isLooking = false;
  }

  return {
    /** Calls `tell` with new events until the returned function is called. */
    listen(tell: Listener): () => void {
      listeners.add(tell);
      if (!isLooking) void lookWhileListening();
      return () => {
        listeners.delete(tell);
      };
    },
  };
}
