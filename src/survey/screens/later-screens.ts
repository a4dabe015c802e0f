import type { KeyboardEvent } from 'react';
import { AccidentDateScreen } from './date-screens.tsx';
import { SendingOverlay, SendingScreen } from './end-screens.tsx';
import { ContactScreen, DescriptionScreen, FormScreen } from './form-screens.tsx';
import { rarePart } from './rare-part.tsx';
import type { LaterParts } from './screen-props.ts';

/** The screens after the first question, and the overlay of the last one. */
export const laterScreens: LaterParts = {
  SendingOverlay,
  EmailDoubt: rarePart('EmailDoubt'),
  StateChoice: rarePart('StateChoice'),
  screens: {
    'case-worth': FormScreen,
    'accident-date': AccidentDateScreen,
    form: FormScreen,
    description: DescriptionScreen,
    contact: ContactScreen,
    'date-of-birth': rarePart('DateOfBirthScreen'),
    result: rarePart('ResultScreen'),
    sending: SendingScreen,
  },
};

/** Moves the focus to the next field when the "next" key would submit the form and report every empty field. */
export function goToNextField(event: KeyboardEvent<HTMLFormElement>): void {
  const input = event.target as HTMLElement;
  if (event.key !== 'Enter' || input.enterKeyHint !== 'next') return;
  event.preventDefault();
  const fields = ([...event.currentTarget.elements] as HTMLElement[]).filter(
    (each) => each.tagName !== 'FIELDSET',
  );
  fields[fields.indexOf(input) + 1]?.focus();
}
