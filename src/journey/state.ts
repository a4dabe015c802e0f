import type { Answers, AskedFieldName } from '../domain/answers.ts';
import type { FieldError } from '../domain/field-rules.ts';
import { type Flow, stepOf } from '../flows/engine/flow.ts';
import { type StepAnswers, type WalkContext, walk } from '../flows/engine/walk.ts';

/** The errors shown on a screen, by field. */
export type Errors = Readonly<Partial<Record<AskedFieldName, FieldError>>>;

/** Everything that the survey's screen depends on. Plain data, so that it can be kept and restored. */
export type JourneyState = {
  /** The answers of every step that was passed, also of steps that are no longer on the way. */
  readonly given: StepAnswers;
  /** What was typed or toggled on a step and not sent off yet. */
  readonly drafts: StepAnswers;
  /** What of the drafts the landing address brought. */
  readonly prefilled: StepAnswers;
  /** The step on screen. */
  readonly at: string;
  /** Counts the screens shown; a tap that was meant for an earlier screen carries its number. */
  readonly screen: number;
  readonly direction: 'start' | 'forward' | 'back';
  /**
   * `checking`: a form is sent off, a look-up is awaited. `sending`: the lead is on its way.
   * `ended`: it was sent, and the survey ends on a screen of its own.
   */
  readonly phase: 'asking' | 'checking' | 'sending' | 'ended';
  /** The full-screen overlay covers the screen. */
  readonly overlay: boolean;
  readonly errors: Errors;
  /** Counts the refused attempts, so that each moves the focus to the first bad field. */
  readonly refusals: number;
  /** How often a description was refused because it is too short. */
  readonly shortTexts: number;
  /** City and state of the zip code on screen, or empty. */
  readonly place: string;
  /**
   * What is said while the lead is on its way. `trying` and `refused` only where the survey goes
   * on after the post has succeeded.
   */
  readonly sending: 'sending' | 'saved' | 'unsaved' | 'offline' | 'trying' | 'refused';
  /** This tab has sent a lead, and nothing was answered since. */
  readonly sent: boolean;
  /** The visit was taken up where it had stopped, and nothing was answered since. */
  readonly resumed: boolean;
};

export type JourneyAction =
  /** The step of screen `screen` is answered: on to the next. */
  | { readonly type: 'answered'; readonly screen: number; readonly answers: Answers }
  /** To the step at `index` (from 0) of the way. */
  | { readonly type: 'moved'; readonly index: number }
  /** The visitor typed, chose or toggled; the error of `field` goes. */
  | { readonly type: 'edited'; readonly field: AskedFieldName; readonly values: Answers }
  /** The answers of screen `screen` were refused. */
  | { readonly type: 'refused'; readonly screen: number; readonly errors: Errors }
  /** A look-up found something wrong with a field while the visitor is still on it. */
  | { readonly type: 'doubted'; readonly screen: number; readonly errors: Errors }
  /** Contact details are known: drafts where nothing was given or typed. */
  | { readonly type: 'prefilled'; readonly drafts: StepAnswers }
  | { readonly type: 'placed'; readonly place: string }
  | { readonly type: 'checking'; readonly screen: number }
  | { readonly type: 'sending'; readonly answers: Answers }
  | { readonly type: 'notice'; readonly sending: JourneyState['sending'] }
  /** The post was answered or has had its time: the flow's end step shows without the overlay. */
  | { readonly type: 'uncovered' }
  /** The lead was sent, and the survey ends on the step `at`. */
  | { readonly type: 'ended'; readonly at: string };

/** The state at the start of a survey. */
export function initialState(flow: Flow): JourneyState {
  return {
    given: {},
    drafts: {},
    prefilled: {},
    at: flow.start,
    screen: 0,
    direction: 'start',
    phase: 'asking',
    overlay: false,
    errors: {},
    refusals: 0,
    shortTexts: 0,
    place: '',
    sending: 'sending',
    sent: false,
    resumed: false,
  };
}

/** The steps from the start to the one on screen. */
export function wayTo(flow: Flow, state: JourneyState, context: WalkContext): readonly string[] {
  return walk(flow, state.given, context, state.at).steps;
}

/**
 * The state of a visit that is taken up again: at its step when that is still on the way of its
 * answers, else at the last step that is. The answers of a step that the flow no longer has stay.
 */
