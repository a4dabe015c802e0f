import type { AskedFieldName } from '../fields/answers.ts';

/** Path to which the browser posts the progress of a visit (docs/specification.md#saving-progress). */
export const saveDataPath = '/api/save-data';

/** The origin of a visit. Every save has it; the server stores it once, as the click. */
export type ProgressSession = {
  readonly lead_id: string;
  readonly survey: string;
  /** Our click id, or the click tracker's transaction id: 32 hex digits. */
  readonly click_id: string;
  /** Origin and path of the visit's first page. */
  readonly landing_page: string;
  readonly params: Readonly<Record<string, string>>;
  readonly referer: string;
  readonly started_at: string;
};

/** An event of a visit. `seq` counts from 1 within a lead and makes retries idempotent. */
export type ProgressEntry = {
  readonly seq: number;
  /** `failed`: a script of the page failed at this step. */
  readonly kind: 'viewed' | 'answered' | 'back' | 'submitted' | 'refused' | 'failed';
  readonly step: string;
  readonly answers: Readonly<Partial<Record<AskedFieldName, string>>>;
  /** The refused fields. Only for the kind `refused`. */
  readonly refused?: readonly AskedFieldName[];
  /** Whole seconds on the step. Set when the visitor left the step. */
  readonly seconds?: number;
  /** Time of the event (ISO 8601, UTC, the browser's clock). */
  readonly at: string;
};

/** The server has stored the progress, so the browser may delete it (docs/specification.md#saving-progress). */
export type SaveDataAnswer = {
  readonly userBackupStatus: boolean;
  readonly userProgressionStatus: boolean;
};
