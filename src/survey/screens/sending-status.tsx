import type { ReactNode } from 'react';
import { CallButton } from './call-button.tsx';
import type { ScreenProps } from './screen-props.ts';

export type SendingStatusProps = Pick<ScreenProps, 'texts' | 'sending' | 'settings' | 'on'> & {
  /** What stands above the words. */
  readonly children?: ReactNode;
};

/**
 * How the lead on its way is doing. Where the survey goes on only after the post, it offers to try at
 * once, and to call when the server refuses it or is out of reach (docs/specification.md#redirect-only-on-success).
 */
export function SendingStatus({ texts, sending, settings, on, children }: SendingStatusProps) {
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
