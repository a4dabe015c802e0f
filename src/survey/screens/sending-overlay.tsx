import { useLayoutEffect, useRef } from 'react';
import type { RunnerState } from '../runner/runner-state.ts';
import type { SurveyTexts } from '../texts/texts.ts';

/** What is said while the lead is on its way. */
export function sendingWords({ controls }: SurveyTexts, sending: RunnerState['sending']): string {
  return {
    sending: controls.sending,
    saved: controls.sendingSaved,
    unsaved: controls.sendingUnsaved,
    trying: controls.sendingTrying,
    refused: controls.sendingRefused,
  }[sending];
}

/**
 * Full-screen while the lead is on its way. A modal dialog, so that the browser itself makes all that
 * is behind it inert; it has no way out, because the page leaves by itself.
 */
export function SendingOverlay({
  sending,
  texts,
}: {
  readonly sending: RunnerState['sending'];
  readonly texts: SurveyTexts;
}) {
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
        <span className="spinner" aria-hidden="true" />
        <p className="overlay-title" id="sending-title">
          {texts.controls.sendingTitle}
        </p>
        <p role="status" aria-live="polite" data-sending={sending}>
          {sendingWords(texts, sending)}
        </p>
      </div>
    </dialog>
  );
}
