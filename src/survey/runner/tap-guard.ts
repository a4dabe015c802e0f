/** What of a click tells a second tap from a new one. */
export type Tap = Where & Pick<MouseEvent, 'detail'> & { readonly pointerType?: string };

type Where = Pick<MouseEvent, 'timeStamp' | 'clientX' | 'clientY'>;

/** A second tap at the same place within this time belongs to the first. */
const DOUBLE_TAP_MS = 300;
const SAME_PLACE_PX = 30;

/**
 * Tells the second tap of a double tap that lands on the next screen because the first one brought
 * it. Keyboard clicks (detail 0) never count as one; a mouse counts its clicks itself, a finger only
 * has time and place.
 */
export class TapGuard {
  #last: { readonly tap: Where; readonly screen: number };

  /** @param early the tap that answered the first screen before the script was there, or one long ago */
  constructor(early: Where) {
    this.#last = { tap: early, screen: -1 };
  }

  /** Whether a tap on `screen` is the echo of one on an earlier screen. Remembers the tap if not. */
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
