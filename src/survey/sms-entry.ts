import { extendSurvey } from './runner/extensions.ts';
import { showCodeDialog } from './screens/show-code-dialog.tsx';

extendSurvey({ verifyPhone: showCodeDialog });
