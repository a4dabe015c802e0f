import { type Answers, type AskedFieldName, isYes } from '../fields/answers.ts';
import { stepOf } from '../flows/engine/flow.ts';
import { type WalkContext, walk } from '../flows/engine/walk.ts';
import { deriveFields } from '../rules/derive-fields.ts';
import { dqReason } from '../rules/qualification.ts';
import { closedState } from './closed-state.ts';
import { STILL_SEND } from './form-values.ts';
import type { SurveyData, VisitState } from './state.ts';

const contact: readonly AskedFieldName[] = ['first_name', 'email', 'phone'];

/** `accepted` means that the visitor goes on although no law firm may get the answers. */
type EarlyReason = 'date' | 'fault' | 'state' | 'accepted';

type Data = Pick<SurveyData, 'survey' | 'flow' | 'settings'>;

/** Returns the reason for a notice before a contact step (docs/specification.md#told-early). */
export function earlyEnd(
  data: Data,
  context: WalkContext,
  { given, drafts, at }: Pick<VisitState, 'given' | 'drafts' | 'at'>,
): EarlyReason | undefined {
  const { flow } = data;
  const asksContact = (name: string) =>
    stepOf(flow, name).asks?.some((field) => contact.includes(field));
  // The first page is the same for all visitors.
  if (at === flow.start || !asksContact(at)) return undefined;
  const reasonBefore = (name: string) =>
    decisive(data, context, walk(flow, given, context, name).answers);
  const reason = reasonBefore(at);
  const told = walk(flow, given, context, at)
    .steps.filter((name) => name !== at && asksContact(name))
    .flatMap((name) => reasonBefore(name) ?? []);
  const wasTold = reason === 'state' ? told.includes('state') : told.length > 0;
  if (!wasTold && !given[at] && !drafts[at]?.[STILL_SEND]) return reason;
  return reason === 'state' ? 'accepted' : undefined;
}

function decisive(data: Data, context: WalkContext, given: Answers): EarlyReason | undefined {
  const { flow, settings } = data;
  if (closedState(data, given, context.state)) return 'state';
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
