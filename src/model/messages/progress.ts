import type { AskedFieldName } from '../fields/answers.ts';

/** Where the browser saves progress (docs/specification.md#saving-progress). */
export const saveDataPath = '/api/save-data';

/** The origin of a visit: sent with every save, stored once as the click. */
export type ProgressSession = {
  readonly lead_id: string;
  readonly survey: string;
  /** 32 hex digits: our click id, or the click tracker's transaction id. */
  readonly click_id: string;
  /** Origin and path of the first page, and its unchanged query parameters. */
  readonly landing_page: string;
  readonly params: Readonly<Record<string, string>>;
  readonly referer: string;
  readonly started_at: string;
};

/** One event of a visit. `seq` counts up from 1 within a lead and makes retries idempotent. */
export type ProgressEntry = {
  readonly seq: number;
  /** `failed`: a script of the page failed while the step was shown. */
  readonly kind: 'viewed' | 'answered' | 'back' | 'submitted' | 'refused' | 'failed';
  readonly step: string;
  readonly answers: Readonly<Partial<Record<AskedFieldName, string>>>;
  /** The fields that a pressed button refused; only of the kind `refused`. */
  readonly refused?: readonly AskedFieldName[];
  /** Whole seconds spent on the step; set when the visitor left it. */
  readonly seconds?: number;
  /** ISO 8601, UTC, the browser's clock. */
  readonly at: string;
};

/** Both true: the progress is stored, and the browser may clear it (docs/specification.md#saving-progress). */
export type SaveDataAnswer = {
  readonly userBackupStatus: boolean;
  readonly userProgressionStatus: boolean;
};
