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
import type { Choice, ScreenKind, Step } from '../../../model/flows/engine/flow.ts';
import type { WalkContext } from '../../../model/flows/engine/walk.ts';
import type { ThirdPartyScript } from '../../../model/messages/script-declarations.ts';
import type { PageConsent, SurveyData, VisitState } from '../../../model/visit/state.ts';
import type { StepTexts } from '../texts/shared.ts';
import type { SurveyTexts } from '../texts/texts.ts';

/** SVG path data (`d`) of icons by id (`iconId`). */
export type Icons = Readonly<Record<string, string>>;

/** The data that a survey page gives its script, as JSON in `<script id="survey-data">`. */
export type SurveyPageData = SurveyData & {
  readonly scripts: readonly ThirdPartyScript[];
  readonly texts: SurveyTexts;
  readonly icons: Icons;
  readonly asksWorth?: true;
};

export type ScreenEvents = {
  readonly choose: (choice: Choice) => void;
  /** Toggles an answer of a field. A second press clears the answer. */
  readonly toggle: (field: AskedFieldName, value: string) => void;
  readonly edit: (event: ChangeEvent<HTMLFormElement>) => void;
  readonly leave: (event: FocusEvent<HTMLFormElement>) => void;
  readonly submit: (event: FormEvent<HTMLFormElement>) => void;
  readonly back: () => void;
  readonly startOver: () => void;
};

/** Props of a component that replaces a field's input. `input` has its label and error. */
export type OwnInputProps = {
  readonly screen: ScreenProps;
  readonly input: InputHTMLAttributes<HTMLInputElement>;
};

export type Screen = ComponentType<ScreenProps>;
/** Props of the components that show whether the lead has been sent. */
export type SendingProps = Pick<ScreenProps, 'texts' | 'sending' | 'settings'>;

/** Components that only some surveys need, or that load after the first question. */
export type ScreenParts = {
  readonly screens?: Partial<Record<ScreenKind, Screen>>;
  readonly inputs?: Partial<Record<AskedFieldName, ComponentType<OwnInputProps>>>;
  readonly BuyersField?: Screen;
  readonly DescriptionField?: Screen;
  readonly EmailDoubt?: Screen;
  readonly StateChoice?: Screen;
  /** Shows the guidance below the card. */
  readonly Guidance?: Screen;
  readonly SendingOverlay?: ComponentType<SendingProps>;
  readonly goToNextField?: (event: KeyboardEvent<HTMLFormElement>) => void;
  readonly insteadOf?: (
    data: SurveyPageData,
    context: WalkContext,
    state: VisitState,
  ) => { readonly words: StepTexts; readonly Screen?: Screen | undefined } | undefined;
  readonly consentOf?: (data: SurveyPageData, step: string, answers: Answers) => PageConsent;
  readonly submitLabel?: (screen: ScreenProps) => ReactNode;
};

/** Props of a screen: the page's data, the visit's state, and values derived from both. */
export type ScreenProps = SurveyPageData &
  VisitState & {
    readonly step: Step;
    readonly parts: ScreenParts;
    readonly answers: Answers;
    /** The visitor's US state before a zip code is known. */
    readonly visitState: string | undefined;
    readonly values: Answers;
    readonly on: ScreenEvents;
  };
