import { isNo, isYes } from '../fields/answers.ts';
import { DEFAULT_LAWYER_REASON } from '../fields/lawyer-reasons.ts';

/** An applied rule with its inputs and its result. */
export type RuleResult = {
  readonly rule: string;
  readonly inputs: Readonly<Record<string, string | number | undefined>>;
  readonly result: string | boolean;
};

/** The inputs of the qualification rule. A missing value rejects nothing. */
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

/** A field whose value can reject a lead. */
export type RejectingField = Exclude<keyof QualificationValues, 'lawyer_redirect_reason'>;

type Rejection = {
  readonly field: RejectingField;
  readonly rejects: (value: string | undefined) => boolean;
  /** The reason; with a lawyer, the visitor's own if there is one. */
  readonly reason: string;
};

/** In the order of docs/specification.md#qualification. */
const rejections: readonly Rejection[] = [
  { field: 'with_Lawyer', rejects: isYes, reason: DEFAULT_LAWYER_REASON },
  {
    field: 'accident_limit_exceeded',
    rejects: (value) => value?.trim() === '1',
    reason: 'date|accident_limit_exceeded',
  },
  { field: 'is_gibberish', rejects: isYes, reason: 'is_gibberish|yes' },
  { field: 'enough_words', rejects: isNo, reason: 'enough_words|no' },
  { field: 'physical_injury', rejects: isNo, reason: 'physical_injury|No' },
  { field: 'at_Fault', rejects: isYes, reason: 'at_Fault|yes' },
  { field: 'doctor_treatment', rejects: isNo, reason: 'doctor_treatment|no' },
];

/**
 * Returns the reason of the first rule that rejects, or '' for a qualified lead
 * (docs/specification.md#qualification).
 *
 * @param counted the only fields that may reject; undefined: all
 */
export function dqReason(values: QualificationValues, counted?: readonly RejectingField[]): string {
  const first = rejections.find(
    ({ field, rejects }) => (counted?.includes(field) ?? true) && rejects(values[field]),
  );
  const own = first?.field === 'with_Lawyer' ? values.lawyer_redirect_reason : undefined;
  return own || (first?.reason ?? '');
}

/**
 * Explains every qualification rule, in the specification's order. The result is 'rejects', 'passes' or
 * 'cleared' (it would reject, but does not count in this flow).
 */
export function explainQualification(
  values: QualificationValues,
  counted?: readonly RejectingField[],
): RuleResult[] {
  return rejections.map(({ field, rejects }) => {
    const isRejected = rejects(values[field]);
    const inputs: Record<string, string | undefined> = { [field]: values[field] };
    if (field === 'with_Lawyer' && isRejected) {
      inputs.lawyer_redirect_reason = values.lawyer_redirect_reason;
    }
    return {
      rule: `qualification.${field}`,
      inputs,
      result: !isRejected ? 'passes' : (counted?.includes(field) ?? true) ? 'rejects' : 'cleared',
    };
  });
}

/**
 * Returns whether a visitor with a lawyer is interested in funding, and has neither settled nor been
 * funded before (docs/specification.md#funding-interest). An unanswered question makes it false.
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
