/** What the parts of the use case of posted forms (survey-forms.ts) hand to each other. */
import type { ProgressEntry } from '../../contract/progress.ts';
import type { Visitor } from '../../intake/visitor.ts';
import type { JourneyData } from '../../journey/data.ts';
import type { FormVisit } from '../../journey/form-visit.ts';
import type { PostedFields } from '../../journey/posted-form.ts';
import type { walkContext } from '../../journey/walk-context.ts';
import type { OwnedLead } from './ports.ts';

/** Whose visit a cookie says it is: the lead's id, and the secret that shows it. */
export type VisitProof = { readonly leadId: string; readonly secret: string };

/** Where a post leads; never an answer by itself, so that reload and back send nothing again. */
export type FormOutcome = {
  /** A path with its query. */
  readonly goTo: string;
  /** For the visitor's cookie; null: it is forgotten; undefined: it stays. */
  readonly proof?: VisitProof | null;
};

/** A request about a survey that is answered by forms. */
export type FormRequest = {
  /** What the survey's page is made of. */
  readonly data: JourneyData;
  readonly proof: VisitProof | undefined;
  /** Who asks; the secret is the proof's. */
  readonly visitor: Visitor;
  /** Whether this address may have one more thing looked up; what it may not is not looked up. */
  readonly mayLookUp: () => Promise<boolean>;
};

export type FormPost = FormRequest & {
  readonly fields: PostedFields;
  /** The kept page, which is the same for all, sent it; else a page of the visit. */
  readonly isFirst: boolean;
  /** Address of the page that sent it. */
  readonly href: string;
  /** The state that a trusted proxy says the visitor is in, or ''. */
  readonly proxyState: string;
};

/** A post on its way through: whose it is, and what is known of the visit so far. */
export type Taking = {
  readonly post: FormPost;
  readonly proof: VisitProof;
  readonly lead: OwnedLead;
  readonly visitor: Visitor;
  readonly context: ReturnType<typeof walkContext>;
  readonly step: string;
  /** The visit was there before, and is taken up on its first page. */
  readonly isTakenUp: boolean;
  readonly lastSeq: number;
  /** What the first page did before anything of the visit was saved. */
  readonly before: readonly Entry[];
  readonly form: FormVisit;
};

export type Entry = Omit<ProgressEntry, 'seq' | 'at'>;
