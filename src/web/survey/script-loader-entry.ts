import { extendSurvey } from './runner/extensions.ts';
import { followScripts } from './scripts/follow-scripts.ts';

extendSurvey({ followScripts });
