import type { AskedFieldName } from '../fields/answers.ts';

/** Path to which the browser posts a visit's progress (docs/specification.md#saving-progress). */
export const saveDataPath = '/api/save-data';

/** The start of a visit. Every request repeats these values, and the server stores them once. */
export type ProgressSession = {
  readonly lead_id: string;
  readonly survey: string;
  /** Our click id, or the click tracker's transaction id: 32 hex digits. */
  readonly click_id: string;
  /** URL of the visit's first page, without query. */
  readonly landing_page: string;
  readonly params: Readonly<Record<string, string>>;
  readonly referer: string;
  readonly started_at: string;
};

/** An event of a visit. `seq` numbers a lead's events from 1, so that retries are idempotent. */
export type ProgressEntry = {
  readonly seq: number;
  /** `failed`: a script of the page failed. */
  readonly kind: 'viewed' | 'answered' | 'back' | 'submitted' | 'refused' | 'failed';
  readonly step: string;
  readonly answers: Readonly<Partial<Record<AskedFieldName, string>>>;
  readonly refused?: readonly AskedFieldName[];
  /** Time on the step, set when the visitor leaves the step. */
  readonly seconds?: number;
  /** Time of the event, by the browser's clock (ISO 8601, UTC). */
  readonly at: string;
};

/** The answer of `POST /api/save-data`, sent after the server stored the progress. */
export type SaveDataAnswer = {
  readonly userBackupStatus: boolean;
  readonly userProgressionStatus: boolean;
};
