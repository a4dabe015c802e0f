import { extendSurvey } from './runner/extensions.ts';
import { showCodeDialog } from './runner/show-code-dialog.tsx';

extendSurvey({ verifyPhone: showCodeDialog });
