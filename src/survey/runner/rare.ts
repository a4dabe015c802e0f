/** What few visitors need, in one script: loaded by the code of the later steps when it is needed (later.ts). */
export { insteadOf } from '../screens/early-end.tsx';
export { EmailDoubt } from '../screens/email-doubt.tsx';
export { DateOfBirthScreen, ResultScreen } from '../screens/rare-screens.tsx';
export { prefill } from './prefill.ts';
