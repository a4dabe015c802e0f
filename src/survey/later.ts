/**
 * What a survey needs beyond its first question: forms, their checks, and the post of the lead. It is
 * fetched once the first question stands and the page is idle (entry.tsx), or with the page where that
 * begins with a form.
 */
export { FormSteps } from './runner/form-steps.ts';
export { laterParts } from './screens/later-screens.ts';
