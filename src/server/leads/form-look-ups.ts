/** What services are asked about the answers of posted forms, as the page's script asks them. */
import type { Answers, AskedFieldName } from '../../domain/answers.ts';
import { buyersAsAnswers } from '../../domain/buyer-choice.ts';
import { normaliseValue } from '../../domain/lead/field-rules.ts';
import { stepOf } from '../../flows/engine/flow.ts';
import { nextStep, walk } from '../../flows/engine/walk.ts';
import { postedValue } from '../../journey/posted-form.ts';
import type { Errors } from '../../journey/state.ts';
import { affiliateOf } from '../../journey/visit.ts';
import type { FormRequest, Taking } from './form-taking.ts';
import { inTime } from './in-time.ts';
import type { OwnedLead } from './ports.ts';
import type { UseCases } from './use-cases.ts';

/** A look-up that gives no answer in this time passes. */
const WAIT_MS = 4_000;

/** Visits whose buyers this process remembers; those of another are found again. */
const MOST_FINDINGS = 1_000;

export type FormLookUpUseCases = Pick<
  UseCases,
  | 'lookUpZip'
  | 'checkPhone'
  | 'checkEmail'
  | 'checkText'
  | 'mapLead'
  | 'findBuyers'
  | 'estimate'
  | 'checkPrefill'
>;

export type FormLookUps = ReturnType<typeof createFormLookUps>;

