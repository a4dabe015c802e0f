/** The part of a click that tells a second tap from a new one. */
export type Tap = Where & Pick<MouseEvent, 'detail'> & { readonly pointerType?: string };

type Where = Pick<MouseEvent, 'timeStamp' | 'clientX' | 'clientY'>;

/** A second tap at the same place within this time belongs to the first. */
const DOUBLE_TAP_MS = 300;
const SAME_PLACE_PX = 30;

/**
 * Recognises the second tap of a double tap, which lands on the next screen. A mouse counts its clicks itself; a
 * finger's taps are compared by time and place. A keyboard click (detail 0) is always a new one.
 */
export class TapGuard {
  #last: { readonly tap: Where; readonly screen: number };

  /** @param early the tap that answered the first screen before the script ran, or a tap long ago */
  constructor(early: Where) {
    this.#last = { tap: early, screen: -1 };
  }

  /** Returns whether a tap on `screen` is the echo of a tap on an earlier screen. Remembers it if not. */
  isEcho(tap: Tap, screen: number): boolean {
    const last = this.#last;
    const isEcho =
      last.screen !== screen &&
      tap.detail > 0 &&
      tap.timeStamp - last.tap.timeStamp < DOUBLE_TAP_MS &&
      Math.abs(tap.clientX - last.tap.clientX) < SAME_PLACE_PX &&
      Math.abs(tap.clientY - last.tap.clientY) < SAME_PLACE_PX &&
      (tap.detail > 1 || tap.pointerType !== 'mouse');
    if (!isEcho) this.#last = { tap, screen };
    return isEcho;
  }
}
