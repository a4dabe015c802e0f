import { visitHintKey } from '../queue/visit-hint.ts';

/**
 * What the page remembers before its script runs. `first`: name, value, time (ms) and place of the
 * tapped answer of the first screen. `swapped`: the next screen is already shown. `last`: the last button
 * tapped on that next screen, or that is no answer (a start button, a way back, what Enter presses). `sent`: the form
 * went without the script, which comes too late then. `on`: the listener, which the script takes off.
 */
export type EarlyTaps = {
  first?: readonly [name: string, value: string, at: number, x: number, y: number];
  swapped?: boolean;
  last?: HTMLButtonElement;
  sent?: 1;
  on: (event: Event) => void;
};

declare global {
  interface Window {
    surveyEarly?: EarlyTaps;
  }
}

/**
 * A tap that only the script could answer waits for it so long, then the form is sent without it: longer than
 * the script takes on a slow line. One that is blocked or broken is not waited for.
 */
const SCRIPT_WAIT_MS = 2500;

/**
 * Source of the page's inline script: no tap is lost before React is there. It answers the first
 * question at the speed of a plain page: the tapped answer is marked, and where all answers lead to
 * the same next step, that screen (rendered by the server into `<template id="survey-next">`) comes
 * at once. The script hydrates that very markup later. A second click of a double tap is nobody's
 * answer; a finger's is known by its time and place. A visit that will be taken up again (`visitHintKey`) only marks the tap.
 *
 * Where the script does not come, the last button is pressed again without this listener, and so sends its
 * form (docs/specification.md#without-javascript); the first answer goes with it as `first`.
 *
 * Plain, old JavaScript, at most 1150 bytes, no personal data.
 */
export const earlyTapsScript = `(()=>{var d=document,w=window,q=w.surveyEarly={},h,f,l,g=function(){var i=d.createElement("input"),b=l;l=0;if(!b||w.surveyEarly!=q)return;d.removeEventListener("click",q.on,!0);if(q.swapped){i.type="hidden";i.name="first";i.value=q.first[0]+"="+q.first[1];b.form.append(i)}q.sent=1;b.click()};w.addEventListener("error",function(e){if(e.target.type=="module"){f=1;g()}},!0);d.addEventListener("click",q.on=function(e){var b=e.target.closest("#survey button"),t=d.getElementById("survey-next");if(!b)return;b.type=="submit"&&e.preventDefault();if(e.detail>1||q.swapped&&300>Date.now()-q.first[2]&&30>Math.hypot(e.x-q.first[3],e.y-q.first[4]))return;l=b;if(q.swapped||!b.closest(".choices"))q.last=b;else{q.first&&d.querySelector("[aria-pressed]").removeAttribute("aria-pressed");q.first=[b.name,b.value,Date.now(),e.x,e.y];b.setAttribute("aria-pressed","true");try{h=localStorage["${visitHintKey}"+location.pathname.replace(/\\/+$/,"")]}catch(e){}if(t&&!h){l=0;q.swapped=!0;b.closest("#survey").replaceChildren(t.content.cloneNode(!0));d.getElementById("question").focus();w.scrollTo(0,0)}}f?g():setTimeout(g,${SCRIPT_WAIT_MS})},!0)})()`;
