import { useLayoutEffect, useRef } from 'react';
import { SendingStatus, type SendingStatusProps } from './sending-status.tsx';

/**
 * Full-screen while the lead is on its way. A modal dialog, so that the browser itself makes all that
 * is behind it inert; it has no way out, because the page leaves by itself.
 */
export function SendingOverlay(status: SendingStatusProps) {
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
