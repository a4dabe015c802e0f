import { AccidentDateScreen, DateOfBirthScreen } from './date-screens.tsx';
import { ResultScreen, SendingOverlay, SendingScreen } from './end-screens.tsx';
import { ContactScreen, DescriptionScreen, FormScreen } from './form-screens.tsx';
import type { LaterParts } from './screen-props.ts';

/** The screens after the first question, and the overlay of the last one. */
export const laterScreens: LaterParts = {
  SendingOverlay,
  screens: {
    'case-worth': FormScreen,
    'accident-date': AccidentDateScreen,
    form: FormScreen,
    description: DescriptionScreen,
    'date-of-birth': DateOfBirthScreen,
    contact: ContactScreen,
    result: ResultScreen,
    sending: SendingScreen,
  },
};
