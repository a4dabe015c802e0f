import type { Plan, PlanAction } from '../../../../model/messages/console/work.ts';
import { count, counted } from '../../format.ts';

type ActionWords = {
  readonly name: string;
  readonly start: (items: string) => string;
  readonly willDo: (items: string, sends: string) => string;
  /** The words for the items that are done. */
  readonly done: string;
};

export const actionWords: Readonly<Record<PlanAction, ActionWords>> = {
  release: {
    name: 'Release',
    start: (items) => `Release ${items}`,
    willDo: (items, sends) => `${items} will be released: ${sends}.`,
    done: 'released and queued',
  },
  resend: {
    name: 'Resend',
    start: (items) => `Send ${items} again`,
    willDo: (items, sends) => `${items} will be sent again: ${sends}.`,
    done: 'queued',
  },
  suppress: {
    name: 'Do not contact',
    start: (items) => `Suppress the persons of ${items}`,
    willDo: (items) =>
      `The persons of ${items} will be put on the suppression list, and their waiting deliveries are stopped.`,
    done: 'on the suppression list',
  },
};

/** Writes how many items a bulk action has, such as `3 leads`. */
export function itemsText(action: PlanAction, number: number): string {
  return action === 'resend' ? counted(number, 'delivery', 'deliveries') : counted(number, 'lead');
}

/** Returns a summary of a bulk action. */
export function summaryOf(plan: Plan): string[] {
  const { action, state, counts, buyers } = plan;
  const { done: doneWords, willDo } = actionWords[action];
  const some = (number: number, words: string) =>
    number === 0 ? [] : [`${itemsText(action, number)} ${words}.`];
  const passedOver = some(counts.passedOver, 'left out');
  const failed = some(counts.failed, 'failed');
  const done = itemsText(action, counts.done);
  switch (state) {
    case 'ready': {
      if (counts.due === 0) return ['There is nothing to do: every item is left out.'];
      const sends = buyers.map((to) => `${count(to.deliveries)} to ${to.destination}`);
      const will = willDo(itemsText(action, counts.due), sends.join(', ') || 'nothing is sent');
      return [`Nothing has happened yet. ${will}`, ...passedOver];
    }
    case 'running': {
      const all = itemsText(action, counts.done + counts.due);
      return [
        `${count(counts.done)} of ${all} ${doneWords}.`,
        'It goes on when you close this page.',
        ...failed,
      ];
    }
    case 'done':
      return [`${done} ${doneWords}.`, ...passedOver, ...failed];
    case 'cancelled': {
      if (plan.startedAt === null) return ['Discarded before its start: nothing was changed.'];
      const rest = some(counts.due, 'left as they were');
      return [`Cancelled after ${done}.`, ...rest, ...failed];
    }
    case 'failed':
      return ['No item could be done: the server’s log has the errors.'];
  }
}
