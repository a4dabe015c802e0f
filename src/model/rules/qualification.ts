import { isNo, isYes } from '../fields/answers.ts';
import { DEFAULT_LAWYER_REASON } from '../fields/thresholds.ts';

/** The result of a rule. */
export type RuleResult = {
  readonly rule: string;
  readonly inputs: Readonly<Record<string, string | number | undefined>>;
  readonly result: string | boolean;
};

type Rejection = {
  readonly rejects: (value: string | undefined) => boolean;
  /** The reason of a rejection by this rule. */
  readonly reason: string;
};

/** The values that reject a lead, in order (docs/specification.md#qualification). */
const rejections = {
  with_Lawyer: { rejects: isYes, reason: DEFAULT_LAWYER_REASON },
  accident_limit_exceeded: {
    rejects: (value) => value?.trim() === '1',
    reason: 'date|accident_limit_exceeded',
  },
  is_gibberish: { rejects: isYes, reason: 'is_gibberish|yes' },
  enough_words: { rejects: isNo, reason: 'enough_words|no' },
  physical_injury: { rejects: isNo, reason: 'physical_injury|No' },
  at_Fault: { rejects: isYes, reason: 'at_Fault|yes' },
  doctor_treatment: { rejects: isNo, reason: 'doctor_treatment|no' },
} satisfies Readonly<Record<string, Rejection>>;

export type RejectingField = keyof typeof rejections;
const rejecting = Object.keys(rejections) as RejectingField[];

export type QualificationValues = Readonly<
  Partial<Record<RejectingField | 'lawyer_redirect_reason', string>>
>;

/** Returns the reason of the first rejection, or ''. */
export function dqReason(values: QualificationValues, only?: readonly RejectingField[]): string {
  const first = rejecting.find(
    (field) => (only?.includes(field) ?? true) && rejections[field].rejects(values[field]),
  );
  const own = first === 'with_Lawyer' && values.lawyer_redirect_reason;
  return own || (first ? rejections[first].reason : '');
}

/** Returns the result of every qualification rule. */
export function explainQualification(
  values: QualificationValues,
  only?: readonly RejectingField[],
): RuleResult[] {
  return rejecting.map((field) => {
    const isRejected = rejections[field].rejects(values[field]);
    const inputs: Record<string, string | undefined> = { [field]: values[field] };
    if (field === 'with_Lawyer' && isRejected) {
      inputs.lawyer_redirect_reason = values.lawyer_redirect_reason;
    }
    return {
      rule: `qualification.${field}`,
      inputs,
      result: !isRejected ? 'passes' : (only?.includes(field) ?? true) ? 'rejects' : 'cleared',
    };
  });
}

type FundingField = 'with_Lawyer' | 'interested_in_psf' | 'settled_case' | 'prior_funding';

/** Returns whether the visitor wants funding (docs/specification.md#funding-interest). */
export function fundingInterest(values: Readonly<Partial<Record<FundingField, string>>>): boolean {
  const { with_Lawyer, interested_in_psf, settled_case, prior_funding } = values;
  const isAnswered = [interested_in_psf, settled_case, prior_funding].every((value) =>
    value?.trim(),
  );
  const isOpen = !isNo(interested_in_psf) && !isYes(settled_case) && !isYes(prior_funding);
  return isYes(with_Lawyer) && isAnswered && isOpen;
}
