/** `npm run doctor`. Exit codes: 0 nothing is wrong, 1 something is wrong. */
import process from 'node:process';
import { examine } from './doctor.ts';
import { isSick, reportText } from './finding.ts';

const findings = await examine();
console.log(reportText(findings));
process.exitCode = isSick(findings) ? 1 : 0;
