import { type Answers, type AskedFieldName, isYes } from '../fields/answers.ts';
import { stepOf } from '../flows/engine/flow.ts';
import { type WalkContext, walk } from '../flows/engine/walk.ts';
import { deriveFields } from '../rules/derive-fields.ts';
import { dqReason } from '../rules/qualification.ts';
import { STILL_SEND } from './form-values.ts';
import type { SurveyData, VisitState } from './state.ts';

const contact: readonly AskedFieldName[] = ['first_name', 'email', 'phone'];

type EarlyReason = 'date' | 'fault';

/** Returns the reason for a notice of disqualification (docs/specification.md#told-early). */
export function earlyEnd(
  data: Pick<SurveyData, 'flow' | 'settings'>,
  context: WalkContext,
  { given, drafts, at }: Pick<VisitState, 'given' | 'drafts' | 'at'>,
): EarlyReason | undefined {
  const { flow } = data;
  const asksContact = (name: string) =>
    stepOf(flow, name).asks?.some((field) => contact.includes(field));
  if (!asksContact(at) || given[at] || drafts[at]?.[STILL_SEND]) return undefined;
  const { steps, answers } = walk(flow, given, context, at);
  const reasonBefore = (name: string) =>
    decisive(data, context, walk(flow, given, context, name).answers);
  const wasTold = steps.some((name) => name !== at && asksContact(name) && reasonBefore(name));
  return wasTold ? undefined : decisive(data, context, answers);
}

function decisive(
  { flow, settings }: Pick<SurveyData, 'flow' | 'settings'>,
  context: WalkContext,
  given: Answers,
): EarlyReason | undefined {
  const state = given.state ?? context.state;
  const { answers, derived, trace } = deriveFields({
    // Without a U.S. state, assumes Maine, which has the longest limitation period.
    answers: { ...given, state: state ?? 'ME' },
    today: context.today,
    rules: flow.rules ?? {},
    settings,
    checks: {},
  });
  const isOpen = !state && isYes(given.partial_fault);
  const onlyFields = (['accident_limit_exceeded', 'at_Fault'] as const).filter(
    (field) => (trace.onlyFields?.includes(field) ?? true) && !(field === 'at_Fault' && isOpen),
  );
  const reason = dqReason({ ...answers, ...derived }, onlyFields);
  return reason ? (reason.startsWith('date') ? 'date' : 'fault') : undefined;
}
