import { AccidentDateScreen, DateOfBirthScreen } from './date-screens.tsx';
import { DescriptionScreen } from './description-screen.tsx';
import { ResultScreen, SendingScreen } from './end-screens.tsx';
import { ContactScreen, FormScreen } from './form-screens.tsx';
import type { LaterParts } from './screen-props.ts';
import { SendingOverlay } from './sending-overlay.tsx';

/** The screens beyond the first question, and what lies over the last one. */
export const laterScreens: Required<LaterParts> = {
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
