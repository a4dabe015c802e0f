import { BuyersField } from '../screens/buyers-field.tsx';
import { extendSurvey } from './extensions.ts';
import { OneToOne } from './one-to-one.ts';

extendSurvey({ OneToOne, BuyersField });
