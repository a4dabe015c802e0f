/** Checks the answers in posted forms, as the page's script does with JavaScript. */
import type { Answers, AskedFieldName } from '../../model/fields/answers.ts';
import { normaliseValue } from '../../model/fields/field-rules.ts';
import { stepOf } from '../../model/flows/engine/flow.ts';
import { nextStep, walk } from '../../model/flows/engine/walk.ts';
import { buyersAsAnswers } from '../../model/rules/buyer-choice.ts';
import { postedValue } from '../../model/visit/posted-form.ts';
import type { Errors } from '../../model/visit/state.ts';
import { affiliateOf } from '../../model/visit/visit.ts';
import type { Checks } from '../checks/index.ts';
import { inTime } from '../platform/in-time.ts';
import type { OwnedLead } from '../platform/owned-lead.ts';
import type { FormInProgress, FormRequest } from './form-visits.ts';

/** Maximum wait for a check. After this time, the value is accepted. */
const WAIT_MS = 4_000;

export type FormChecks = ReturnType<typeof createFormChecks>;

/** Creates the checks of posted forms. A value is accepted if its check fails. */
export function createFormChecks(useCases: Checks) {
  async function ask<Result>(
    { mayCheck }: Pick<FormRequest, 'mayCheck'>,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    return (await mayCheck()) ? inTime(work(), WAIT_MS) : undefined;
  }

  const placeOf = (request: FormRequest, zip: string, lead?: OwnedLead) =>
    ask(request, () => useCases.checkZip(zip, lead));

  /** Returns whether to refuse an e-mail address. */
  async function isEmailRefused(
    { post, form, lead, visitor, step }: FormInProgress,
    value: string,
  ) {
    const { errors, drafts, refusals } = form.state;
    const rule = post.data.fields.email;
    const typed = drafts[step]?.email ?? '';
    const isSame = rule !== undefined && normaliseValue(rule, typed) === value;
    const wasRefused = errors.email === 'not_reachable' && isSame;
    // An outdated number of refusals shows that the visitor has not seen the newest refusal.
    const wasSeen = postedValue(post.fields, 'refusals') === String(refusals);
    if (wasRefused && !wasSeen) return true;
    const checked = await ask(post, () => useCases.checkEmail(value, lead.leadId, visitor));
    return checked?.blocked === true;
  }

  async function buyersOf(
    { post, form, lead, visitor }: FormInProgress,
    zip: string,
    earlier: Answers,
  ): Promise<Answers> {
    const { survey } = post.data;
    if (survey.buyers && survey.buyers !== 'fetched') {
      return { '1_to_1_consent': 'yes', ...buyersAsAnswers(survey.buyers) };
    }
    const { tracking } = form.visit;
    const about = {
      ...tracking,
      oid: tracking.oid ?? String(survey.offerId),
      affid: affiliateOf(survey, form.visit),
      ...earlier,
      zip_code: zip,
      lead_id: lead.leadId,
      survey: survey.path,
    };
    // Waits longer than `WAIT_MS`, because the next step cannot be shown without the buyers.
    const finding = async () => (await post.mayCheck()) && useCases.findBuyers(about, visitor);
    const found = await finding().catch(() => undefined);
    return found
      ? { '1_to_1_consent': found.consent, ...buyersAsAnswers(found.buyers) }
      : { '1_to_1_consent': 'no' };
  }

  return {
    /** Returns whether to prefill an affiliate's forms with contact details from the page's URL. */
    async isPrefilled(request: FormRequest, affid: string): Promise<boolean> {
      return (await ask(request, () => useCases.checkPrefill(affid))) ?? false;
    },

    /** Checks the zip code, the phone number and the e-mail address. */
    async problemsOf(posted: FormInProgress, values: Answers, wrong: Errors): Promise<Errors> {
      const { post, lead, visitor, step } = posted;
      const { flow, survey } = post.data;
      const asked = stepOf(flow, step).asks ?? [];
      const given = (field: AskedFieldName) =>
        asked.includes(field) && !wrong[field] ? values[field] : undefined;
      const zip = given('zip_code');
      const phone = flow.submit?.phoneCheck === 'length_only' ? undefined : given('phone');
      const email = given('email');
      const [place, reached, isRefused] = await Promise.all([
        zip ? placeOf(post, zip, lead) : undefined,
        phone ? ask(post, () => useCases.checkPhone(phone, survey.path, lead, visitor)) : undefined,
        email ? isEmailRefused(posted, email) : false,
      ]);
      const { valid = true, active = true, forced = false } = reached ?? {};
      const isPlace =
        !place ||
        (place.city && place.state && place.state_long && place.county) ||
        values.state_choice;
      return {
        ...(!isPlace && { zip_code: 'unknown_zip' as const }),
        ...((!valid || (!active && !forced)) && { phone: 'not_reachable' as const }),
        ...(isRefused && { email: 'not_reachable' as const }),
      };
    },

    /** Adds the US state of the zip code and the list of buyers to the visitor's answers. */
    async withFound(posted: FormInProgress, values: Answers): Promise<Answers> {
      const { post, form, context, step, lead } = posted;
      const { flow, survey } = post.data;
      const earlier = walk(flow, form.state.given, context, step).answers;
      const { zip_code: zip } = { ...earlier, ...values };
      if (!zip) return values;
      const place = stepOf(flow, step).finds ? await placeOf(post, zip, lead) : undefined;
      const own = { ...values, ...(place?.state && { state: place.state }) };
      if (!survey.buyers) return own;
      const next = nextStep(flow, step, { ...earlier, ...own }, context);
      if (!next || !stepOf(flow, next).submits) return own;
      return { ...own, ...(await buyersOf(posted, zip, earlier)) };
    },

    /** Starts the gibberish check of the case description, without waiting for the result. */
    begin({ post, lead }: FormInProgress, { case_description: text }: Answers): void {
      if (text) void ask(post, () => useCases.checkText(text, lead));
    },

    /** Requests the lead's ingest account, without waiting for the answer. */
    map({ post, lead, form }: FormInProgress): void {
      const { survey } = post.data;
      const affid = Number(affiliateOf(survey, form.visit));
      const oid = Number(form.visit.tracking.oid ?? survey.offerId);
      void ask(post, () => useCases.mapLead({ ...lead, survey: survey.path, affid, oid }));
    },

    /** Returns the city, state and county of a zip code; undefined if one of them is unknown. */
    async wholePlaceOf({ post, lead }: FormInProgress, zip: string | undefined) {
      const place = zip ? await placeOf(post, zip, lead) : undefined;
      return place?.city && place.state && place.state_long && place.county ? place : undefined;
    },

    async textChecks({ post, lead }: FormInProgress, text: string | undefined) {
      return (text && (await ask(post, () => useCases.checkText(text, lead)))) || {};
    },

    estimate: ({ post }: FormInProgress, answers: Parameters<Checks['estimate']>[0]) =>
      ask(post, () => useCases.estimate(answers)),
  };
}
