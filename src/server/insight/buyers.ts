/** Reads the console's page about buyers, and stores their terms. */
import type pg from 'pg';
import type {
  BuyerAnswer,
  BuyersAnswer,
  TermsRequest,
} from '../../model/messages/console/buyers.ts';
import type { Period } from '../../model/messages/console/numbers.ts';
import { chooseBuyers } from '../../model/rules/choose-buyers.ts';
import { isBuyer } from '../delivery/destinations/index.ts';
import { readBuyers, readCapUse, readHealth, saveBuyer } from '../delivery/index.ts';
import { addAuditEntry } from '../people/index.ts';
import { inTransaction } from '../platform/database/database.ts';
import { refused, usage } from '../platform/operator-error.ts';
import type { Settings } from '../settings/settings.ts';
import { readBreakdown } from './overview.ts';
import { destinationTitle } from './words.ts';

const WAITING = `
select destination, end_reason as reason, count(*)::int as leads from deliveries
where is_unrouted and state = 'waiting' and end_reason is not null group by 1, 2 order by leads desc, reason`;

/** Reads the buyers: their terms, what is used of them, and the money of the visits of a period. */
export async function readBuyerList(
  pool: pg.Pool,
  { destinations, operatorsTimeZone }: Pick<Settings, 'destinations' | 'operatorsTimeZone'>,
  { period, now }: { readonly period: Period; readonly now: Date },
): Promise<BuyersAnswer> {
  const buyers = await readBuyers(pool);
  const names = buyers.map(({ destination }) => destination);
  const setUp = namesSetUp(destinations);
  type Waiting = BuyerAnswer['waiting'][number] & { readonly destination: string };
  const [uses, health, { rows: waiting }, counted] = await Promise.all([
    readCapUse(pool, buyers, now),
    readHealth(pool, names),
    pool.query<Waiting>(WAITING),
    readBreakdown(pool, { period, timeZone: operatorsTimeZone, dimension: 'buyer' }),
  ]);
  const answers = buyers.map(({ destination, terms, changedAt, changedBy }): BuyerAnswer => {
    const isSetUp = setUp.includes(destination);
    const own = uses.get(destination) ?? [];
    const isPaused = !isSetUp || health.some((h) => h.destination === destination && h.pausedAt);
    const {
      others: [obstacle],
    } = chooseBuyers({
      candidates: [{ destination, terms, uses: own, isPaused }],
      holders: [],
      lead: { state: terms.states[0] ?? '', survey: '' },
      now,
      random: () => 0,
    });
    const { totals } = counted.rows.find(({ value }) => value === destination) ?? {};
    return {
      destination,
      title: destinationTitle(destination),
      terms,
      changedAt: changedAt.toISOString(),
      changedBy,
      isSetUp,
      obstacle: obstacle?.reason ?? null,
      opensAt: (obstacle?.reason !== 'buyer_paused' && obstacle?.opensAt?.toISOString()) || null,
      uses: own.map((use) => ({ ...use, until: use.until?.toISOString() ?? null })),
      waiting: waiting.filter((row) => row.destination === destination),
      delivered: totals?.delivered ?? 0,
      returned: totals?.returned ?? 0,
      revenue: totals?.revenue ?? 0,
    };
  });
  const others = setUp
    .filter((name) => !names.includes(name))
    .map((destination) => ({ destination, title: destinationTitle(destination) }));
  return { buyers: answers.sort((a, b) => a.terms.priority - b.terms.priority), others };
}

/**
 * Stores terms, with an audit entry that has the terms before and after. `changedAt` is when the terms were changed
 * that the operator saw. @throws OperatorError if they were changed since, or the new ones are invalid
 */
export async function saveTerms(
  pool: pg.Pool,
  { destinations }: Pick<Settings, 'destinations'>,
  { destination, terms, reason, changedAt }: TermsRequest,
  actor: string,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    // Locks the whole table, because a lock on a row does not keep another operator from adding it.
    await client.query('lock table buyers in share row exclusive mode');
    const now = (await readBuyers(client)).find((buyer) => buyer.destination === destination);
    // The terms of a buyer whose destination was removed can still be switched off.
    if (!now && !namesSetUp(destinations).includes(destination)) {
      throw usage(`The destination "${destination}" is not set up.`);
    }
    if ((now?.changedAt.toISOString() ?? null) !== changedAt) {
      throw refused('Another operator changed these terms meanwhile: reload them.');
    }
    const after = await saveBuyer(client, destination, terms, actor);
    const detail = { before: now?.terms ?? null, after };
    const action = 'buyer.changed';
    await addAuditEntry(client, { actor, action, subject: destination, reason, detail });
  });
}

/** Returns the destinations that buy leads and have settings. */
function namesSetUp(destinations: Settings['destinations']): string[] {
  return destinations
    .filter(({ definition, values }) => values !== undefined && isBuyer(definition.name))
    .map(({ definition }) => definition.name);
}
