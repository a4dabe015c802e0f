import type { Visitor } from '../../intake/visitor.ts';
import type { FormVisit, SavedClick, SavedEntry } from '../../journey/form-visit.ts';
import type { OwnedLead } from '../base/owned-lead.ts';

/** A stored visit: the state that its forms saved, and the entries that the page's script saved since. */
export type StoredFormVisit = {
  readonly survey: string;
  /** Null: no form was posted yet, or too long ago. */
  readonly form: FormVisit | null;
  /** Whether its lead was posted, by a form or by the script. */
  readonly hasLead: boolean;
  /** ISO 8601 */
  readonly startedAt: string;
  readonly click: SavedClick | null;
  /** The browser that saved the first click; null: no click was saved. */
  readonly begunBy: Pick<Visitor, 'address' | 'userAgent'> | null;
  /** The seq of the last progress entry; 0: none. */
  readonly lastSeq: number;
  /** The entries that `form` does not include, in order. */
  readonly entries: readonly SavedEntry[];
};

/** Stores visits that use forms. */
export type FormVisitStore = {
  /**
   * Returns undefined if no visit with this id and secret was written to within `maxAgeMs`.
   * @throws StoreUnavailableError
   */
  load(lead: OwnedLead, maxAgeMs: number): Promise<StoredFormVisit | undefined>;
  /** Stores the visit, creating it if necessary. @throws StoreUnavailableError */
  keep(lead: OwnedLead, form: FormVisit): Promise<void>;
};

/**
 * Serialises the work on a key across all processes, so that a double press answers once.
 * @throws StoreUnavailableError if the turn does not come in time
 */
export type FormTurns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;
