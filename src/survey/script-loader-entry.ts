import { extendSurvey } from './runner/extensions.ts';
import { followScripts } from './runner/script-loader.ts';

extendSurvey({ followScripts });
