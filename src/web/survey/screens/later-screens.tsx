import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { CallButton } from './field.tsx';
import { ContactScreen, FormScreen } from './form-screens.tsx';
import type { Screen, ScreenParts, ScreenProps, SendingProps } from './screen-props.ts';

/** The status of a lead that is being posted (docs/specification.md#redirect-only-on-success). */
function SendingStatus(props: SendingProps & { readonly children?: ReactNode }) {
  const { texts, sending, settings, children } = props;
  return (
    <>
      {sending !== 'refused' && <span className="spinner" aria-hidden="true" />}
      {children}
      <p role="status" aria-live="polite" data-sending={sending}>
        {texts.controls.sendingStates[sending]}
      </p>
      {/refused|offline|trying/.test(sending) && <CallButton texts={texts} settings={settings} />}
    </>
  );
}

/** A modal dialog that the visitor cannot close. It covers the page while the lead is posted. */
function SendingOverlay(status: SendingProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="overlay"
      closedby="none"
      aria-labelledby="sending-title"
      onCancel={(event) => event.preventDefault()}
    >
      <div className="overlay-box">
        <SendingStatus {...status}>
          <p className="overlay-title" id="sending-title">
            {status.texts.controls.sendingTitle}
          </p>
        </SendingStatus>
      </div>
    </dialog>
  );
}

/** The screen of a flow's end step (docs/specification.md#end-steps). */
export function SendingScreen(status: SendingProps) {
  return (
    <div className="sending">
      <SendingStatus {...status} />
    </div>
  );
}

export const rare = () => import('./rare.tsx');

type Rare = Awaited<ReturnType<typeof rare>>;

type RareName = 'EmailDoubt' | 'StateChoice' | 'DateOfBirthScreen' | 'ResultScreen';

/** Returns a component that loads `rare.tsx`. React's `lazy` would need 160 bytes more. */
function rarePart(name: RareName): Screen {
  return function RarePart(screen) {
    const [parts, setParts] = useState<Rare>();
    useEffect(() => {
      // Browsers do not request a file again after a failed import, so the page is reloaded.
      rare().then(setParts, () => location.reload());
    }, []);
    const Part = parts?.[name];
    return Part && <Part {...screen} />;
  };
}

let guidance: typeof import('./guidance.tsx') | undefined;

/**
 * Loads the guidance once the accident's date is known. The guidance appears only together with
 * a new screen, because it would move the elements of a screen that the visitor already sees.
 */
function LaterGuidance(screen: ScreenProps) {
  const { screen: shown, answers } = screen;
  useEffect(() => {
    if (guidance || !(answers.injury_year || answers.accident_date_button)) return;
    // Not at once, because the visitor's tap is still being handled.
    setTimeout(() => {
      import('./guidance.tsx').then(
        (part) => {
          guidance = part;
        },
        () => undefined,
      );
    }, 100);
  }, [answers]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: changes only with the screen
  return useMemo(() => guidance && <guidance.Guidance {...screen} />, [shown]);
}

/** Makes the keyboard's "next" key focus the next field instead of submitting the form. */
function goToNextField(event: KeyboardEvent<HTMLFormElement>): void {
  const input = event.target as HTMLElement;
  if (event.key !== 'Enter' || input.enterKeyHint !== 'next') return;
  event.preventDefault();
  const fields = ([...event.currentTarget.elements] as HTMLElement[]).filter(
    (each) => each.tagName !== 'FIELDSET',
  );
  fields[fields.indexOf(input) + 1]?.focus();
}

/** The screens after the first question, and the overlay that covers the last step. */
export const laterScreens: ScreenParts = {
  SendingOverlay,
  goToNextField,
  EmailDoubt: rarePart('EmailDoubt'),
  StateChoice: rarePart('StateChoice'),
  Guidance: LaterGuidance,
  screens: {
    'case-worth': FormScreen,
    'accident-date': FormScreen,
    form: FormScreen,
    description: FormScreen,
    contact: ContactScreen,
    'date-of-birth': rarePart('DateOfBirthScreen'),
    result: rarePart('ResultScreen'),
    sending: SendingScreen,
  },
};
