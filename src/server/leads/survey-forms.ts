/**
 * The use case of a survey that is answered by posts of its forms, where no script runs
 * (docs/specification.md#without-javascript): the same pure parts as the page's runner, the same checks
 * with their limits, and at the end the same lead through the same use case.
 */
import { hash } from 'node:crypto';
import type { ProgressEntry } from '../../contract/progress.ts';
import type { Answers, AskedFieldName } from '../../domain/answers.ts';
import { buyersAsAnswers } from '../../domain/buyer-choice.ts';
import { type ContactDetails, takeContactDetails } from '../../domain/contact-parameters.ts';
import type { CalendarDate } from '../../domain/dates.ts';
import { deriveFields } from '../../domain/lead/derive-fields.ts';
import { isLeadField } from '../../domain/lead/lead-fields.ts';
import { thankYouQuery } from '../../domain/thank-you.ts';
import { stepOf } from '../../flows/engine/flow.ts';
import { walk } from '../../flows/engine/walk.ts';
import type { Visitor } from '../../intake/visitor.ts';
import {
  type FormState,
  type FormVisit,
  lastOfWay,
  stateAt,
  timeOn,
  visitOfSaves,
  withSaves,
} from '../../survey/forms/form-visit.ts';
import {
  isShort,
  type PostedFields,
  postedValue,
  pressedChoice,
  takeForm,
} from '../../survey/forms/posted-form.ts';
import type { SurveyPageData } from '../../survey/page/page-data.ts';
import { thankYouOptions } from '../../survey/runner/after-submit.ts';
import { consentAt } from '../../survey/runner/consent-at.ts';
import { chosen } from '../../survey/runner/form-values.ts';
import { affiliateOf, leadBody } from '../../survey/runner/lead-body.ts';
import { prefillDrafts } from '../../survey/runner/prefill.ts';
import {
  type Errors,
  initialState,
  type RunnerState,
  reduce,
} from '../../survey/runner/runner-state.ts';
import {
  newVisit,
  stateThatCounts,
  takenUp,
  VISIT_LIFETIME_MS,
} from '../../survey/runner/visit.ts';
import { walkContext } from '../../survey/runner/walk-context.ts';
import {
  type Clock,
  type FormVisitStore,
  type OwnedLead,
  StoreUnavailableError,
} from './ports.ts';
import type { UseCases } from './use-cases.ts';

/** Whose visit a cookie says it is: the lead's id, and the secret that shows it. */
export type VisitProof = { readonly leadId: string; readonly secret: string };

/** A request about a survey that is answered by forms. */
export type FormRequest = {
  /** What the survey's page is made of. */
  readonly data: SurveyPageData;
  readonly proof: VisitProof | undefined;
  /** Who asks; the secret is the proof's. */
  readonly visitor: Visitor;
};

export type FormPost = FormRequest & {
  readonly fields: PostedFields;
  /** The kept page, which is the same for all, sent it; else a page of the visit. */
  readonly isFirst: boolean;
  /** Address of the page that sent it. */
  readonly href: string;
  /** The state that a trusted proxy says the visitor is in, or ''. */
  readonly proxyState: string;
  /** Whether this address may have something looked up; what it may not is not looked up. */
  readonly mayLookUp: () => Promise<boolean>;
};

/** Where a post leads; never an answer by itself, so that reload and back send nothing again. */
export type FormOutcome = {
  /** A path with its query. */
  readonly goTo: string;
  /** For the visitor's cookie; null: it is forgotten; undefined: it stays. */
  readonly proof?: VisitProof | null;
};

/** What a page of a visit shows. */
export type FormPage = {
  readonly form: FormVisit;
  readonly state: RunnerState;
};

/** Look-ups may take so long; one that gives no answer in this time passes. */
const LOOK_UP_WAIT_MS = 4_000;
/** Between what a script saved and what a form does: room for what the script had not sent yet. */
const SEQ_GAP = 100;
/** Of what nobody asked for. */
const MORE_FIELDS = 50;
const MORE_NAME_CHARACTERS = 100;
const MORE_VALUE_CHARACTERS = 1_000;

/** Names of the form that are no answers. */
const ownNames = ['step', 'refusals', 'go', 'first'];

/** The hidden inputs of third parties' scripts, as far as they filled them before they were gone. */
const certificateInputs: Readonly<Record<string, 'trustedform_cert_url' | 'leadid_token'>> = {
  xxTrustedFormCertUrl: 'trustedform_cert_url',
  universal_leadid: 'leadid_token',
};

export type SurveyFormsOptions = {
  readonly store: FormVisitStore;
  readonly useCases: Pick<
    UseCases,
    | 'acceptLead'
    | 'saveProgress'
    | 'lookUpZip'
    | 'checkPhone'
    | 'checkEmail'
    | 'checkText'
    | 'mapLead'
    | 'findBuyers'
    | 'estimate'
    | 'checkPrefill'
  >;
  readonly calendar: (moment: Date) => CalendarDate;
  readonly now: Clock;
};

/** The address of a step of a visit: its own, so that caches never mix it with the page of all. */
export function stepAddress(survey: string, step: string): string {
  return `${survey}/continue?step=${encodeURIComponent(step)}`;
}

export type SurveyForms = ReturnType<typeof createSurveyForms>;

export function createSurveyForms(options: SurveyFormsOptions) {
  const { store, calendar, now } = options;
  // Of one visit one form at a time: a button that is pressed twice answers once.
  const running = new Map<string, Promise<unknown>>();
  const inTurn = async <Result>(id: string, work: () => Promise<Result>): Promise<Result> => {
    const before = running.get(id) ?? Promise.resolve();
    const mine = before.then(work, work);
    running.set(id, mine);
    try {
      return await mine;
    } finally {
      if (running.get(id) === mine) running.delete(id);
    }
  };

  /** A visit as its forms and its page's script left it; undefined: there is none that is this visitor's. */
  async function load({ data, proof }: FormRequest) {
    if (!proof) return undefined;
    const since = new Date(now().getTime() - VISIT_LIFETIME_MS);
    const stored = await store.load(ownerOf(proof), since);
    if (stored?.survey !== data.survey.path) return undefined;
    const { form, click, hasLead, entries, lastSeq, startedAt } = stored;
    const lead = { leadId: proof.leadId, survey: stored.survey };
    const begun = form ?? (click && visitOfSaves(data.flow, lead, click, startedAt));
    if (!begun) return undefined;
    const context = walkContext(data, calendar(now()), begun.visit);
    return {
      form: withSaves(data.flow, begun, entries, context),
      lastSeq: entries.length > 0 ? lastSeq + SEQ_GAP : lastSeq,
      hasLead: hasLead || begun.sentTo !== undefined,
    };
  }

  return {
    /**
     * Takes one post.
     * @returns undefined where the visit that it is of cannot be found
     * @throws StoreUnavailableError
     * @throws OverLimitError
     */
    async take(post: FormPost): Promise<FormOutcome | undefined> {
      const { proof } = post;
      if (proof) return inTurn(proof.leadId, () => takeOne(post, await_load(post)));
      return post.isFirst ? takeOne(post, Promise.resolve(undefined)) : undefined;
    },
  };
}