/** Nothing here fails: what a service does not say in time, or may not be asked, is undefined or passes. */
export function createFormLookUps(useCases: FormLookUpUseCases) {
  /** Asks within the limit of the visitor's address, and for as long as a visitor waits. */
  async function ask<Result>(
    { mayLookUp }: Pick<FormRequest, 'mayLookUp'>,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    return (await mayLookUp()) ? inTime(work(), WAIT_MS) : undefined;
  }

  const placeOf = (request: FormRequest, zip: string, lead?: OwnedLead) =>
    ask(request, () => useCases.lookUpZip(zip, lead));

  /** Whoever was refused this address, has seen that, and gives it again, is taken at their word. */
  async function emailProblem({ post, form, lead, visitor, step }: Taking, value: string) {
    if (value === form.acceptedEmail) return {};
    const { errors, drafts, refusals } = form.state;
    const rule = post.data.fields.email;
    const typed = drafts[step]?.email ?? '';
    const isSame = rule !== undefined && normaliseValue(rule, typed) === value;
    const wasRefused = errors.email === 'not_reachable' && isSame;
    // Pressed twice before the refusal was seen: that is no second time.
    const wasSeen = postedValue(post.fields, 'refusals') === String(refusals);
    if (wasRefused && !wasSeen) return { isBlocked: true };
    const checked = await ask(post, () => useCases.checkEmail(value, lead.leadId, visitor));
    if (checked?.blocked) return { isBlocked: true };
    return wasRefused ? { accepted: value } : {};
  }

  /** What is being found for visits, or was: the newest of this process. */
  const buyers = new Map<string, Promise<Answers>>();

  /** Finds the buyers of a zip code once. It begins here, and who needs them waits. */
  function buyersOf(
    { post, form, lead, visitor }: Taking,
    zip: string,
    earlier: Answers,
  ): Promise<Answers> {
    const { survey } = post.data;
    const { tracking } = form.visit;
    const key = `${lead.leadId} ${zip}`;
    const present = buyers.get(key);
    if (present) return present;
    const find = async (): Promise<Answers> => {
      if (survey.buyers && survey.buyers !== 'fetched') {
        return { '1_to_1_consent': 'yes', ...buyersAsAnswers(survey.buyers) };
      }
      const about = {
        ...tracking,
        oid: tracking.oid ?? String(survey.offerId),
        affid: affiliateOf(survey, form.visit),
        ...earlier,
        zip_code: zip,
        lead_id: lead.leadId,
        survey: survey.path,
      };
      const found = (await post.mayLookUp()) && (await useCases.findBuyers(about, visitor));
      return found
        ? { '1_to_1_consent': found.consent, ...buyersAsAnswers(found.buyers) }
        : { '1_to_1_consent': 'no' };
    };
    const finding = find().catch((): Answers => ({ '1_to_1_consent': 'no' }));
    buyers.set(key, finding);
    const [oldest] = buyers.keys();
    if (buyers.size > MOST_FINDINGS && oldest !== undefined) buyers.delete(oldest);
    return finding;
  }

  return {
    /** Whether contact details of the address are put into the forms of an affiliate's visitors. */
    async isPrefilled(request: FormRequest, affid: string): Promise<boolean> {
      return (await ask(request, () => useCases.checkPrefill(affid))) ?? false;
    },

    /** What zip, phone and e-mail check find wrong with the answers that no rule found wrong. */
    async problemsOf(
      taking: Taking,
      values: Answers,
      wrong: Errors,
    ): Promise<{ errors: Errors; acceptedEmail?: string }> {
      const { post, lead, visitor, step } = taking;
      const { flow, survey } = post.data;
      const asked = stepOf(flow, step).asks ?? [];
      const given = (field: AskedFieldName) =>
        asked.includes(field) && !wrong[field] ? values[field] : undefined;
      const zip = given('zip_code');
      const phone = flow.submit?.phoneCheck === 'length_only' ? undefined : given('phone');
      const email = given('email');
      const [place, reached, mail] = await Promise.all([
        zip ? placeOf(post, zip, lead) : undefined,
        phone ? ask(post, () => useCases.checkPhone(phone, survey.path, lead, visitor)) : undefined,
        email ? emailProblem(taking, email) : undefined,
      ]);
      const { valid = true, active = true, forced = false } = reached ?? {};
      const isPlace = !place || (place.city && place.state && place.state_long && place.county);
      return {
        errors: {
          ...(!isPlace && { zip_code: 'unknown_zip' as const }),
          ...((!valid || (!active && !forced)) && { phone: 'not_reachable' as const }),
          ...(mail?.isBlocked && { email: 'not_reachable' as const }),
        },
        ...(mail?.accepted && { acceptedEmail: mail.accepted }),
      };
    },

    /**
     * Returns the answers that a step of a survey with buyers is left with, as the page's script leaves it
     * (one-to-one.ts): the zip code brings the state, and only the step before the choice waits for the buyers.
     */
    async withFound(taking: Taking, values: Answers): Promise<Answers> {
      const { post, form, context, step, lead } = taking;
      const { flow, survey } = post.data;
      const earlier = walk(flow, form.state.given, context, step).answers;
      const { zip_code: zip } = { ...earlier, ...values };
      if (!survey.buyers || !zip) return values;
      const finding = buyersOf(taking, zip, earlier);
      const place = stepOf(flow, step).finds ? await placeOf(post, zip, lead) : undefined;
      const own = { ...values, ...(place?.state && { state: place.state }) };
      const next = nextStep(flow, step, { ...earlier, ...own }, context);
      if (!next || !stepOf(flow, next).submits) return own;
      return { ...own, ...((await inTime(finding, WAIT_MS)) ?? { '1_to_1_consent': 'no' }) };
    },

    /** Begins what the lead will be sent with; nobody waits for it now. */
    begin({ post, lead }: Taking, { case_description: text }: Answers): void {
      if (text) void ask(post, () => useCases.checkText(text, lead));
    },

    /** Begins to find out whose account the lead belongs to; nobody waits for it. */
    map({ post, lead, form }: Taking): void {
      const { survey } = post.data;
      const affid = Number(affiliateOf(survey, form.visit));
      const oid = Number(form.visit.tracking.oid ?? survey.offerId);
      void ask(post, () => useCases.mapLead({ ...lead, survey: survey.path, affid, oid }));
    },

    /** The whole place of a zip code; undefined where it is not known. */
    async wholePlaceOf({ post, lead }: Taking, zip: string | undefined) {
      const place = zip ? await placeOf(post, zip, lead) : undefined;
      return place?.city && place.state && place.state_long && place.county ? place : undefined;
    },

    /** What a text says, as far as a service tells. */
    async textChecks({ post, lead }: Taking, text: string | undefined) {
      return (text && (await ask(post, () => useCases.checkText(text, lead)))) || {};
    },

    /** What such a case may be worth; undefined where nobody says. */
    estimate: ({ post }: Taking, answers: Parameters<UseCases['estimate']>[0]) =>
      ask(post, () => useCases.estimate(answers)),

    /** City and state of a zip code, as the form says them. */
    async placeText(request: FormRequest, zip: string): Promise<string> {
      const place = await placeOf(request, zip);
      return place?.city ? `${place.city}, ${place.state}` : '';
    },
  };
}
