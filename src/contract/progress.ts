import type { AskedFieldName } from '../domain/answers.ts';

/** Where the browser saves progress (docs/specification.md#saving-progress). */
export const saveDataPath = '/api/save-data';

/** What identifies a visit: sent with every save, stored once as the click. */
export type ProgressSession = {
  readonly lead_id: string;
  readonly survey: string;
  /** 32 hex digits: our click id, or the transaction id of the click tracker. */
  readonly click_id: string;
  /** Origin and path of the first page, and its query parameters as they came. */
  readonly landing_page: string;
  readonly params: Readonly<Record<string, string>>;
  readonly referer: string;
  readonly started_at: string;
};

/** One thing that happened on the way; `seq` counts up from 1 within a lead, so that a retry is harmless. */
export type ProgressEntry = {
  readonly seq: number;
  readonly kind: 'viewed' | 'answered' | 'back' | 'submitted';
  readonly step: string;
  readonly answers: Readonly<Partial<Record<AskedFieldName, string>>>;
  /** Time on the step, in whole seconds, where it was left. */
  readonly seconds?: number;
  /** ISO 8601, UTC, the browser's clock. */
  readonly at: string;
};

/**
 * Both true: stored, and the browser may clear what it sent (docs/specification.md#saving-progress).
 */
export type SaveDataAnswer = {
  readonly userBackupStatus: boolean;
  readonly userProgressionStatus: boolean;
};
