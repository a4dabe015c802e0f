import { visitHintKey } from '../queue/outbox.ts';

/** The taps that the inline script recorded before the page's script ran. */
export type EarlyTaps = {
  /** The tapped answer of the first screen. `at` is in ms since 1970. */
  first?: readonly [name: string, value: string, at: number, x: number, y: number];
  swapped?: boolean;
  last?: HTMLButtonElement;
  /** Set if the inline script has sent the form. The page's script must then do nothing. */
  sent?: 1;
  on: (event: Event) => void;
};

declare global {
  interface Window {
    surveyEarly?: EarlyTaps;
  }
}

/** Longest wait for the page's script after a tap, before the inline script sends the form. */
const SCRIPT_WAIT_MS = 2500;

/**
 * Source of the page's inline script, which records taps until React runs. It is plain JavaScript
 * for old browsers and has at most 1150 bytes. If the page's script does not load, it sends the
 * form (docs/specification.md#without-javascript).
 */
export const earlyTapsScript = `(()=>{var d=document,w=window,q=w.surveyEarly={},h,f,l,g=function(){var i=d.createElement("input"),b=l;l=0;if(!b||w.surveyEarly!=q)return;d.removeEventListener("click",q.on,!0);if(q.swapped){i.type="hidden";i.name="first";i.value=q.first[0]+"="+q.first[1];b.form.append(i)}q.sent=1;b.click()};w.addEventListener("error",function(e){if(e.target.type=="module"){f=1;g()}},!0);d.addEventListener("click",q.on=function(e){var b=e.target.closest("#survey button"),t=d.getElementById("survey-next");if(!b)return;b.type=="submit"&&e.preventDefault();if(e.detail>1||q.swapped&&300>Date.now()-q.first[2]&&30>Math.hypot(e.x-q.first[3],e.y-q.first[4]))return;l=b;if(q.swapped||!b.closest(".choices"))q.last=b;else{q.first&&d.querySelector("[aria-pressed]").removeAttribute("aria-pressed");q.first=[b.name,b.value,Date.now(),e.x,e.y];b.setAttribute("aria-pressed","true");try{h=localStorage["${visitHintKey}"+location.pathname.replace(/\\/+$/,"")]}catch(e){}if(t&&!h){l=0;q.swapped=!0;b.closest("#survey").replaceChildren(t.content.cloneNode(!0));d.getElementById("question").focus();w.scrollTo(0,0)}}f?g():setTimeout(g,${SCRIPT_WAIT_MS})},!0)})()`;

type Where = Pick<MouseEvent, 'timeStamp' | 'clientX' | 'clientY'>;

/** The properties of a click by which `tapGuard` recognises a second tap. */
type Tap = Where & Pick<MouseEvent, 'detail'> & { readonly pointerType?: string };

/** A second tap within this time and near the same position is a double tap. */
const DOUBLE_TAP_MS = 300;
const SAME_PLACE_PX = 30;

/**
 * Returns a function that recognises the second tap of a double tap, which would hit the next
 * screen. `early` is the tap before the script ran, if any.
 */
export function tapGuard(early: Where): (tap: Tap, screen: number) => boolean {
  let last = { tap: early, screen: -1 };
  return (tap, screen) => {
    const isEcho =
      last.screen !== screen &&
      tap.detail > 0 &&
      tap.timeStamp - last.tap.timeStamp < DOUBLE_TAP_MS &&
      Math.abs(tap.clientX - last.tap.clientX) < SAME_PLACE_PX &&
      Math.abs(tap.clientY - last.tap.clientY) < SAME_PLACE_PX &&
      (tap.detail > 1 || tap.pointerType !== 'mouse');
    if (!isEcho) last = { tap, screen };
    return isEcho;
  };
}
