import type { Plan, PlanAction } from '../../../../model/messages/console/work.ts';
import { count, counted } from '../../format.ts';

export const actionNames: Readonly<Record<PlanAction, string>> = {
  release: 'Release',
  resend: 'Resend',
  suppress: 'Do not contact',
};

/** The names of items: a resend lists deliveries, the others leads. */
function itemsText(action: PlanAction, number: number): string {
  return action === 'resend' ? counted(number, 'delivery', 'deliveries') : counted(number, 'lead');
}

export function startLabel({ action, counts: { due } }: Plan): string {
  const items = itemsText(action, due);
  if (action === 'resend') return `Send ${items} again`;
  return action === 'release' ? `Release ${items}` : `Suppress the persons of ${items}`;
}

/** Says what the plan will do, does, or has done. */
export function summaryOf(plan: Plan): string[] {
  const { action, state, counts } = plan;
  const { due, done, passedOver, failed } = counts;
  const items = (number: number) => itemsText(action, number);
  const left = due === 0 ? [] : [`${items(due)} left as they were.`];
  const over = passedOver === 0 ? [] : [`${items(passedOver)} left out.`];
  const broken = failed === 0 ? [] : [`${items(failed)} failed.`];
  switch (state) {
    case 'ready':
      return due === 0
        ? ['There is nothing to do: every item is left out.']
        : [`Nothing has happened yet. ${willDo(plan)}`, ...over];
    case 'running':
      return [
        `${count(done)} of ${items(done + due)} ${doneWords[action]}.`,
        'It goes on when you close this page.',
        ...broken,
      ];
    case 'done':
      return [`${items(done)} ${doneWords[action]}.`, ...outcomeOf(plan), ...over, ...broken];
    case 'cancelled':
      if (plan.startedAt === null) return ['Discarded before its start: nothing was changed.'];
      return [`Cancelled after ${items(done)}.`, ...outcomeOf(plan), ...left, ...broken];
    case 'failed':
      return ['No item could be done: the server’s log says why.'];
  }
}

/** What a plan has done to an item: sending follows, and may fail. */
const doneWords: Readonly<Record<PlanAction, string>> = {
  release: 'released and queued',
  resend: 'queued',
  suppress: 'on the do-not-contact list',
};

/** Says how the queued deliveries stand now. */
function outcomeOf({ action, outcomes = [] }: Plan): string[] {
  if (action === 'suppress' || outcomes.length === 0) return [];
  const parts = outcomes.map(
    ({ state, deliveries }) => `${count(deliveries)} ${state.replaceAll('_', ' ')}`,
  );
  return [`Now: ${parts.join(', ')}.`];
}

/** Returns a plan's state for people: it is only queued while its deliveries are open. */
export function stateOf({ state, outcomes = [] }: Plan): string {
  const isOpen = outcomes.some((each) => ['waiting', 'sending', 'retrying'].includes(each.state));
  return state === 'done' && isOpen ? 'queued' : state;
}

function willDo({ action, counts: { due }, buyers }: Plan): string {
  const items = itemsText(action, due);
  if (action === 'suppress') {
    return `The persons of ${items} will be put on the do-not-contact list, and what waits for them is stopped.`;
  }
  const sends = buyers.map(
    ({ destination, deliveries }) => `${count(deliveries)} to ${destination}`,
  );
  const to = sends.length === 0 ? 'nothing is sent' : sends.join(', ');
  return action === 'resend'
    ? `${items} will be sent again: ${to}.`
    : `${items} will be released: ${to}.`;
}
