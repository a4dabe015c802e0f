/**
 * The use case of a survey that is answered by posts of its forms, where no script runs
 * (docs/specification.md#without-javascript): the same pure parts as the page's runner, the same checks
 * with their limits, and at the end the same lead through the same use case.
 */
import type { Logger } from 'pino';
import type { PublishedConsent } from '../../domain/consent.ts';
import type { CalendarDate } from '../../domain/dates.ts';
import { type FormVisit, lastOfWay, stateAt } from '../../journey/form-visit.ts';
import { postedValue } from '../../journey/posted-form.ts';
import { initialState, type JourneyState } from '../../journey/state.ts';
import { asOwn, firstEntries, isBegunBy, ownVisits, withFirstTap } from './first-form.ts';
import { createFormAnswers } from './form-answers.ts';
import { withMore } from './form-extras.ts';
import { createFormLookUps, type FormLookUpUseCases } from './form-look-ups.ts';
import { createFormSending } from './form-sending.ts';
import type { FormOutcome, FormPost, FormRequest, VisitProof } from './form-taking.ts';
import { createFormVisits, endOf, ownerOf, stepAddress, stepToShow } from './form-visits.ts';
import type { AddressBytes, Clock, FormTurns, FormVisitStore, KeyedDigest } from './ports.ts';
import type { UseCases } from './use-cases.ts';

/** What a page of a visit shows. */
export type FormPage = {
  readonly form: FormVisit;
  readonly state: JourneyState;
};

export type SurveyFormsOptions = {
  readonly store: FormVisitStore;
  readonly digest: KeyedDigest;
  readonly inTurn: FormTurns;
  readonly addressBytes: AddressBytes;
  readonly useCases: Pick<UseCases, 'acceptLead' | 'saveProgress'> & FormLookUpUseCases;
  /** Every text that was ever shown. */
  readonly consents: readonly PublishedConsent[];
  readonly calendar: (moment: Date) => CalendarDate;
  readonly log: Pick<Logger, 'error'>;
  readonly now: Clock;
};

export type SurveyForms = ReturnType<typeof createSurveyForms>;

/** Makes the use case of surveys that are answered by posts of their forms. */
export function createSurveyForms(options: SurveyFormsOptions) {
  const { store, digest, inTurn, addressBytes, useCases, consents, calendar, log, now } = options;
  const { acceptLead, saveProgress } = useCases;
  const lookUps = createFormLookUps(useCases);
  const visits = createFormVisits({
    ...{ store, saveProgress, lookUps, addressBytes, calendar, now },
  });
  const send = createFormSending({ visits, lookUps, acceptLead, consents, log, now });
  const answer = createFormAnswers({ visits, lookUps, send });

  async function takeOne(
    post: FormPost,
    own: readonly VisitProof[],
  ): Promise<FormOutcome | undefined> {
    const { data, isFirst, fields } = post;
    const { flow, survey } = data;
    const sent = await sentBy(post, own);
    if (sent) return sent;
    const known = await visits.load(post);
    const found = known && (!isFirst || isBegunBy(known, post.visitor)) ? known : undefined;
    if (!found && !isFirst) return undefined;
    // The lead is taken: the same post again, or one of another tab, leads where the first one did.
    if (found?.hasLead && !isFirst) return { goTo: endOf(survey, found.form) };
    const present = found?.hasLead ? undefined : found;
    const begun =
      present && post.proof
        ? { form: visits.landed(post, present.form), proof: post.proof }
        : await visits.begin(post);
    const context = visits.contextOf(data, begun.form);
    const step = postedValue(fields, 'step') ?? '';
    const { form, proof } = asOwn(post, begun, own[0], present !== undefined, context, step);
    const tapped = withFirstTap(data, form, fields);
    if (!stateAt(flow, tapped.state, step, context)) {
      // Not a step of this visit's way: nothing is taken of it.
      const at = lastOfWay(flow, form.state.given, context);
      return { goTo: present ? stepAddress(survey.path, at) : survey.path };
    }
    return answer({
      post,
      proof,
      lead: ownerOf(proof),
      visitor: {
        ...post.visitor,
        ...ownerOf(proof),
        page: post.visitor.siteOrigin + survey.path,
      },
      context,
      step,
      isTakenUp: present !== undefined && isFirst,
      lastSeq: present?.lastSeq ?? 0,
      before: firstEntries(data, form, tapped),
      form: withMore(tapped, fields),
    });
  }

  /** Returns where the lead went that this first form sent already. Undefined: it sent none. */
  async function sentBy(
    post: FormPost,
    own: readonly VisitProof[],
  ): Promise<FormOutcome | undefined> {
    const { survey } = post.data;
    for (const proof of own) {
      const earlier = await visits.load({ ...post, proof });
      if (earlier?.hasLead) return { goTo: endOf(survey, earlier.form), proof };
    }
    // With the cookie of a visit that was there before, the lead is that visit's.
    const known = own.length > 0 ? await visits.load(post) : undefined;
    const isSame = own.some(({ leadId }) => leadId === known?.form.firstForm);
    return known?.hasLead && isSame ? { goTo: endOf(survey, known.form) } : undefined;
  }

  return {
    /**
     * Takes one post.
     * @returns undefined where the visit of the form cannot be found
     * @throws StoreUnavailableError
     * @throws OverLimitError
     */
    async take(post: FormPost): Promise<FormOutcome | undefined> {
      const own = await ownVisits(post, digest, now);
      const ids = new Set([post.proof, own[0]].flatMap((proof) => (proof ? [proof.leadId] : [])));
      // In one order everywhere, so that no two posts wait for each other.
      return [...ids].sort().reduce(
        (work, id) => () => inTurn(id, work),
        () => takeOne(post, own),
      )();
    },

    /**
     * Returns what a page of a visit shows: the step that is asked for, where it is on the visit's way; else an
     * address to go to. Undefined: there is no such visit.
     * @throws StoreUnavailableError
     */
    async show(
      request: FormRequest,
      step: string | undefined,
    ): Promise<FormPage | { readonly goTo: string } | undefined> {
      const { data } = request;
      const { flow, survey } = data;
      const found = await visits.load(request);
      if (!found) return undefined;
      const { form, hasLead } = found;
      const context = visits.contextOf(data, form);
      if (hasLead) {
        const isEnd = step !== undefined && form.sentTo === stepAddress(survey.path, step);
        if (!isEnd) return { goTo: endOf(survey, form) };
        const { given } = form.state;
        return { form, state: { ...initialState(flow), given, at: step, phase: 'ended' } };
      }
      const state = step === undefined ? undefined : stateAt(flow, form.state, step, context);
      if (!state) return { goTo: stepAddress(survey.path, stepToShow(data, form, context)) };
      const { given, drafts, at, errors } = state;
      const zip = drafts[at]?.zip_code ?? given[at]?.zip_code;
      const place = zip && !errors.zip_code ? await lookUps.placeText(request, zip) : '';
      return { form, state: { ...state, place } };
    },
  };
}
