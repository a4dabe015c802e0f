import type { Answers, AskedFieldName } from '../fields/answers.ts';
import type { FieldRules } from '../fields/asked-fields.ts';
import type { CalendarDate } from '../fields/dates.ts';
import type { FieldError } from '../fields/field-rules.ts';
import { type Flow, stepOf } from '../flows/engine/flow.ts';
import { type StepAnswers, type WalkContext, walk } from '../flows/engine/walk.ts';
import type { SurveyEntry } from '../flows/survey-table.ts';
import type { ConsentText, PageSettings } from '../messages/site-settings.ts';

export type Errors = Readonly<Partial<Record<AskedFieldName, FieldError>>>;

/** The state of a survey's page, as plain data. */
export type VisitState = {
  /** The answers, by step. */
  readonly given: StepAnswers;
  /** The values that the visitor has typed but not sent, by step. */
  readonly drafts: StepAnswers;
  readonly prefilled: StepAnswers;
  readonly at: string;
  /** The number of the displayed screen. The page ignores a tap on a screen with another number. */
  readonly screen: number;
  readonly direction: 'start' | 'forward' | 'back';
  /** `checking` means that the server checks a form. */
  readonly phase: 'asking' | 'checking' | 'sending' | 'ended';
  readonly overlay: boolean;
  readonly errors: Errors;
  /** The number of refused forms. */
  readonly refusals: number;
  readonly shortTexts: number;
  readonly unknownZips: number;
  /** The notice while the page posts the lead. */
  readonly sending: 'sending' | 'saved' | 'unsaved' | 'offline' | 'trying' | 'refused';
  readonly sent: boolean;
  /** True if the visitor has answered nothing since the visit was resumed. */
  readonly resumed: boolean;
};

/** The part of the state that the browser stores. */
export type StoredState = Pick<VisitState, 'given' | 'drafts' | 'at'>;

export type VisitAction =
  | { readonly type: 'answered'; readonly screen: number; readonly answers: Answers }
  /** The visitor goes to another step. `index` counts from 0. */
  | { readonly type: 'moved'; readonly index: number }
  /** The visitor changes a field in the form. */
  | { readonly type: 'edited'; readonly field: AskedFieldName; readonly values: Answers }
  | { readonly type: 'refused'; readonly screen: number; readonly errors: Errors }
  /** A check found an error in the displayed form. */
  | { readonly type: 'doubted'; readonly screen: number; readonly errors: Errors }
  /** The page got values that the visitor did not type, such as the city of a zip code. */
  | {
      readonly type: 'changed';
      readonly change: Partial<Pick<VisitState, 'drafts' | 'prefilled'>>;
    }
  | { readonly type: 'checking'; readonly screen: number }
  | { readonly type: 'sending'; readonly answers: Answers }
  | { readonly type: 'notice'; readonly sending: VisitState['sending'] }
  /** The page no longer waits for the answer to the posted lead. */
  | { readonly type: 'uncovered' }
  | { readonly type: 'ended'; readonly at: string };

export function initialState(flow: Flow): VisitState {
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
    unknownZips: 0,
    sending: 'sending',
    sent: false,
    resumed: false,
  };
}

export function pathTo(flow: Flow, state: VisitState, context: WalkContext): readonly string[] {
  return walk(flow, state.given, context, state.at).steps;
}

/** Returns the state of a resumed visit. */
export function resumedState(
  flow: Flow,
  stored: Pick<VisitState, 'given' | 'drafts' | 'at'>,
  context: WalkContext,
): VisitState {
  const start = initialState(flow);
  const { given, drafts } = stored;
  const { steps } = walk(flow, given, context, stored.at);
  // Resumes before the step that posts the lead, so that the visitor can post the lead again.
  const current = steps.findLast((name) => stepOf(flow, name).kind !== 'sending') ?? flow.start;
  return {
    ...start,
    given,
    drafts,
    at: current,
    resumed: current !== flow.start,
  };
}

/** Returns whether the visitor may leave the step. */
export function mayLeave(flow: Flow, { phase, at }: VisitState): boolean {
  return phase === 'asking' || (phase === 'checking' && stepOf(flow, at).submits !== true);
}

function show(
  state: VisitState,
  at: string,
  direction: 'forward' | 'back',
  change: Partial<VisitState> = {},
): VisitState {
  return {
    ...state,
    ...change,
    at,
    direction,
    screen: state.screen + 1,
    phase: 'asking',
    overlay: false,
    errors: {},
    sent: false,
    resumed: false,
  };
}

/** Returns the state after an action. */
export function reduce(
  flow: Flow,
  context: WalkContext,
  state: VisitState,
  action: VisitAction,
): VisitState {
  switch (action.type) {
    case 'answered': {
      if (action.screen !== state.screen || !mayLeave(flow, state)) return state;
      const given = { ...state.given, [state.at]: action.answers };
      const way = walk(flow, given, context).steps;
      const next = way[way.indexOf(state.at) + 1];
      if (next === undefined) return state;
      const { [state.at]: _, ...drafts } = state.drafts;
      return show(state, next, 'forward', { given, drafts });
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
      if (state.phase !== 'asking' && state.phase !== 'checking') return state;
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
        unknownZips: state.unknownZips + Number(action.errors.zip_code === 'unknown_zip'),
      };
    case 'doubted':
      if (action.screen !== state.screen || state.phase !== 'asking') return state;
      return { ...state, errors: { ...state.errors, ...action.errors } };
    case 'changed':
      return { ...state, ...action.change };
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

export function isShortText({ case_description }: Errors): boolean {
  return case_description === 'too_short' || case_description === 'too_few_words';
}

export type PageConsent = Pick<ConsentText, 'version' | 'language'> & {
  readonly html: string;
  /** Identifies the text. A form without JavaScript posts `digest` instead of the text. */
  readonly digest: string;
  /** The HTML of the lines about the calls. Empty if no law firm gets the lead. */
  readonly calls?: string;
  /** The HTML of the list of law firms that may call. Empty if the text names them itself. */
  readonly firms?: string;
  /** A note beside the text for browsers with the opt-out signal. */
  readonly note?: string;
};

/** A survey with all data that a visit needs. */
export type SurveyData = SurveyEntry & {
  readonly fields: FieldRules;
  readonly settings: PageSettings;
  readonly consent: PageConsent;
  /** The consent texts of single steps, by step name. */
  readonly stepConsents?: Readonly<Record<string, PageConsent>>;
  /** The day on which the server rendered the page. */
  readonly today: CalendarDate;
};

export function consentAt(
  { consent, stepConsents }: Pick<SurveyData, 'consent' | 'stepConsents'>,
  step: string,
): PageConsent {
  return stepConsents?.[step] ?? consent;
}

/** Returns the inputs of the flow's conditions, without the answers. */
export function walkContext(
  data: Pick<SurveyData, 'facts'> & { settings: Pick<PageSettings, 'dateOfBirthStates'> },
  today: CalendarDate,
  visit?: { readonly state?: string | undefined },
): WalkContext {
  return {
    today,
    survey: data.facts,
    settings: { dateOfBirthStates: data.settings.dateOfBirthStates },
    get state() {
      return visit?.state;
    },
  };
}
