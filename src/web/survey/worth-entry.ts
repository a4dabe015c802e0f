import { extendSurvey } from './runner/extensions.ts';
import { WorthInput } from './screens/worth-input.tsx';

extendSurvey({ inputs: { current_compensation: WorthInput } });
