/** Numbers of the console: totals, series, breakdowns, funnels and experiments. Test leads never count. */

/** A whole-day period in the operators' time zone, as the query keys `from` and `to`. */
export type Period = {
  /** `YYYY-MM-DD`, the first day. */
  readonly from: string;
  /** `YYYY-MM-DD`, the last day, inclusive. */
  readonly to: string;
};

/**
 * What is counted, by the hour in which the visit began. Each is a number of visits: a visit with a lead counts
 * once, whatever its number of revisions or deliveries.
 */
export const totalNames = [
  'visits', // at least one step was seen
  'firstAnswers', // answered at least one question
  'completed', // pressed the last button
  'accepted', // has a lead that was accepted (released ones too)
  'held', // has a lead that is held now
  'qualified', // the qualification rule accepts the lead
  'delivered', // at least one buyer took the lead
  'rejected', // no buyer took it, and at least one rejected it
  'refusals', // met at least one refused field
  'pageErrors', // met at least one error of the page's own scripts
] as const;
export type TotalName = (typeof totalNames)[number];
export type Totals = Readonly<Record<TotalName, number>>;

/** The dimensions by which numbers are broken down. One at a time, beside the survey. */
export const dimensions = [
  'survey',
  'source',
  'campaign',
  'sub',
  'affiliate',
  'state',
  'language',
  'device',
  'code',
  'variant',
] as const;
export type Dimension = (typeof dimensions)[number];

/** The dimensions that are also counted within each survey and for the steps of its flow. */
export const surveyDimensions = ['source', 'device', 'language', 'variant'] as const;

export type BreakdownRow = {
  readonly value: string;
  readonly totals: Totals;
  readonly before: Totals;
};

export type OverviewAnswer = {
  readonly period: Period;
  readonly before: Period;
  readonly totals: Totals;
  readonly totalsBefore: Totals;
  /** By day of the period, or by hour if the period is one day. `at` is ISO 8601. */
  readonly series: readonly { readonly at: string; readonly totals: Totals }[];
  readonly seriesBefore: readonly { readonly at: string; readonly totals: Totals }[];
  /** When the counts were brought up to date, ISO 8601. */
  readonly countedUntil: string;
  /** One or two sentences computed from the numbers. */
  readonly summary: readonly string[];
};

export type BreakdownAnswer = {
  readonly dimension: Dimension;
  readonly rows: readonly BreakdownRow[];
};

/** A matter that needs a person. */
export type Attention = {
  readonly kind:
    | 'delivery'
    | 'circuit'
    | 'unsold'
    | 'held'
    | 'funnel'
    | 'disk'
    | 'database'
    | 'requests';
  readonly isUrgent: boolean;
  readonly text: string;
  /** A path of the console with the list behind it. */
  readonly to: string;
};

/** What needs a person now, the urgent first; never from roll-ups. */
export type NowAnswer = { readonly attention: readonly Attention[] };

/** An edge of a funnel: visits that went from a step to another. `to` is `submit` for the last button. */
export type FunnelEdge = {
  readonly from: string;
  readonly to: string;
  readonly visits: number;
};

export type FunnelStep = {
  readonly step: string;
  /** Visits that saw the step, left the survey at it, and went back from it. */
  readonly seen: number;
  readonly left: number;
  readonly wentBack: number;
  /** Median seconds on the step; null below 5 samples. */
  readonly medianSeconds: number | null;
  /** Refused fields: field and number of visits. */
  readonly refused: readonly { readonly field: string; readonly visits: number }[];
};

export type FunnelAnswer = {
  readonly survey: string;
  readonly visits: number;
  readonly completed: number;
  readonly steps: readonly FunnelStep[];
  readonly edges: readonly FunnelEdge[];
  readonly countedUntil: string;
};

/** One variant of an experiment. Counts are visits. */
export type ExperimentArm = {
  readonly variant: string;
  readonly weight: number;
  readonly visits: number;
  readonly accepted: number;
  readonly refusals: number;
  readonly held: number;
  readonly pageErrors: number;
};

/** A variant with its difference to the first one in accepted leads per visit, as shares; null for the first. */
export type JudgedArm = ExperimentArm & {
  readonly difference: { readonly low: number; readonly high: number } | null;
  readonly verdict: 'base' | 'keep' | 'stop' | 'wait';
};

export type ExperimentAnswer = {
  readonly id: string;
  readonly arms: readonly JudgedArm[];
  /** Visitors were not assigned by the weights (χ² test, p < 0.001), so nothing can be concluded. */
  readonly isMismatch: boolean;
  readonly summary: string;
};
