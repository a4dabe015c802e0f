import { visitHintKey } from './visit-hint.ts';

/**
 * What the page remembers before its script runs. `first`: name, value and time (ms) of the tapped
 * answer of the first screen. `swapped`: the next screen is already shown. `last`: the last button
 * tapped on that next screen, or on a first screen without answer buttons. `on`: the listener, which the script takes off.
 */
export type EarlyTaps = {
  first?: readonly [name: string, value: string, at: number];
  swapped?: boolean;
  last?: HTMLButtonElement;
  on: (event: Event) => void;
};

declare global {
  interface Window {
    surveyEarly?: EarlyTaps;
  }
}

/**
 * Source of the page's inline script: no tap is lost before React is there. It answers the first
 * question at the speed of a plain page: the tapped answer is marked, and where all answers lead to
 * the same next step, that screen (rendered by the server into `<template id="survey-next">`) comes
 * at once. The script hydrates that very markup later. A second click of a double tap is nobody's
 * answer; a finger's is known by its time only. A visit that will be taken up again (`visitHintKey`) only marks the tap.
 *
 * Plain, old JavaScript, at most 700 bytes, no personal data.
 */
export const earlyTapsScript = `(()=>{var d=document,w=window,q=w.surveyEarly={},h;try{h=localStorage["${visitHintKey}"+location.pathname.replace(/\\/+$/,"")]}catch(e){}d.addEventListener("click",q.on=function(e){var b=e.target.closest("#survey button"),t=d.getElementById("survey-next");if(!b)return;b.type=="submit"&&e.preventDefault();if(e.detail>1||q.swapped&&300>Date.now()-q.first[2])return;if(q.swapped||b.closest(".form"))q.last=b;else{q.first&&d.querySelector("[aria-pressed]").removeAttribute("aria-pressed");q.first=[b.name,b.value,Date.now()];b.setAttribute("aria-pressed","true");if(t&&!h){q.swapped=!0;b.closest("#survey").replaceChildren(t.content.cloneNode(!0));d.getElementById("question").focus();w.scrollTo(0,0)}}},!0)})()`;
