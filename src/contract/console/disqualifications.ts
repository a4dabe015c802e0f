/** Why a lead is not qualified, in words. The keys are the reasons of docs/specification.md#qualification. */
import { lawyerReasons } from '../../domain/qualification.ts';

type Words = {
  /** For a sentence. */
  readonly clause: string;
  /** For a row of a list. */
  readonly short: string;
};

/** The words of each reason; one that is not here is text from the visitor. */
export const disqualifications: Readonly<Record<string, Words>> = {
  [lawyerReasons[0] ?? '']: { clause: 'the visitor has a lawyer', short: 'has a lawyer' },
  [lawyerReasons[1] ?? '']: {
    clause: 'the visitor has a lawyer and wants a new one',
    short: 'wants new lawyer',
  },
  'date|accident_limit_exceeded': {
    clause: 'the accident is older than the law of the state allows',
    short: 'too long ago',
  },
  'is_gibberish|yes': { clause: 'the description is gibberish', short: 'gibberish' },
  'enough_words|no': { clause: 'the description is too short', short: 'too few words' },
  'physical_injury|No': { clause: 'the visitor was not hurt', short: 'not hurt' },
  'at_Fault|yes': { clause: 'the visitor was at fault', short: 'at fault' },
  'doctor_treatment|no': { clause: 'the visitor has not seen a doctor', short: 'saw no doctor' },
};
