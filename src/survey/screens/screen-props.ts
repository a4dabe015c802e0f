import type { ChangeEvent, ComponentType, FocusEvent, FormEvent, InputHTMLAttributes } from 'react';
import type { PageSettings } from '../../contract/site-settings.ts';
import type { Answers, AskedFieldName } from '../../domain/answers.ts';
import type { FieldRules } from '../../domain/asked-fields.ts';
import type { CalendarDate } from '../../domain/dates.ts';
import type { Choice, ScreenKind, Step } from '../../flows/engine/flow.ts';
import type { Toggles } from '../../flows/surveys.ts';
import type { PageConsent } from '../../journey/data.ts';
import type { Errors, JourneyState } from '../../journey/state.ts';
import type { SurveyTexts } from '../texts/texts.ts';
import type { goToNextField } from './next-field.ts';
import type { Icons } from './page-data.ts';

/** What a visitor can do on a screen. */
export type ScreenEvents = {
  /** One of a choice step's answers was tapped. */
  readonly choose: (choice: Choice) => void;
  /** A yes-or-no beside other questions was switched; undefined takes the answer back. */
  readonly toggle: (field: AskedFieldName, value: string) => void;
  /** An input, select or textarea of the form changed. */
  readonly edit: (event: ChangeEvent<HTMLFormElement>) => void;
  /** An input of the form was left. */
  readonly leave: (event: FocusEvent<HTMLFormElement>) => void;
  /** The form's way on was pressed. */
  readonly submit: (event: FormEvent<HTMLFormElement>) => void;
  /** Sends the lead that is on its way at once. */
  readonly tryNow: () => void;
  readonly back: () => void;
  readonly startOver: () => void;
};

/** What an input of its own kind is given: the screen, and what connects it to its label and error. */
export type OwnInputProps = {
  readonly screen: ScreenProps;
  readonly input: InputHTMLAttributes<HTMLInputElement>;
};

/** What every survey has but the first question does without: it comes to the page after it (later.ts). */
export type LaterParts = {
  /** Every kind of screen but those that choose an answer. */
  readonly screens?: Partial<Record<ScreenKind, ComponentType<ScreenProps>>>;
  readonly SendingOverlay?: ComponentType<
    Pick<ScreenProps, 'sending' | 'texts' | 'settings' | 'on'>
  >;
};

/** Parts of screens that not every page has the code of, or not at once. */
export type ScreenParts = LaterParts & {
  /** Inputs in place of a plain one, inside its label and error. */
  readonly inputs?: Partial<Record<AskedFieldName, ComponentType<OwnInputProps>>>;
  /** The field of the buyers' choice: one-to-one surveys. */
  readonly BuyersField?: ComponentType<{ readonly screen: ScreenProps }>;
  /** What the enter key does in a form. */
  goToNextField?: typeof goToNextField;
};

/** What a screen shows: pure functions of these. */
export type ScreenProps = {
  /** The step's name. */
  readonly name: string;
  readonly step: Step;
  /** What not every page has the code of. */
  readonly parts: ScreenParts;
  /** The rules of the flow's fields. */
  readonly fields: FieldRules;
  readonly texts: SurveyTexts;
  /** The icons of answers. */
  readonly icons: Icons;
  readonly settings: PageSettings;
  readonly toggles: Toggles;
  readonly consent: PageConsent;
  readonly today: CalendarDate;
  /** The answers of the steps before this one. */
  readonly answers: Answers;
  /** What was answered or typed here before. */
  readonly values: Answers;
  /** What the landing address brought for its fields. */
  readonly prefilled: Answers | undefined;
  readonly errors: Errors;
  /** City and state of the zip code, or empty. */
  readonly place: string;
  /** The last button is pressed and a look-up is awaited. */
  readonly busy: boolean;
  /** How the lead is doing, on a screen that shows while it is on its way. */
  readonly sending: JourneyState['sending'];
  readonly on: ScreenEvents;
};
