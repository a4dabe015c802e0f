import { type ComponentType, type KeyboardEvent, useEffect, useState } from 'react';
import { SendingOverlay, SendingScreen } from './end-screens.tsx';
import { ContactScreen, DescriptionScreen, FormScreen } from './form-screens.tsx';
import type { ScreenParts } from './screen-props.ts';

export const rare = () => import('./rare.tsx');

type Rare = Awaited<ReturnType<typeof rare>>;

/**
 * Returns a part of a screen that few visitors see: loaded when it is first shown, nothing until then. React's own
 * `lazy` would cost every visitor 160 bytes.
 */
function rarePart<
  Name extends keyof Pick<
    Rare,
    'EmailDoubt' | 'StateChoice' | 'DateOfBirthScreen' | 'ResultScreen'
  >,
>(name: Name): Rare[Name] {
  return function RarePart(props: Parameters<Rare[Name]>[0]) {
    const [parts, setParts] = useState<Rare>();
    useEffect(() => {
      // The browser remembers a failure until the page is loaded again, with its visit.
      rare().then(setParts, () => location.reload());
    }, []);
    const Part = parts?.[name] as ComponentType<typeof props> | undefined;
    return Part && <Part {...props} />;
  } as Rare[Name];
}

/** The screens after the first question, and the overlay of the last one. */
export const laterScreens: ScreenParts = {
  SendingOverlay,
  EmailDoubt: rarePart('EmailDoubt'),
  StateChoice: rarePart('StateChoice'),
  screens: {
    'case-worth': FormScreen,
    'accident-date': FormScreen,
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
