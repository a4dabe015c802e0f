/**
 * The use case of surveys without JavaScript, which post a form for each step
 * (docs/specification.md#without-javascript). It uses the same flow, checks and limits as the page's script, and
 * sends the same lead through the same use case.
 */
import type { Logger } from 'pino';
import type { PublishedConsent } from '../../domain/consent.ts';
import type { CalendarDate } from '../../domain/dates.ts';
import { type FormVisit, lastOfWay, stateAt } from '../../journey/form-visit.ts';
import { postedValue } from '../../journey/posted-form.ts';
import { initialState, type JourneyState } from '../../journey/state.ts';
import type { AcceptLead } from '../accept/accept-lead.ts';
import type { AddressBytes } from '../accept/address-limit.ts';
import type { Clock } from '../base/clock.ts';
import type { KeyedDigest } from '../base/keyed-digest.ts';
import type { LookUps } from '../lookups/look-ups.ts';
import { asOwn, firstEntries, isBegunBy, ownVisits, withFirstTap } from './first-form.ts';
import { createFormAnswers } from './form-answers.ts';
import { withMore } from './form-extras.ts';
import { createFormLookUps } from './form-look-ups.ts';
import { createFormSending } from './form-sending.ts';
import type { FormOutcome, FormPost, FormRequest, VisitProof } from './form-taking.ts';
import type { FormTurns, FormVisitStore } from './form-visit-store.ts';
import { createFormVisits, endOf, ownerOf, stepAddress, stepToShow } from './form-visits.ts';
import type { SaveProgress } from './save-progress.ts';

/** The content of a visit's page. */
export type FormPage = {
  readonly form: FormVisit;
  readonly state: JourneyState;
};

export type SurveyFormsOptions = {
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

export type SurveyForms = ReturnType<typeof createSurveyForms>;

/** Creates the use case of surveys that use forms. */
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
    // The lead was already sent, by a repeated post or another tab: redirect to the same place.
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
      // The posted step is not on the visit's path, so its answers are ignored.
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

  /** Returns the redirect of a first form that has already sent its lead; undefined if it has not. */
  async function sentBy(
    post: FormPost,
    own: readonly VisitProof[],
  ): Promise<FormOutcome | undefined> {
    const { survey } = post.data;
    for (const proof of own) {
      const earlier = await visits.load({ ...post, proof });
      if (earlier?.hasLead) return { goTo: endOf(survey, earlier.form), proof };
    }
    // If the browser had a visit before, the lead belongs to that visit.
    const known = own.length > 0 ? await visits.load(post) : undefined;
    const isSame = own.some(({ leadId }) => leadId === known?.form.firstForm);
    return known?.hasLead && isSame ? { goTo: endOf(survey, known.form) } : undefined;
  }

  return {
    /**
     * Takes one posted form.
     * @returns undefined if the form's visit is not found
     * @throws StoreUnavailableError
     * @throws OverLimitError
     */
    async take(post: FormPost): Promise<FormOutcome | undefined> {
      const own = await ownVisits(post, digest, now);
      const ids = new Set([post.proof, own[0]].flatMap((proof) => (proof ? [proof.leadId] : [])));
      // Turns are taken in one order everywhere, so posts cannot deadlock.
      return [...ids].sort().reduce(
        (work, id) => () => inTurn(id, work),
        () => takeOne(post, own),
      )();
    },

    /**
     * Returns the requested step if it is on the visit's path, else an address to redirect to; undefined if there
     * is no such visit.
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
