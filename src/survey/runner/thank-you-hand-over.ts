/**
 * What a survey hands to its thank-you page, in this tab only (docs/specification.md#browser-storage): the law
 * firms that may call, what a later choice needs, and the visitor's own copy of the answers.
 */
import type { PostLeadBody } from '../../contract/lead.ts';
import { thankYouFragments } from '../../contract/page-manifest.ts';
import { buyersFromAnswers, choseNoFirm, isChosen } from '../../domain/buyer-choice.ts';
import { fieldsOf, stepOf } from '../../flows/engine/flow.ts';
import type { StepAnswers } from '../../flows/engine/walk.ts';
import type { SurveyPageData } from '../screens/page-data.ts';
import { type CopiedAnswer, firmsKey, handOver, type SentFirms } from './sent-lead.ts';

/**
 * Keeps which law firms a qualified one-to-one lead names, and what a later choice needs where it names none.
 *
 * @returns the fragment of the thank-you page, or ''
 */
export function keepFirms(body: PostLeadBody, secret: string | undefined, now: number): string {
  const { lead_id, survey, language, tcpa, consent_version: version } = body;
  const { displayed_buyers, displayed_buyer_ids, selected_buyers } = body;
  const displayed = buyersFromAnswers(displayed_buyers, displayed_buyer_ids);
  if (!choseNoFirm(body)) {
    const chosen = displayed.filter((firm) => isChosen(firm, selected_buyers));
    handOver(firmsKey, { chosen: chosen.map(({ name }) => name) } satisfies SentFirms);
    return '';
  }
  const firms = displayed.map(({ name, ids }) => [name, ids.join(',')] as const);
  const open = { lead_id, secret, survey, language, tcpa, version, firms, sentAt: now };
  handOver(firmsKey, { chosen: [], open } satisfies SentFirms);
  return `#${thankYouFragments.noFirm}`;
}

/** Returns the questions of a visit that were answered, each with its answer, in the survey's words. */
export function copyOfAnswers(
  { flow, texts }: Pick<SurveyPageData, 'flow' | 'texts'>,
  steps: readonly string[],
  given: StepAnswers,
): CopiedAnswer[] {
  const { fields, choices, months } = texts;
  return steps.flatMap((name) => {
    const step = stepOf(flow, name);
    const own = given[name] ?? {};
    const words = texts.steps[name];
    return fieldsOf(step).flatMap((field): CopiedAnswer[] => {
      const value = own[field];
      if (!value || step.finds?.includes(field) || field === 'selected_buyers') return [];
      const month = field.endsWith('_month') ? months[Number(value) - 1] : undefined;
      const answer =
        words?.choices?.[`${field}=${value}`] ?? choices[field]?.[value] ?? month ?? value;
      return [[words?.labels?.[field] ?? fields[field]?.label ?? words?.question ?? field, answer]];
    });
  });
}
