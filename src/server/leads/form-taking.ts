/** The types that the parts of the posted-forms use case (survey-forms.ts) share. */
import type { Logger } from 'pino';
import type { CalendarDate } from '../../model/fields/dates.ts';
import type { Visitor } from '../../model/lead/visitor.ts';
import type { ProgressEntry } from '../../model/messages/progress.ts';
import type { PublishedConsent } from '../../model/rules/consent.ts';
import type { SurveyData, walkContext } from '../../model/visit/data.ts';
import type { FormVisit } from '../../model/visit/form-visit.ts';
import type { PostedFields } from '../../model/visit/posted-form.ts';
import type { LookUps } from '../checks/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { KeyedDigest } from '../platform/database/database-secret.ts';
import type { OwnedLead } from '../platform/owned-lead.ts';
import type { AcceptLead } from './accept-lead.ts';
import type { AddressBytes } from './address-bytes.ts';
import type { FormTurns } from './form-turns.ts';
import type { SaveProgress } from './save-progress.ts';
import type { FormVisitStore } from './stored-visits.ts';

/** What the parts of the use case depend on. */
export type FormParts = {
  readonly store: FormVisitStore;
  readonly digest: KeyedDigest;
  readonly inTurn: FormTurns;
  readonly addressBytes: AddressBytes;
  readonly useCases: LookUps & {
    readonly acceptLead: AcceptLead;
    readonly saveProgress: SaveProgress;
  };
  /** Every consent text ever published. */
  readonly consents: readonly PublishedConsent[];
  readonly calendar: (moment: Date) => CalendarDate;
  readonly log: Pick<Logger, 'error'>;
  readonly now: Clock;
};

/** The proof that a visit belongs to the browser: lead id and secret, kept in a cookie. */
export type VisitProof = { readonly leadId: string; readonly secret: string };

/** The redirect after a post, so that reload and back never post again. */
export type FormOutcome = {
  /** A path with its query. */
  readonly goTo: string;
  /** The new value of the visitor's cookie; null: delete it; undefined: leave it. */
  readonly proof?: VisitProof | null;
};

/** A request about a survey that uses forms. */
export type FormRequest = {
  readonly data: SurveyData;
  readonly proof: VisitProof | undefined;
  /** Whether only this host can have set the proof's cookie. */
  readonly isBound: boolean;
  /** The sender. The proof's secret counts instead of its `secretSha256`. */
  readonly visitor: Visitor;
  /** Returns whether the address may make one more look-up. */
  readonly mayLookUp: () => Promise<boolean>;
};

export type FormPost = FormRequest & {
  readonly fields: PostedFields;
  /** Whether the shared first page sent the form; otherwise a page of the visit did. */
  readonly isFirst: boolean;
  /** The URL of the page that sent the form. */
  readonly href: string;
  /** Where the visitor's newest click landed. */
  readonly landing: { readonly href: string; readonly referrer: string };
  /** The state that a trusted proxy says the visitor is in, or ''. */
  readonly proxyState: string;
};

/** A posted form in progress, with its visit. */
export type Taking = {
  readonly post: FormPost;
  readonly proof: VisitProof;
  readonly lead: OwnedLead;
  readonly visitor: Visitor;
  readonly context: ReturnType<typeof walkContext>;
  readonly step: string;
  /** Whether the shared first page resumes an existing visit. */
  readonly isTakenUp: boolean;
  readonly lastSeq: number;
  /** Progress entries of the shared first page, which could not save them itself. */
  readonly before: readonly Entry[];
  readonly form: FormVisit;
};

export type Entry = Omit<ProgressEntry, 'seq' | 'at'>;
