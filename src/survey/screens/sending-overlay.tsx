import { useLayoutEffect, useRef } from 'react';
import type { RunnerState } from '../runner/runner-state.ts';
import type { SurveyTexts } from '../texts/texts.ts';

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
  const { controls } = texts;
  const words = {
    sending: controls.sending,
    saved: controls.sendingSaved,
    unsaved: controls.sendingUnsaved,
  }[sending];
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
          {controls.sendingTitle}
        </p>
        <p role="status" aria-live="polite" data-sending={sending}>
          {words}
        </p>
      </div>
    </dialog>
  );
}
