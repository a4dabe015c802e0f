import { BuyersField, consentOf, submitLabel } from '../screens/buyers-field.tsx';
import type { SurveyExtensions } from './extensions.ts';
import { createOneToOne } from './one-to-one.ts';

// The page's own script has made the object (entry.tsx); importing `extendSurvey` would add a file.
Object.assign(window.surveyExtensions as object, {
  createOneToOne,
  BuyersField,
  consentOf,
  submitLabel,
} satisfies SurveyExtensions);
