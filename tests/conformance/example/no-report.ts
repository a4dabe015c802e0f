import { without } from '../../../src/model/flows/engine/flow.ts';
import { v4 } from '../../../src/model/flows/variants/v4.ts';

export const noReport = { ...without(v4, 'PoliceReportFiled'), id: 'no-report' };
