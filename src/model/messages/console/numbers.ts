import type { DeviceClass, SpeedMetric } from '../page-speed.ts';

/** A period of whole days (`YYYY-MM-DD`), which includes both days. */
export type Period = {
  readonly from: string;
  readonly to: string;
};

/** The names of the totals on the overview page. */
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

/** The names of the totals in US dollars, with cents. */
export const moneyNames = [
  'revenue', // what leads brought, net of returns
  'cost', // what visits cost, payouts included
  'margin', // revenue less cost
  'returned', // the returns that revenue is net of
] as const;
export type MoneyName = (typeof moneyNames)[number];
export type Money = Readonly<Record<MoneyName, number>>;
export type Totals = Readonly<Record<TotalName, number>> & Money;

/** Returns whether there is any money in some totals. */
export function hasMoney({ revenue, cost, returned }: Money): boolean {
  return revenue !== 0 || cost !== 0 || returned !== 0;
}

/** The dimensions by which leads can be listed, too. */
export const leadDimensions = [
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
/** A visit belongs to the buyers that took or refused its lead. */
export const dimensions = [...leadDimensions, 'buyer'] as const;
export type Dimension = (typeof dimensions)[number];

export const surveyDimensions = ['source', 'device', 'language', 'variant'] as const;

export type BreakdownRow = {
  readonly value: string;
  /** A buyer's name. */
  readonly label?: string;
  readonly totals: Totals;
  readonly before: Totals;
};

export type OverviewAnswer = {
  readonly period: Period;
  readonly before: Period;
  readonly totals: Totals;
  readonly totalsBefore: Totals;
  /** The totals by day or by hour. */
  readonly series: readonly { readonly at: string; readonly totals: Totals }[];
  readonly seriesBefore: readonly { readonly at: string; readonly totals: Totals }[];
  readonly countedUntil: string;
};

export type BreakdownAnswer = {
  readonly dimension: Dimension;
  readonly rows: readonly BreakdownRow[];
};

/** A problem that needs an operator. */
export type Attention = {
  readonly isUrgent: boolean;
  readonly text: string;
  readonly to: string;
};

/** The present problems, the most urgent first. */
export type NowAnswer = { readonly attention: readonly Attention[] };

/** The number of visits that went from one step to another. */
export type FunnelEdge = {
  readonly from: string;
  readonly to: string;
  readonly visits: number;
};

export type FunnelStep = {
  readonly step: string;
  readonly seen: number;
  readonly left: number;
  readonly wentBack: number;
  readonly medianSeconds: number | null;
  readonly refused: readonly { readonly field: string; readonly visits: number }[];
};

export type FunnelAnswer = {
  readonly survey: string;
  readonly visits: number;
  readonly completed: number;
  readonly money: Money;
  readonly steps: readonly FunnelStep[];
  readonly edges: readonly FunnelEdge[];
  readonly countedUntil: string;
};

/** The speed of a page that three of four views reach (75th percentile). Null: not measured. */
export type SpeedRow = Readonly<Record<SpeedMetric, number | null>> & {
  readonly page: string;
  /** The survey's step. Empty: the page is not a survey. */
  readonly step: string;
  readonly device: DeviceClass;
  readonly views: number;
};

/** The numbers of visits for a variant of an experiment. */
export type ExperimentArm = {
  readonly variant: string;
  readonly weight: number;
  readonly visits: number;
  readonly accepted: number;
  readonly money: Money;
};

/** A variant, with a comparison to the unchanged survey. */
export type JudgedArm = ExperimentArm & {
  readonly difference: { readonly low: number; readonly high: number } | null;
  readonly verdict: 'base' | 'keep' | 'stop' | 'wait';
};

export type ExperimentAnswer = {
  readonly id: string;
  readonly arms: readonly JudgedArm[];
  /** True if the numbers of visits contradict the weights. Then no variant can be judged. */
  readonly isMismatch: boolean;
  readonly summary: string;
};
