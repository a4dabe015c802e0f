/** Defines the actions of bulk plans. */
import type { PlanAction } from '../../model/messages/console/work.ts';
import {
  type Actor,
  bulkReleaseRefusal,
  bulkResendRefusal,
  type Releasable,
  type Resendable,
  readReleasable,
  readResendable,
  releaseLocked,
  resendLocked,
  type SaleRules,
} from '../delivery/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import {
  bulkSuppressRefusal,
  type People,
  readSuppressible,
  type Suppressible,
  suppressPerson,
} from '../privacy/index.ts';
import { stateText } from './words.ts';

/** An item of a plan, with the result of checking whether the action is possible. */
type Judged = {
  /** The id of a delivery if the action is a resend, otherwise the id of a lead. */
  readonly id: string;
  readonly leadId: string;
  /** The destinations to which the action would send the lead. */
  readonly destinations: readonly string[];
  /** The state of the item when the plan was made. */
  readonly was: string;
  /** The reason why the action is impossible. Undefined: the action is possible. */
  readonly refusal: string | undefined;
  /** Describes the action's effect on the item, for the operator. */
  readonly means: string;
};

/** The next item of a plan to process. `was` is the item's state when the plan was made. */
export type DueItem = { readonly number: number; readonly id: string; readonly was: string };
/** The result of an item. `refusal`: the reason why the item was skipped. */
type ItemResult = { readonly number: number; readonly refusal: string | undefined };

/** The settings for the rules of states and for revocations. */
export type PlanSettings = SaleRules & People['settings'];
type By = Actor & { readonly settings: PlanSettings };

type BulkAction = ReturnType<typeof defineAction>;

function defineAction<Row>(action: {
  /** The kind of the items: a resend has deliveries, all other actions have leads. */
  readonly of: 'delivery' | 'lead';
  /** The text about an item on which the action was run. */
  readonly done: string;
  readonly changed: string;
  readonly read: (
    client: Queryable,
    ids: readonly string[],
    options: { locks: boolean; rules: SaleRules },
  ) => Promise<Row[]>;
  readonly about: (row: Row) => Judged;
  readonly act: (client: Queryable, rows: readonly Row[], by: By) => Promise<unknown>;
}) {
  const { of, done, changed, read, about, act } = action;
  return {
    of,
    done,
    /** Checks items without changing anything. */
    async judge(client: Queryable, ids: readonly string[], rules: SaleRules): Promise<Judged[]> {
      const judged = (await read(client, ids, { locks: false, rules })).map(about);
      const byId = new Map(judged.map((each) => [each.id, each]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    /** Locks the items, and runs the action on each item that still allows the action. */
    async run(client: Queryable, items: readonly DueItem[], by: By): Promise<ItemResult[]> {
      const ids = items.map(({ id }) => id);
      const rows = await read(client, ids, { locks: true, rules: by.settings });
      const byId = new Map(rows.map((row) => [about(row).id, row]));
      const allowed: Row[] = [];
      const results = items.map(({ number, id, was }): ItemResult => {
        const row = byId.get(id);
        if (row === undefined) return { number, refusal: 'The lead or delivery no longer exists.' };
        const now = about(row);
        const refusal = now.refusal ?? (now.was === was ? undefined : changed);
        if (refusal === undefined) allowed.push(row);
        return { number, refusal };
      });
      if (allowed.length > 0) await act(client, allowed, by);
      return results;
    },
  };
}

const resend = defineAction<Resendable>({
  of: 'delivery',
  done: 'Queued again.',
  changed: 'It was sent again since the plan was made, and ended otherwise.',
  read: readResendable,
  about: (row) => ({
    id: row.id,
    leadId: row.lead_id,
    destinations: [row.destination],
    was: row.state,
    refusal: bulkResendRefusal(row),
    means:
      row.state === 'no_destination'
        ? 'Goes to the destination, which was not configured when the lead came.'
        : `Goes to ${row.is_to_buyer && !row.may_have_arrived ? 'the first buyer that may have it' : 'the destination again'}; it was ${stateText(row.state)}.`,
  }),
  act: resendLocked,
});

const release = defineAction<Releasable>({
  of: 'lead',
  done: 'Released.',
  changed: 'A newer revision arrived since the plan was made: look at this lead.',
  read: readReleasable,
  about: (lead) => ({
    id: lead.id,
    leadId: lead.id,
    destinations: lead.held,
    was: String(lead.revision),
    refusal: bulkReleaseRefusal(lead),
    means:
      lead.held.length === 0
        ? 'Is released; it has nothing to send.'
        : 'Is released and goes to its destinations.',
  }),
  act: releaseLocked,
});

const suppress = defineAction<Suppressible>({
  of: 'lead',
  done: 'The person is on the suppression list.',
  changed: 'The lead has changed since the plan was made.',
  read: readSuppressible,
  about: (lead) => ({
    id: lead.id,
    leadId: lead.id,
    destinations: [],
    was: '',
    refusal: bulkSuppressRefusal(lead),
    means: 'The person goes on the suppression list, and their waiting deliveries are stopped.',
  }),
  act: async (client, leads, by) => {
    for (const { keys } of leads) await suppressPerson(client, keys, by);
  },
});

export const bulkActions: Readonly<Record<PlanAction, BulkAction>> = { release, resend, suppress };
