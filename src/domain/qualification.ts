import { isNo, isYes } from './answers.ts';

/** One rule that was applied, with what it looked at and what came out: "every decision explained". */
export type RuleResult = {
  readonly rule: string;
  readonly inputs: Readonly<Record<string, string | number | undefined>>;
  readonly result: string | boolean;
};

/** The values that the qualification rule looks at; what is absent rejects nothing. */
export type QualificationValues = Readonly<
  Partial<
    Record<
      | 'with_Lawyer'
      | 'lawyer_redirect_reason'
      | 'accident_limit_exceeded'
      | 'is_gibberish'
      | 'enough_words'
      | 'physical_injury'
      | 'at_Fault'
      | 'doctor_treatment',
      string
    >
  >
>;

/**
 * The reason of a lawyer answer of yes that gives none of its own
 * (docs/specification.md#lawyer-reason).
 */
export const DEFAULT_LAWYER_REASON = 'have_attorney|yes';

/** The values of `lawyer_redirect_reason` (docs/specification.md#lawyer-reason). */
export const lawyerReasons: readonly string[] = [
  DEFAULT_LAWYER_REASON,
  'have_attorney|yes_but_I_want_a_new_lawyer',
];

type Rejection = {
  readonly field: keyof QualificationValues;
  readonly rejects: (value: string | undefined) => boolean;
  readonly reason: (values: QualificationValues) => string;
};

function fixed(reason: string): () => string {
  return () => reason;
}

/** In the order of docs/specification.md#qualification. */
const rejections: readonly Rejection[] = [
  {
    field: 'with_Lawyer',
    rejects: isYes,
    reason: (values) => values.lawyer_redirect_reason || DEFAULT_LAWYER_REASON,
  },
  {
    field: 'accident_limit_exceeded',
    rejects: (value) => value?.trim() === '1',
    reason: fixed('date|accident_limit_exceeded'),
  },
  { field: 'is_gibberish', rejects: isYes, reason: fixed('is_gibberish|yes') },
  { field: 'enough_words', rejects: isNo, reason: fixed('enough_words|no') },
  { field: 'physical_injury', rejects: isNo, reason: fixed('physical_injury|No') },
  { field: 'at_Fault', rejects: isYes, reason: fixed('at_Fault|yes') },
  { field: 'doctor_treatment', rejects: isNo, reason: fixed('doctor_treatment|no') },
];

/** Decided with the last step, hence never cleared by an earlier one. */
const lastDecided: keyof QualificationValues = 'accident_limit_exceeded';

/**
 * The qualification rule (docs/specification.md#qualification): the reason of the first rule that
 * rejects, '' when none does and the lead is qualified.
 *
 * @param isCleared the flow has cleared what was decided before its last step
 *   (docs/specification.md#cleared-disqualification)
 */
export function dqReason(values: QualificationValues, isCleared = false): string {
  const counts = isCleared ? rejections.filter(({ field }) => field === lastDecided) : rejections;
  return counts.find(({ field, rejects }) => rejects(values[field]))?.reason(values) ?? '';
}

/**
 * The qualification rule explained: every rule in the specification's order, with result 'rejects',
 * 'passes' or 'cleared' (it rejected, and the flow has cleared that), so that later reasons are seen.
 */
export function explainQualification(values: QualificationValues, isCleared = false): RuleResult[] {
  return rejections.map(({ field, rejects }) => {
    const isRejected = rejects(values[field]);
    const inputs: Record<string, string | undefined> = { [field]: values[field] };
    if (field === 'with_Lawyer' && isRejected) {
      inputs.lawyer_redirect_reason = values.lawyer_redirect_reason;
    }
    return {
      rule: `qualification.${field}`,
      inputs,
      result: !isRejected ? 'passes' : isCleared && field !== lastDecided ? 'cleared' : 'rejects',
    };
  });
}

/**
 * The funding-interest rule (docs/specification.md#funding-interest): has a lawyer; interest is set and
 * not no; settlement and earlier funding are set and not yes.
 */
export function fundingInterest(
  values: Readonly<
    Partial<Record<'with_Lawyer' | 'interested_in_psf' | 'settled_case' | 'prior_funding', string>>
  >,
): boolean {
  const { with_Lawyer, interested_in_psf, settled_case, prior_funding } = values;
  return (
    isYes(with_Lawyer) &&
    !!interested_in_psf?.trim() &&
    !isNo(interested_in_psf) &&
    !!settled_case?.trim() &&
    !isYes(settled_case) &&
    !!prior_funding?.trim() &&
    !isYes(prior_funding)
  );
}
