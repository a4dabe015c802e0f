/** Lets third parties check the answers of posted forms, as the page's script does. */
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

/** Maximum wait for a check, after which the value is accepted. */
const WAIT_MS = 4_000;

export type FormChecks = ReturnType<typeof createFormChecks>;

/** Creates the checks of posted forms, which accept a value if its check fails. */
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
    // If the posted number of refusals is outdated, the visitor has not seen the refusal.
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
    // Does not limit the wait to `WAIT_MS`, because the next step needs the buyers.
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

    /** Adds the zip code's US state and the buyers to the answers. */
    async withFound(posted: FormInProgress, values: Answers): Promise<Answers> {
      const { post, form, context, step, lead } = posted;
      const { flow, survey } = post.data;
      const earlier = walk(flow, form.state.given, context, step).answers;
      const { zip_code: zip } = { ...earlier, ...values };
      if (!survey.buyers || !zip) return values;
      const place = stepOf(flow, step).finds ? await placeOf(post, zip, lead) : undefined;
      const own = { ...values, ...(place?.state && { state: place.state }) };
      const next = nextStep(flow, step, { ...earlier, ...own }, context);
      if (!next || !stepOf(flow, next).submits) return own;
      return { ...own, ...(await buyersOf(posted, zip, earlier)) };
    },

    /** Starts the check of the case description. */
    begin({ post, lead }: FormInProgress, { case_description: text }: Answers): void {
      if (text) void ask(post, () => useCases.checkText(text, lead));
    },

    /** Starts the request for the lead's account at the ingest service. */
    map({ post, lead, form }: FormInProgress): void {
      const { survey } = post.data;
      const affid = Number(affiliateOf(survey, form.visit));
      const oid = Number(form.visit.tracking.oid ?? survey.offerId);
      void ask(post, () => useCases.mapLead({ ...lead, survey: survey.path, affid, oid }));
    },

    /** Returns a zip code's city, state and county; undefined if one of them is unknown. */
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
