import { extendSurvey } from './runner/extensions.ts';
import { findState } from './runner/find-state.ts';

extendSurvey({ findState });
