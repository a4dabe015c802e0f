import type {
  ChangeEvent,
  ComponentType,
  FocusEvent,
  FormEvent,
  InputHTMLAttributes,
  KeyboardEvent,
  ReactNode,
} from 'react';
import type { Answers, AskedFieldName } from '../../../model/fields/answers.ts';
import type { CalendarDate } from '../../../model/fields/dates.ts';
import type { Choice, ScreenKind, Step } from '../../../model/flows/engine/flow.ts';
import type { WalkContext } from '../../../model/flows/engine/walk.ts';
import type { Toggles } from '../../../model/flows/surveys.ts';
import type { ThirdPartyScript } from '../../../model/messages/script-declarations.ts';
import type { Errors, PageConsent, SurveyData, VisitState } from '../../../model/visit/state.ts';
import type { StepTexts } from '../texts/shared.ts';
import type { SurveyTexts } from '../texts/texts.ts';

/** The `d` of each icon's path, by id (`iconId`). */
export type Icons = Readonly<Record<string, string>>;

/** The data of a survey page for its script, as JSON in `<script id="survey-data">`. */
export type SurveyPageData = SurveyData & {
  /** The third-party scripts that this survey may load. */
  readonly scripts: readonly ThirdPartyScript[];
  readonly texts: SurveyTexts;
  readonly icons: Icons;
  /** The estimator is on a path of the survey. */
  readonly asksWorth?: true;
};

export type ScreenEvents = {
  readonly choose: (choice: Choice) => void;
  /** Sets the answer of a toggle within a form, or clears it if `value` is its answer. */
  readonly toggle: (field: AskedFieldName, value: string) => void;
  readonly edit: (event: ChangeEvent<HTMLFormElement>) => void;
  readonly leave: (event: FocusEvent<HTMLFormElement>) => void;
  readonly submit: (event: FormEvent<HTMLFormElement>) => void;
  /** Retries the post at once. */
  readonly tryNow: () => void;
  readonly back: () => void;
  readonly startOver: () => void;
};

/** The props of a special input. `input`: the attributes that connect it to its label and error. */
export type OwnInputProps = {
  readonly screen: ScreenProps;
  readonly input: InputHTMLAttributes<HTMLInputElement>;
};

type Part = ComponentType<{ readonly screen: ScreenProps }>;
export type Screen = ComponentType<ScreenProps>;
/** The part of a screen that shows the status of the post. */
export type SendingProps = Pick<ScreenProps, 'texts' | 'sending' | 'settings' | 'on'>;

/** The parts of screens whose code only some surveys need, or that is loaded after the first question. */
export type ScreenParts = {
  readonly screens?: Partial<Record<ScreenKind, Screen>>;
  /** The inputs of special fields, inside the usual label and error. */
  readonly inputs?: Partial<Record<AskedFieldName, ComponentType<OwnInputProps>>>;
  readonly BuyersField?: Part;
  readonly EmailDoubt?: Part;
  readonly StateChoice?: Part;
  readonly SendingOverlay?: ComponentType<SendingProps>;
  readonly goToNextField?: (event: KeyboardEvent<HTMLFormElement>) => void;
  /** Returns what replaces a step for a visitor whose case is decided already. */
  readonly insteadOf?: (
    data: SurveyPageData,
    context: WalkContext,
    state: VisitState,
  ) => { readonly words: StepTexts; readonly Screen: Screen } | undefined;
  readonly consentOf?: (data: SurveyPageData, step: string, answers: Answers) => PageConsent;
  readonly submitLabel?: (screen: ScreenProps) => ReactNode;
};

/** The input of a screen, which is a pure function of it. */
export type ScreenProps = Pick<SurveyPageData, 'fields' | 'texts' | 'icons' | 'settings'> & {
  readonly name: string;
  readonly step: Step;
  readonly parts: ScreenParts;
  readonly toggles: Toggles;
  readonly consent: PageConsent;
  readonly today: CalendarDate;
  /** The answers of the steps before this one. */
  readonly answers: Answers;
  /** The answers and input of this step. */
  readonly values: Answers;
  /** The values of the landing address. */
  readonly prefilled: Answers | undefined;
  readonly errors: Errors;
  /** City and state of the zip code, or empty. */
  readonly place: string;
  /** A zip code without a place was refused twice. */
  readonly asksState: boolean;
  readonly busy: boolean;
  /** The status of the post, on the screens that show it. */
  readonly sending: VisitState['sending'];
  readonly on: ScreenEvents;
};

const nothing = () => undefined;

/** The events of a screen that is only drawn. */
export const noEvents: ScreenEvents = {
  choose: nothing,
  toggle: nothing,
  edit: nothing,
  leave: nothing,
  submit: nothing,
  tryNow: nothing,
  back: nothing,
  startOver: nothing,
};
