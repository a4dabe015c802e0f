/** The console's messages about numbers. Test leads are never counted. */

/** A period of whole days (`YYYY-MM-DD`, both inclusive) in the operators' time zone. */
export type Period = {
  readonly from: string;
  readonly to: string;
};

/** The numbers on the overview page. Each counts visits, in the hour in which the visit began. */
export const totalNames = [
  'visits', // the visitor saw at least one step
  'firstAnswers', // the visitor answered at least one question
  'completed', // the visitor pressed the last button
  'accepted', // the lead was accepted or released
  'held', // the lead is held now
  'qualified', // the lead is qualified
  'delivered', // at least one buyer accepted the lead
  'rejected', // at least one buyer rejected the lead, and no buyer accepted it
  'refusals', // the page refused at least one field
  'pageErrors', // at least one of the page's own scripts failed
] as const;
export type TotalName = (typeof totalNames)[number];
export type Totals = Readonly<Record<TotalName, number>>;

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
  /** Totals by day, or by hour if the period is one day. `at` is ISO 8601. */
  readonly series: readonly { readonly at: string; readonly totals: Totals }[];
  readonly seriesBefore: readonly { readonly at: string; readonly totals: Totals }[];
  /** Time of the last count (ISO 8601). */
  readonly countedUntil: string;
};

export type BreakdownAnswer = {
  readonly dimension: Dimension;
  readonly rows: readonly BreakdownRow[];
};

/** A problem that needs an operator. */
export type Attention = {
  readonly kind: 'delivery' | 'circuit' | 'unsold' | 'held' | 'disk' | 'database' | 'requests';
  readonly isUrgent: boolean;
  readonly text: string;
  readonly to: string;
};

/** The present problems, urgent problems first. */
export type NowAnswer = { readonly attention: readonly Attention[] };

/** Number of visits that went from one step to another. `to` is `submit` after the last button. */
export type FunnelEdge = {
  readonly from: string;
  readonly to: string;
  readonly visits: number;
};

export type FunnelStep = {
  readonly step: string;
  /** Numbers of visits that saw the step, ended at the step, and went back from the step. */
  readonly seen: number;
  readonly left: number;
  readonly wentBack: number;
  /** Median time on the step. Null for fewer than 5 visits. */
  readonly medianSeconds: number | null;
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

/** A variant of an experiment. All numbers count visits. */
export type ExperimentArm = {
  readonly variant: string;
  readonly weight: number;
  readonly visits: number;
  readonly accepted: number;
};

/** A variant with the confidence interval of its difference in accepted leads per visit. */
export type JudgedArm = ExperimentArm & {
  readonly difference: { readonly low: number; readonly high: number } | null;
  readonly verdict: 'base' | 'keep' | 'stop' | 'wait';
};

export type ExperimentAnswer = {
  readonly id: string;
  readonly arms: readonly JudgedArm[];
  /** Sample-ratio mismatch: visits deviate from the weights (χ² test, p < 0.001). */
  readonly isMismatch: boolean;
  readonly summary: string;
};
