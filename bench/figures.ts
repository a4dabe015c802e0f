/** The median of some values, and the range of their middle half. */
export type Figures = { readonly median: number; readonly low: number; readonly high: number };

export function figuresOf(values: readonly number[]): Figures {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

export function median(values: readonly number[]): number {
  return figuresOf(values).median;
}
