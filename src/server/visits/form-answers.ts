/** Handles one posted form of a visit: refuses it, or stores the answers and moves to the next step. */
import type { Answers } from '../../domain/answers.ts';
import { stepOf } from '../../flows/engine/flow.ts';
import { walk } from '../../flows/engine/walk.ts';
import { type FormState, lastOfWay } from '../../journey/form-visit.ts';
import { takeForm } from '../../journey/posted-form.ts';
import { type Errors, initialState, isShortText, reduce } from '../../journey/state.ts';
import type { FormLookUps } from './form-look-ups.ts';
import type { Entry, FormOutcome, Taking } from './form-taking.ts';
import { type FormVisits, staying, stepAddress } from './form-visits.ts';

/** Creates the part of the posted-forms use case that answers steps. */
export function createFormAnswers(options: {
  readonly visits: FormVisits;
  readonly lookUps: FormLookUps;
  /** Sends the lead after its last step. */
  readonly send: (taking: Taking, values: Answers) => Promise<FormOutcome | undefined>;
}) {
  const { visits, lookUps, send } = options;

  /** Takes the form of a step. Returns undefined if the visit was erased. */
  async function answer(taking: Taking): Promise<FormOutcome | undefined> {
    const { post, form, context, step, proof } = taking;
    const { data, fields } = post;
    const { flow, survey } = data;
    const { given, drafts } = form.state;
    const taken = takeForm({ data, context, state: { ...form.state, at: step } }, fields);
    switch (taken.type) {
      case 'over':
        return { goTo: survey.path + form.search, proof: null };
      case 'back': {
        const { steps } = walk(flow, given, context, step);
        const at = steps.at(-2) ?? flow.start;
        const seconds = visits.secondsOn(form);
        const entries: Entry[] = [{ kind: 'back', step, answers: {}, seconds }];
        const state = { ...form.state, ...staying(at), drafts: { ...drafts, [step]: taken.typed } };
        await visits.move(taking, { ...form, state }, entries);
        return { goTo: stepAddress(survey.path, at), proof };
      }
      case 'edited': {
        const state = {
          ...form.state,
          ...staying(step),
          drafts: { ...drafts, [step]: taken.typed },
        };
        await visits.keep(taking, { ...form, state });
        return { goTo: `${stepAddress(survey.path, step)}#field-${taken.pressed}`, proof };
      }
      case 'refused': {
        const found = await lookUps.problemsOf(taking, taken.answers, taken.errors);
        return refuse(taking, taken.typed, { ...found.errors, ...taken.errors });
      }
      case 'answered': {
        const found = await lookUps.problemsOf(taking, taken.answers, {});
        if (Object.keys(found.errors).length > 0) return refuse(taking, taken.typed, found.errors);
        const { acceptedEmail } = found;
        const accepted = acceptedEmail === undefined ? form : { ...form, acceptedEmail };
        return goOn({ ...taking, form: accepted }, taken.answers);
      }
    }
  }

  /** Stores the valid answers of a step and moves to the next one. */
  async function goOn(taking: Taking, values: Answers): Promise<FormOutcome | undefined> {
    const { post, form, context, step, isTakenUp, proof } = taking;
    const { flow, survey } = post.data;
    const { submits } = stepOf(flow, step);
    lookUps.begin(taking, values);
    if (submits) return send(taking, values);
    const answers = await lookUps.withFound(taking, values);
    const { given, drafts } = form.state;
    const here = { ...initialState(flow), given, drafts, at: step };
    const next = reduce(flow, context, here, { type: 'answered', screen: here.screen, answers });
    const at = isTakenUp && step === flow.start ? lastOfWay(flow, next.given, context) : next.at;
    const resumed = at !== next.at;
    const state = {
      ...form.state,
      ...staying(at),
      given: next.given,
      drafts: next.drafts,
      resumed,
    };
    await visits.move(taking, { ...form, state }, [
      { kind: 'answered', step, answers, seconds: visits.secondsOn(form) },
    ]);
    return { goTo: stepAddress(survey.path, at), proof };
  }

  /** Shows the form again, with the typed values and the errors. */
  async function refuse(taking: Taking, typed: Answers, errors: Errors): Promise<FormOutcome> {
    const { post, form, step, proof } = taking;
    const { drafts, refusals, shortTexts } = form.state;
    const state: FormState = {
      ...form.state,
      at: step,
      resumed: false,
      drafts: { ...drafts, [step]: typed },
      errors,
      refusals: refusals + 1,
      shortTexts: shortTexts + Number(isShortText(errors)),
    };
    await visits.keep(taking, { ...form, state });
    const [first] = Object.keys(errors);
    const where = first === undefined ? '' : `#field-${first}`;
    return { goTo: stepAddress(post.data.survey.path, step) + where, proof };
  }

  return answer;
}
