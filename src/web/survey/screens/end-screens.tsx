import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { fill } from '../texts/fill.ts';
import type { ScreenProps } from './screen-props.ts';

type CallProps = {
  readonly texts: Pick<ScreenProps['texts'], 'controls'>;
  readonly settings: Pick<ScreenProps['settings'], 'phoneDisplay' | 'phoneHref'>;
};

export function CallButton({ texts, settings }: CallProps) {
  return (
    <a className="button" href={settings.phoneHref}>
      {fill(texts.controls.callNow, { phone: settings.phoneDisplay })}
    </a>
  );
}

type SendingProps = Pick<ScreenProps, 'texts' | 'sending' | 'settings' | 'on'> & {
  readonly children?: ReactNode;
};

/**
 * The status of a lead that is being posted. A survey that redirects on success offers an immediate retry. A refused
 * lead or an unreachable server brings the number to call (docs/specification.md#redirect-only-on-success).
 */
export function SendingStatus({ texts, sending, settings, on, children }: SendingProps) {
  return (
    <>
      {sending !== 'refused' && <span className="spinner" aria-hidden="true" />}
      {children}
      <p role="status" aria-live="polite" data-sending={sending}>
        {texts.controls.sendingStates[sending]}
      </p>
      {sending === 'trying' && (
        <button type="button" className="button" onClick={on.tryNow}>
          {texts.controls.tryNow}
        </button>
      )}
      {(sending === 'refused' || sending === 'offline') && (
        <CallButton texts={texts} settings={settings} />
      )}
    </>
  );
}

/**
 * Covers the page while the lead is being posted. The browser makes everything behind a modal dialog inert. The visitor
 * cannot close it, because the page leaves by itself.
 */
export function SendingOverlay(status: SendingProps) {
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

/** A flow's end step, until the thank-you page loads (docs/specification.md#end-steps). */
export function SendingScreen(status: SendingProps) {
  return (
    <div className="sending">
      <SendingStatus {...status} />
    </div>
  );
}