export function resumedState(
  flow: Flow,
  kept: Pick<JourneyState, 'given' | 'drafts' | 'at'>,
  context: WalkContext,
): JourneyState {
  const start = initialState(flow);
  const { given, drafts } = kept;
  const { steps } = walk(flow, given, context, kept.at);
  // Where the lead was on its way, the last button is there again: pressed twice it counts once.
  const current = steps.findLast((name) => stepOf(flow, name).kind !== 'sending') ?? flow.start;
  return {
    ...start,
    given,
    drafts,
    at: current,
    resumed: current !== flow.start,
  };
}

/** Whether the step on screen may be left: nothing is awaited, or only what the next step needs. */
export function mayLeave(flow: Flow, { phase, at }: JourneyState): boolean {
  return phase === 'asking' || (phase === 'checking' && stepOf(flow, at).submits !== true);
}

function show(
  state: JourneyState,
  at: string,
  direction: 'forward' | 'back',
  change: Partial<JourneyState> = {},
): JourneyState {
  return {
    ...state,
    ...change,
    at,
    direction,
    screen: state.screen + 1,
    phase: 'asking',
    overlay: false,
    errors: {},
    place: '',
    sent: false,
    resumed: false,
  };
}

function without(answers: StepAnswers, name: string): StepAnswers {
  const { [name]: _, ...rest } = answers;
  return rest;
}

/**
 * The survey's state machine: pure. An action that belongs to an earlier screen, or comes while the
 * lead is on its way, changes nothing: that is what makes double taps and double submits count once.
 *
 * @returns the same object when nothing changed
 */
export function reduce(
  flow: Flow,
  context: WalkContext,
  state: JourneyState,
  action: JourneyAction,
): JourneyState {
  switch (action.type) {
    case 'answered': {
      if (action.screen !== state.screen || !mayLeave(flow, state)) return state;
      const given = { ...state.given, [state.at]: action.answers };
      const way = walk(flow, given, context).steps;
      const next = way[way.indexOf(state.at) + 1];
      if (next === undefined) return state;
      return show(state, next, 'forward', { given, drafts: without(state.drafts, state.at) });
    }
    case 'moved': {
      if (!mayLeave(flow, state)) return state;
      const way = walk(flow, state.given, context).steps;
      const target = way[Math.max(0, Math.min(action.index, way.length - 1))] as string;
      if (target === state.at) return state;
      const isBack = way.indexOf(target) < way.indexOf(state.at);
      return show(state, target, isBack ? 'back' : 'forward');
    }
    case 'edited': {
      if (state.phase !== 'asking') return state;
      const { [action.field]: _, ...errors } = state.errors;
      return {
        ...state,
        errors,
        drafts: { ...state.drafts, [state.at]: { ...state.drafts[state.at], ...action.values } },
      };
    }
    case 'refused':
      if (action.screen !== state.screen || state.phase === 'sending') return state;
      return {
        ...state,
        phase: 'asking',
        errors: action.errors,
        refusals: state.refusals + 1,
        shortTexts: state.shortTexts + Number(isShortText(action.errors)),
      };
    case 'doubted':
      if (action.screen !== state.screen || state.phase !== 'asking') return state;
      return { ...state, errors: { ...state.errors, ...action.errors } };
    case 'prefilled': {
      if (state.phase !== 'asking') return state;
      const drafts = { ...state.drafts };
      for (const [step, values] of Object.entries(action.drafts)) {
        drafts[step] = { ...values, ...state.given[step], ...drafts[step] };
      }
      return { ...state, drafts, prefilled: action.drafts };
    }
    case 'placed':
      return state.place === action.place ? state : { ...state, place: action.place };
    case 'checking':
      if (action.screen !== state.screen || state.phase !== 'asking') return state;
      return { ...state, phase: 'checking', errors: {} };
    case 'sending': {
      if (state.phase === 'sending' || state.phase === 'ended') return state;
      const given = { ...state.given, [state.at]: action.answers };
      const way = walk(flow, given, context).steps;
      const end = way[way.indexOf(state.at) + 1];
      const next = end === undefined ? state : show(state, end, 'forward');
      return { ...next, phase: 'sending', overlay: true, errors: {}, given };
    }
    case 'notice':
      return { ...state, sending: action.sending };
    case 'uncovered':
      return stepOf(flow, state.at).ends ? { ...state, overlay: false } : state;
    case 'ended':
      return { ...show(state, action.at, 'forward'), phase: 'ended' };
  }
}

/** Whether the description was refused for its length. */
export function isShortText({ case_description }: Errors): boolean {
  return case_description === 'too_short' || case_description === 'too_few_words';
}
