import { extendSurvey } from './runner/extensions.ts';
import { PickScreen } from './screens/pick-screen.tsx';

extendSurvey({ screens: { pick: PickScreen } });
