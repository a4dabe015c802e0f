/** What few visitors need, in one script: loaded by the code of the later steps when it is needed (later.ts). */
export { insteadOf } from './early-end.tsx';
export { EmailDoubt } from './email-doubt.tsx';
export { prefill } from './prefill.ts';
export { DateOfBirthScreen, ResultScreen } from './rare-screens.tsx';
export { StateChoice } from './state-choice.tsx';
