import type { AskedFieldName } from '../fields/answers.ts';

/** Path for saving the progress of a visit (docs/specification.md#saving-progress). */
export const saveDataPath = '/api/save-data';

/** Data about the start of a visit, which every request repeats. */
export type ProgressSession = {
  readonly lead_id: string;
  readonly survey: string;
  /** The id of the ad click, 32 hex digits. */
  readonly click_id: string;
  /** The URL of the visit's first page, without query. */
  readonly landing_page: string;
  readonly params: Readonly<Record<string, string>>;
  readonly referer: string;
  readonly started_at: string;
};

/** An event of a visit. `seq` numbers the events of a lead from 1. */
export type ProgressEntry = {
  readonly seq: number;
  /** `failed` means that a script of the page failed. */
  readonly kind: 'viewed' | 'answered' | 'back' | 'submitted' | 'refused' | 'failed';
  readonly step: string;
  readonly answers: Readonly<Partial<Record<AskedFieldName, string>>>;
  readonly refused?: readonly AskedFieldName[];
  /** The time that the visitor spent on the step. */
  readonly seconds?: number;
  /** The time of the event, by the browser's clock (ISO 8601). */
  readonly at: string;
};

/** The server's answer after the progress was stored. */
export type SaveDataAnswer = {
  readonly userBackupStatus: boolean;
  readonly userProgressionStatus: boolean;
};
