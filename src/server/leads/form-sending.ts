/** Sends the lead of a visitor whose browser does not use JavaScript. */

import type { Answers } from '../../model/fields/answers.ts';
import { walk } from '../../model/flows/engine/walk.ts';
import { consentDigest } from '../../model/lead/consent.ts';
import { ownQuery, stateFragment, thankYouFragments } from '../../model/messages/page-manifest.ts';
import { readAuthorization } from '../../model/rules/authorization-text.ts';
import { choseNoFirm, namingFirms } from '../../model/rules/buyer-choice.ts';
import { deriveFields } from '../../model/rules/derive-fields.ts';
import { thankYouQuery } from '../../model/visit/after-submit.ts';
import { closedState } from '../../model/visit/closed-state.ts';
import { chosenAnswers } from '../../model/visit/form-values.ts';
import { earlierAnswers, leadBody } from '../../model/visit/lead-body.ts';
import { postedValue } from '../../model/visit/posted-form.ts';
import { consentAt, type PageConsent } from '../../model/visit/state.ts';
import { affiliateOf, timeOn } from '../../model/visit/visit.ts';
import { LeadErasedError } from '../platform/errors.ts';
import type { FormChecks } from './form-checks.ts';
import {
  arrivedAt,
  type Entry,
  type FormInProgress,
  type FormOutcome,
  type FormParts,
  type FormPost,
  type FormVisits,
  stepAddress,
} from './form-visits.ts';

export function createFormSending(parts: FormParts, visits: FormVisits, checks: FormChecks) {
  const { store, consents, log, now } = parts;
  const { acceptLead } = parts.useCases;
  const published = new Map(consents.map((each) => [consentDigest(each), each]));

  /** Returns the consent text that the visitor's form showed. */
  function consentOf({ fields }: FormPost, { version }: PageConsent, answers: Answers) {
    const shown = published.get(postedValue(fields, 'consent') ?? '');
    if (!shown) return { text: '', version };
    const text = namingFirms(shown.text, answers.displayed_buyers).replaceAll('\n', ' ');
    return { text, version: shown.version };
  }

  /** Sends the lead and returns the redirect; undefined if the visit was erased. */
  return async function send(
    posted: FormInProgress,
    values: Answers,
  ): Promise<FormOutcome | undefined> {
    const { post, form, context, step, lead, visitor, proof } = posted;
    const { data } = post;
    const { flow, survey, settings } = data;
    const { submit } = flow;
    const given = { ...form.state.given, [step]: values };
    const { answers } = walk(flow, given, context);
    const place = await checks.wholePlaceOf(posted, answers.zip_code);
    const { derived, decision, ...ruled } = deriveFields({
      answers: place ? { ...answers, state: place.state } : answers,
      today: context.today,
      rules: flow.rules ?? {},
      settings,
      checks: await checks.textChecks(posted, answers.case_description),
    });
    const { qualified } = decision;
    const seconds = visits.secondsOn(form);
    const at = now().toISOString();
    const authorization = readAuthorization(post.fields);
    const visit = {
      ...form.visit,
      timeOnSteps: timeOn(form.visit, step, seconds),
      consentShownAt: form.visit.consentShownAt || at,
      cameBy: form.isMixed ? 'form and script' : 'form',
    };
    const body = leadBody({
      survey,
      visit,
      answers,
      earlier: earlierAnswers(flow, given),
      derived,
      place,
      consent: consentOf(post, consentAt(data, step), answers),
      userAgent: visitor.userAgent,
      submittedAt: at,
      authorization,
    });
    const entries: Entry[] = [{ kind: 'submitted', step, answers: values, seconds }];
    const seq = await visits.record(posted, form, entries);
    try {
      await acceptLead(body, visitor, { ifErased: 'refuse' });
    } catch (error) {
      if (error instanceof LeadErasedError) return undefined;
      throw error;
    }
    const showsMeter = new URLSearchParams(form.search).get('show-meter') === 'yes';
    const level = showsMeter
      ? await checks.estimate(posted, chosenAnswers(data.fields, answers))
      : undefined;
    const affid = affiliateOf(survey, visit);
    const query = thankYouQuery(
      survey,
      submit?.thankYou,
      { qualified, answers: ruled.answers, affid },
      body,
      {
        search: form.search,
        referer: visit.session.referer,
        level: level && String(level.compLevel),
      },
    );
    const ended = qualified ? undefined : submit?.disqualifiedStep;
    const isUnsigned = authorization?.health_authorization === 'no';
    const closed =
      qualified && (isUnsigned ? 'WA' : closedState(data, ruled.answers, context.state));
    const fragment =
      (closed ? stateFragment(closed) : stateStepsIn(query)) ??
      thankYouFragments[qualified && choseNoFirm(answers) ? 'noFirm' : 'sent'];
    const sentTo = ended
      ? stepAddress(survey.path, ended)
      : `${survey.thankYouPath}?${query}&${ownQuery.form}=${fragment}#${fragment}`;
    const state = { ...form.state, ...arrivedAt(ended ?? step), given, drafts: {} };
    // The lead is already stored, so a failure here must not stop the visitor.
    await store
      .save(lead, { ...form, visit, state, seq, sentTo })
      .catch((error: unknown) =>
        log.error({ err: error, lead_id: lead.leadId }, 'Could not store a visit after its lead'),
      );
    return { goTo: sentTo, proof };
  };
}

/** Returns the URL fragment for the US state of a disqualified visitor; undefined if unknown. */
function stateStepsIn(query: string): string | undefined {
  const parameters = new URLSearchParams(query);
  const code = parameters.get('q') === 'n' && parameters.get('state');
  return code ? stateFragment(code) : undefined;
}
