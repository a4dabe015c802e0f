import type { LeadCountAnswer } from '../../../contract/console/leads.ts';
import { count } from '../../format.ts';

/** Returns a number of leads in words: `12 480 leads`, `more than 10 000 leads`, `an unknown number of leads`. */
export function countText(answer: LeadCountAnswer | undefined): string {
  if (answer === undefined) return 'all leads';
  if (answer.count === 0 && !answer.isExact) return 'an unknown number of leads';
  const leads = answer.count === 1 && answer.isExact ? 'lead' : 'leads';
  return `${answer.isExact ? '' : 'more than '}${count(answer.count)} ${leads}`;
}
