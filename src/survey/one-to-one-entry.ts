import { extendSurvey } from './runner/extensions.ts';
import { OneToOne } from './runner/one-to-one.ts';
import { BuyersField } from './screens/buyers-field.tsx';

extendSurvey({ OneToOne, BuyersField });
