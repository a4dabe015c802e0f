/** Alerts the operators. Neither text nor facts may have personal data. */
export type Alerts = (text: string, facts?: Readonly<Record<string, string | number>>) => void;
