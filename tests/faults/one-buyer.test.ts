/** Tests with random operations that a lead that buyers have alone reaches one of them, and is counted and sold once. */
import { expect, test } from 'vitest';
import { choiceJob } from '../../src/server/delivery/choose.ts';
import type { SendResult } from '../../src/server/delivery/destinations/destination.ts';
import { release, resend } from '../../src/server/delivery/index.ts';
import { OperatorError } from '../../src/server/platform/operator-error.ts';
import { suppress, undoSuppress } from '../../src/server/privacy/suppress.ts';
import { setBuyer } from '../support/buyers.ts';
import { controlled, never } from '../support/delivery.ts';
import { turnFor } from '../support/job-clock.ts';
import { noted, people } from '../support/person-keys.ts';
import { saleRules } from '../support/sale-rules.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { freshLead, serverForTests } from '../support/server.ts';
import { workersForTests } from '../support/workers.ts';

const ROUNDS = 2_000;
const extra = { smith: { like: 'ingest' }, jones: { like: 'ingest' } };
const names = ['ingest', 'ingest/smith', 'ingest/jones'];
const site = serverForTests(() => ({ EXTRA_DESTINATIONS: JSON.stringify(extra) }));
const workerOf = workersForTests(() => ({ pool: site.database.pool }));

const HOLD = `
with held as (update leads set state = 'held' where id = $1 and state = 'accepted' returning id)
update deliveries set state = 'held', due_at = null where lead_id in (select id from held) and event_key = ''
  and state = 'waiting' and is_unrouted`;

test.each([true, false])(
  'buyers that recognise duplicates: %s',
  async (recognisesDuplicates) => {
    const { pool } = site.database;
    const random = seededRandom('one buyer');
    const pick = <Item>(all: readonly Item[]): Item => all[random.integer(0, all.length)] as Item;
    /** The buyers that took each lead, whether we learned it or not. */
    const takers = new Map<string, Set<string>>();

    function answer(name: string, leadId: string): SendResult['outcome'] {
      const own = takers.get(leadId) ?? new Set<string>();
      takers.set(leadId, own);
      if (own.has(name)) return pick(['duplicate', 'duplicate', 'rejected', 'unknown'] as const);
      const outcome = pick([
        ...(['delivered', 'delivered', 'delivered', 'lost', 'lost', 'unknown'] as const),
        ...(['rejected', 'rejected', 'account', 'failed', 'server_error', 'retry'] as const),
      ]);
      if (outcome !== 'delivered' && outcome !== 'lost') return outcome;
      own.add(name);
      return outcome === 'lost' ? 'unknown' : outcome;
    }
    const buyer = (name: string) =>
      controlled(
        name,
        async ({ leadId }): Promise<SendResult> => {
          const outcome = answer(name, leadId);
          const account = { problem: 'it refuses our account', settings: ['INGEST_KEY'] };
          return { outcome, durationMs: 1, ...(outcome === 'account' && { account }) };
        },
        { recognisesDuplicates },
      );
    const workers = [1, 2].map(() => workerOf(names.map(buyer)));
    const jobs = [1, 2].map(() => choiceJob({ destinations: names, chosen: () => undefined }));
    const leads: Record<string, unknown>[] = [];
    const idOf = () => String(pick(leads.slice(-8)).lead_id);
    const allowed = (work: Promise<unknown>) =>
      work.catch((error: unknown) => {
        if (!(error instanceof OperatorError)) throw error;
      });
    const by = { actor: 'x' };
    const post = async (lead: Record<string, unknown>) =>
      expect((await site.post('/post-lead', lead)).status).toBeLessThan(500);

    const operations: Readonly<Record<string, () => Promise<unknown>>> = {
      async post() {
        const person = String(Math.round(random.next() * 9_999_999)).padStart(7, '2');
        const lead = freshLead({ email: `p${person}@example.com`, phone: `512${person}` });
        leads.push(lead);
        await post(lead);
      },
      async revise() {
        const lead = pick(leads.slice(-8));
        lead.sub_id2 = String(random.next());
        await post(lead);
      },
      choose: () => pick(jobs).run(turnFor(pool, 'choice')),
      async send() {
        await Promise.all((await pick(workers).begin()).sends);
      },
      /** A worker dies while it sends. */
      async die() {
        const send = () => never();
        const dying = workerOf(
          names.map((name) => controlled(name, send, { recognisesDuplicates })),
        );
        await dying.begin();
        dying.stop();
        await pool.query(`update deliveries set due_at = now() where state = 'sending'`);
        await pick(workers).park();
      },
      hurry: () => pool.query(`update deliveries set due_at = now() where state = 'retrying'`),
      resend: () => {
        const options = { ...by, destination: pick(names), force: random.next() < 0.5 };
        return allowed(resend(pool, idOf(), options, saleRules));
      },
      suppress: () => allowed(suppress(people(pool), idOf(), noted)),
      undo: () => allowed(undoSuppress(people(pool), idOf(), 'x')),
      hold: () => pool.query(HOLD, [idOf()]),
      release: () => allowed(release(pool, idOf(), by, saleRules)),
      change: () =>
        setBuyer(pool, pick(names), {
          priority: random.integer(0, 3),
          isOn: random.next() < 0.8,
        }),
      resume: () => pool.query('update destination_health set paused_at = null, trial_at = null'),
    };
    const often = [
      'post',
      'choose',
      'choose',
      'send',
      'send',
      'hurry',
      'resend',
      'undo',
      'release',
    ];
    const all = [...Object.keys(operations), ...often, 'resume'];
    for (const name of names) await setBuyer(pool, name);
    await operations.post?.();
    for (let round = 0; round < ROUNDS; round += 1) {
      const some = Array.from({ length: random.integer(1, 5) }, () => pick(all));
      await Promise.all(some.map((name) => operations[name]?.()));
    }

    const sold = [...takers].filter(([, own]) => own.size > 0);
    expect(sold.length).toBeGreaterThan(ROUNDS / 50);
    expect(sold.filter(([, own]) => own.size > 1)).toEqual([]);
    const taken = JSON.stringify(sold.map(([lead, own]) => ({ lead, buyer: [...own][0] })));
    const { rows: uncounted } = await pool.query(
      `select d.* from deliveries d join jsonb_to_recordset($1::jsonb) as taken(lead uuid, buyer text)
       on lead = lead_id and buyer = destination where event_key = '' and chosen_at is null`,
      [taken],
    );
    expect(uncounted, 'leads that a buyer has and its caps do not count').toEqual([]);
    const { rows: unsold } = await pool.query(
      `select d.* from deliveries d where state = 'delivered' and event_key = '' and destination = any($1)
       and not exists (select 1 from money_entries where key = 'sale ' || d.id)`,
      [names],
    );
    expect(unsold, 'leads that were delivered and not sold').toEqual([]);
  },
  300_000,
);
